import { withoutAnsi } from '@/lib/wire/ansi';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { decodeLossy } from './classify';
import { toLifecycleEvent } from './connection-facts';
import { isInsecure } from './lifecycle-severity';
import { missingWords } from './missing-words';
import { probeSilentWords } from './probe-words';

/** The details worth a place in the row, by event. */
const DETAILS: { readonly [E in LifecycleEvent['event']]?: (event: Extract<LifecycleEvent, { event: E }>) => string } =
  {
    start: (event) =>
      event.transport === 'stdio'
        ? [event.command, ...(Array.isArray(event.args) ? event.args : [])].join(' ')
        : `${event.url}${isInsecure(event) ? ', certificate NOT verified' : ''}`,
    'look-further': ({ where }) => where,
    fallback: ({ reason }) => reason,
    'session-lost': ({ reason = '' }) => reason,
    unreachable: ({ message }) => message,
    reachable: ({ attempts }) =>
      attempts === 1 ? 'after 1 attempt' : attempts > 1 ? `after ${attempts} attempts` : '',
    retry: ({ method, reason }) => `${method}, ${reason}`,
    authorization: (step) => (step.phase === 'refused' ? step.message : STEP_WORDS[step.phase]),
    spawned: ({ pid }) => `pid ${pid}`,
    probe: ({ era, reason }) => `${era}. ${reason}`,
    'era-remembered': ({ era, at }) => `${era}, probed ${at}`,
    'era-forgotten': ({ reason }) => reason,
    'probe-silent': ({ afterMs }) => probeSilentWords(afterMs),
    open: ({ version, era }) => (version === undefined ? 'without a handshake' : `${version}, ${era}`),
    'handshake-failed': ({ message }) => message,
    timeout: ({ method, afterMs }) => `${method} after ${afterMs} ms`,
    closing: ({ reason }) => reason,
    rung: ({ rung }) => rung,
    exit: ({ code, signal }) => (signal === null ? `code ${code}` : `signal ${signal}`),
    'output-held': ({ message }) => message,
    'spill-failed': ({ message }) => message,
    'recording-failed': ({ message }) => message,
    failed: ({ message }) => message,
    note: ({ on, text, bookmark }) =>
      `#${on} ${text === '' && !bookmark ? 'taken back' : [bookmark && 'bookmark', text].filter(Boolean).join(', ')}`,
    about: ({ name, text }) => [name, text].filter(Boolean).join(', '),
  };

const STEP_WORDS = { needed: 'somebody has to sign in', granted: 'let in', 'signed-out': 'signed out' };

/** The start of the first line that isn't blank, for a row, without a terminal's colours. '' if there is none in the first bytes. */
export function previewText(bytes: Uint8Array): string {
  return cut(
    withoutAnsi(previewStart(bytes))
      .trimStart()
      .split(/[\r\n]/, 1)[0]!,
  );
}

/** The text of the bytes that are looked at for a row. */
export function previewStart(bytes: Uint8Array): string {
  return decodeLossy(bytes.subarray(0, LIMITS.previewBytes));
}

/** What happened, in a few words: a lifecycle frame in a row. */
export function previewLifecycle(text: string): string {
  const event = toLifecycleEvent(text);
  if (!event) return cut(text);
  if (event.event === 'missing') return missingWords(event);
  const word = event.event.replaceAll('-', ' ');
  const detail = Object.hasOwn(DETAILS, event.event) ? DETAILS[event.event]?.(event as never) : undefined;
  return cut(detail ? `${word}: ${detail}` : word);
}

/** Text in one line, cut for a row. */
export function previewLine(text: string): string {
  return cut(text.slice(0, 2 * LIMITS.previewChars).replace(/\s+/g, ' '));
}

function cut(line: string): string {
  return line.length > LIMITS.previewChars ? `${line.slice(0, LIMITS.previewChars)}…` : line.trimEnd();
}
