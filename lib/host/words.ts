import { textOrJson } from '@/lib/json/value';
import { countOf, formatDuration } from '@/lib/wire/format';
import { durationsText } from '@/lib/wire/spread';
import type { HostIdentity } from './client-facts';
import type { HostParameter, HostTool, HostView } from './host-view';
import type { HostStep } from './opening';
import type { HostWaits } from './waits';

/** Characters of a client's name, title or version that are shown. */
const INFO_CHARS = 200;

/** Returns the client's name, title and version: “Claude Desktop (claude-ai 0.1.0)”. Text of the host. */
export function identityText({ info }: HostIdentity): string {
  const [name = '', title = '', version = ''] = [info.name, info.title, info.version].map((value) =>
    value === undefined ? '' : textOrJson(value).slice(0, INFO_CHARS),
  );
  const named = [name, version].filter(Boolean).join(' ') || '(no name)';
  return title !== '' && title !== name ? `${title} (${named})` : named;
}

/** Names the host by what it says, or else by the tap. */
export function hostTitle({ identities, host, as }: HostView): string {
  if (as !== undefined) return `mcp-inspect as ${as}`;
  const newest = identities.at(-1);
  return newest ? identityText(newest) : (host ?? 'Unknown host');
}

/** Says how long a host waits before it gives up. */
export function waitsText({ evidence, fromUs, toUs, sinceProgress }: HostWaits): string {
  if (evidence === 'none') return 'It has not waited for an answer yet';
  const [from, to] = [formatDuration(fromUs), formatDuration(toUs)];
  if (evidence === 'longest') return `Unknown (> ${to})`;
  const long = from === to ? to : `${from} to ${to}`;
  return `${long}${sinceProgress ? ' without progress' : ''}`;
}

/** Says how that is known. */
export function evidenceText({ evidence, timeouts, cancelled, unanswered, seq }: HostWaits): string {
  if (evidence === 'timeout') return `It cancelled ${countOf(timeouts, 'request')} with a timeout as the reason`;
  if (evidence === 'none') return '';
  const none = cancelled === 0 ? 'No cancelled requests' : 'No cancellation gives a timeout as the reason';
  return unanswered && unanswered.seq === seq ? `${none}. The session ended before the answer` : none;
}

/** Says what a step asked for: “3 pages, 40 items”. */
export function stepFacts({ count, items, isCutShort, status, isFirst, method }: HostStep): readonly string[] {
  const isList = items !== undefined;
  return [
    ...(count > 1 ? [isList ? countOf(count, 'page') : `${count} times`] : []),
    ...(isList ? [countOf(items, 'item')] : []),
    ...(isCutShort ? ['the server has more, which it did not read'] : []),
    ...(isFirst ? ['first'] : []),
    ...(status !== undefined && status !== 'ok' && method !== 'subscriptions/listen' ? [STATUSES[status]] : []),
  ];
}

const STATUSES: Readonly<Record<Exclude<NonNullable<HostStep['status']>, 'ok'>, string>> = {
  pending: 'no answer yet',
  error: 'error',
  'tool-error': 'tool error',
  cancelled: 'cancelled',
  timeout: 'timed out',
  lost: 'no answer',
  refused: 'refused',
};

/** Sums up calls: “3 of 13 tools called”. */
export function toolsText({ tools, otherCalls }: Pick<HostView, 'tools' | 'otherCalls'>): string {
  const called = tools.filter(({ calls }) => calls > 0).length;
  const more = otherCalls > 0 ? `, and ${countOf(otherCalls, 'call')} of further tools` : '';
  return `${called} of ${countOf(tools.length, 'tool')} called${more}`;
}

/** Returns the durations of a tool's calls: “p50 12 ms, p95 140 ms”. '' without an answer. */
export function toolDurations({ p50Us, p95Us, singlesUs }: Pick<HostTool, 'p50Us' | 'p95Us' | 'singlesUs'>): string {
  return durationsText({ singles: singlesUs, p50: p50Us, p95: p95Us });
}

/** Says which values a parameter was given: “"a" 12×, "b" 3×, and 2 others”. Text of the host. */
export function parameterText({ given, values, others, declared }: HostParameter, most: number): string {
  if (given === 0) return declared ? 'never given' : '';
  const shown = values.slice(0, most).map(({ text, isCut, count }) => `${text}${isCut ? '…' : ''}${times(count)}`);
  const left = values.length - shown.length;
  const more = others > 0 ? `, and more than ${left} others` : left > 0 ? `, and ${countOf(left, 'other')}` : '';
  return shown.join(', ') + more;
}

function times(count: number): string {
  return count > 1 ? ` ${count}×` : '';
}
