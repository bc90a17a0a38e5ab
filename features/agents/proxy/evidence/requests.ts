import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { RowStatus } from '@/lib/store/rows/row';
import { formatDuration } from '@/lib/wire/format';
import type { AgentRecording } from '../agent-recording';
import { type AgentFinding, type EvidenceReader, FindingGroups, WEIGHT } from './evidence';
import { interceptedExchanges, interceptionText } from './interceptions';

/** How a request failed, and what to say about it. */
interface Failing {
  readonly code: string;
  readonly severity: AgentFinding['severity'];
  readonly weight: number;
  readonly title: string;
  readonly advice?: string;
}

const FAILING: { readonly [S in RowStatus]?: Failing } = {
  lost: {
    code: 'request-lost',
    severity: 'error',
    weight: WEIGHT.lost,
    title: 'A request got no response',
    advice: 'The server or its HTTP response ended first.',
  },
  timeout: {
    code: 'request-timeout',
    severity: 'error',
    weight: WEIGHT.lost,
    title: 'A request timed out',
    advice: 'The server sent no response in time. Look for what the handler waits for, or report progress.',
  },
  error: {
    code: 'request-error',
    severity: 'error',
    weight: WEIGHT.request,
    title: 'A request was answered with an error',
  },
  'tool-error': {
    code: 'tool-error',
    severity: 'warning',
    weight: WEIGHT.toolError,
    title: 'A tool reported an error (isError)',
  },
};

const UNANSWERED: Failing = {
  code: 'request-unanswered',
  severity: 'error',
  weight: WEIGHT.lost,
  title: 'A request was never answered',
  advice: 'The recording ends without a response. Look for a handler that never returns.',
};

/** Time without a response, in microseconds, after which a request counts as unanswered. */
const UNANSWERED_US = 10_000_000;

/** Requests of the client that failed, by method, name and error. */
export const failedRequests: EvidenceReader = ({ log, isWhole }) => {
  const groups = new FindingGroups();
  const { columns, size } = log;
  const end = size === 0 ? 0 : columns.time(size - 1);
  const intercepted = interceptedExchanges(log);
  for (let index = 0; index < size; index++) {
    if (columns.kind(index) !== 'request' || columns.direction(index) !== 'to-server') continue;
    const status = columns.status(index);
    const isLate = status === 'pending' && (isWhole || end - columns.time(index) > UNANSWERED_US);
    const failing = isLate ? UNANSWERED : status && FAILING[status];
    if (!failing) continue;
    const what = [columns.method(index), columns.name(index)].filter(Boolean).join(' ');
    const taken = intercepted.get(index + 1);
    // After a delay, an error is still the server's.
    if (taken && (taken.isChanged || (status !== 'error' && status !== 'tool-error'))) {
      const said = interceptionText(taken);
      groups.add(['intercepted', what, said, taken.by.event.rule].join('\0'), index + 1, () => ({
        code: 'request-intercepted',
        severity: 'info',
        weight: WEIGHT.request,
        title: said,
        detail: [what, taken.by.event.rule && `rule: ${taken.by.event.rule}`].filter(Boolean).join('; '),
        advice: 'Remove the rule or the overlay to see what the server does by itself.',
      }));
      continue;
    }
    const error = status === 'error' || status === 'tool-error' ? errorText(log, index + 1) : '';
    groups.add([failing.code, what, error].join('\0'), index + 1, () => ({
      ...failing,
      detail: [what, error].filter(Boolean).join(': '),
    }));
  }
  return groups.findings();
};

/** Characters of an error that are read. */
const ERROR_CHARS = 500;

/** Returns the error of a request in words: code and message, or the text of a result with `isError`. */
function errorText(log: Log, request: number): string {
  const { responseSeq, id } = log.exchange(request) ?? {};
  if (responseSeq === undefined) return '';
  const message = messageSource(log, responseSeq, id)?.value;
  if (!isObject(message)) return '';
  const error = own(message, 'error');
  if (isObject(error))
    return [own(error, 'code'), own(error, 'message')].filter(isShort).join(' ').slice(0, ERROR_CHARS);
  const result = own(message, 'result');
  return (isObject(result) ? contentText(own(result, 'content')) : '').slice(0, ERROR_CHARS);
}

function isShort(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Joins the text blocks of a result. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return '';
  const texts = content.slice(0, 20).map((block) => (isObject(block) ? own(block, 'text') : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/** Durations in microseconds: always slow, and slow if it is this many times the median. */
const SLOW_US = 5_000_000;
const OUTLIER_US = 1_000_000;
const OUTLIER_TIMES = 10;
/** They wait until the server has started. */
const STARTS: ReadonlySet<string | undefined> = new Set(['initialize', 'server/discover']);

/** Calls that took much longer than others, or several seconds. */
export const slowCalls: EvidenceReader = ({ log }) => {
  const groups = new FindingGroups();
  const { columns, size } = log;
  const { calls } = log.latencies;
  const usual = calls.quantile(0.5) ?? 0;
  const others = calls.singles ? '' : `; half of all calls took ${formatDuration(usual)} at most`;
  const intercepted = interceptedExchanges(log);
  for (let index = 0; index < size; index++) {
    if (columns.kind(index) !== 'request' || columns.direction(index) !== 'to-server') continue;
    if (columns.status(index) !== 'ok' || STARTS.has(columns.method(index))) continue;
    if (intercepted.has(index + 1)) continue;
    const us = log.durationUs(index) ?? 0;
    if (us < SLOW_US && (us < OUTLIER_US || us < OUTLIER_TIMES * usual)) continue;
    const what = [columns.method(index), columns.name(index)].filter(Boolean).join(' ');
    groups.add(what, index + 1, () => ({
      code: 'slow',
      severity: 'warning',
      weight: WEIGHT.slow,
      title: 'A request took long',
      detail: `${what}: ${formatDuration(us)}${others}.`,
      advice: 'Hosts give up after about a minute, and users earlier. Report progress, or do less at once.',
    }));
  }
  return groups.findings();
};

/** How the other calls with the same method and name ended. */
export interface OtherCalls {
  readonly ok: readonly number[];
  readonly failed: readonly number[];
}

/** Calls that are looked at. */
const MOST_OTHERS = 50_000;

/** Returns the requests like this one, before and after it. */
export function callsLike({ log }: AgentRecording, request: number): OtherCalls {
  const { columns, size } = log;
  const [method, name] = [columns.method(request - 1), columns.name(request - 1)];
  const [ok, failed]: [number[], number[]] = [[], []];
  for (let index = Math.max(0, size - MOST_OTHERS); index < size; index++) {
    if (index + 1 === request || columns.kind(index) !== 'request' || columns.direction(index) !== 'to-server')
      continue;
    if (columns.method(index) !== method || columns.name(index) !== name) continue;
    const status = columns.status(index);
    if (status === 'ok') ok.push(index + 1);
    else if (status && status !== 'refused' && status !== 'cancelled') failed.push(index + 1);
  }
  return { ok, failed };
}
