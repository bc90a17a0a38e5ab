import { type JsonMembers, memberText, partialMembers } from '@/lib/json/members';
import { withoutAnsi } from '@/lib/wire/control-characters';
import type { Era, LifecycleEvent, MissingFacts } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { decodeLossy } from '../classify';
import { toLifecycleEvent } from '../state/connection-facts';
import { isInsecure } from './severity';

/** Bytes of a frame looked at for the short text in its row, and the characters of that text. */
export const PREVIEW_BYTES = 512;
/** The same of a line on stderr that a logger wrote as JSON: its message often comes last. */
export const LOGGED_BYTES = 4096;

/** The details worth a place in the row, by event. */
const LIFECYCLE_DETAILS: {
  readonly [E in LifecycleEvent['event']]?: (event: Extract<LifecycleEvent, { event: E }>) => string;
} = {
  start: (event) =>
    event.transport === 'stdio'
      ? [event.command, ...(Array.isArray(event.args) ? event.args : [])].join(' ')
      : `${event.url}${isInsecure(event) ? ', certificate NOT verified' : ''}`,
  'look-further': ({ where }) => where,
  fallback: ({ reason }) => reason,
  'session-lost': ({ reason = '' }) => reason,
  unreachable: ({ message }) => message,
  reachable: ({ attempts }) => (attempts === 1 ? 'after 1 attempt' : attempts > 1 ? `after ${attempts} attempts` : ''),
  retry: ({ method, reason }) => `${method}, ${reason}`,
  authorization: (step) => (step.phase === 'refused' ? step.message : AUTHORIZATION_LABELS[step.phase]),
  spawned: ({ pid }) => `pid ${pid}`,
  probe: ({ era, reason }) => `${era}. ${reason}`,
  'era-remembered': ({ era, at }) => `${era}, probed ${at}`,
  'era-forgotten': ({ reason }) => reason,
  'probe-silent': ({ afterMs }) => formatSilentProbe(afterMs),
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

const AUTHORIZATION_LABELS = { needed: 'somebody has to sign in', granted: 'let in', 'signed-out': 'signed out' };

/** The start of the first line that isn't blank, for a row, without a terminal's colours. '' if there is none in the first bytes. */
export function previewText(bytes: Uint8Array): string {
  return cut(
    withoutAnsi(previewStart(bytes))
      .trimStart()
      .split(/[\r\n]/, 1)[0]!,
  );
}

/** The text of the bytes that are looked at for a row. */
function previewStart(bytes: Uint8Array): string {
  return decodeLossy(bytes.subarray(0, PREVIEW_BYTES));
}

/** What happened, in a few words: a lifecycle frame in a row. */
export function formatLifecycle(text: string): string {
  const event = toLifecycleEvent(text);
  if (!event) return cut(text);
  if (event.event === 'missing') return formatMissing(event);
  const word = event.event.replaceAll('-', ' ');
  const detail = Object.hasOwn(LIFECYCLE_DETAILS, event.event)
    ? LIFECYCLE_DETAILS[event.event]?.(event as never)
    : undefined;
  return cut(detail ? `${word}: ${detail}` : word);
}

/** Text in one line, cut for a row. */
export function previewLine(text: string): string {
  return cut(text.slice(0, 2 * LIMITS.previewChars).replace(/\s+/g, ' '));
}

function cut(line: string): string {
  return line.length > LIMITS.previewChars ? `${line.slice(0, LIMITS.previewChars)}…` : line.trimEnd();
}

/** Notifications whose rows would all read the same. */
const WORDS: ReadonlyMap<string | undefined, (params: JsonMembers) => string | undefined> = new Map([
  ['notifications/message', logWords],
  ['notifications/progress', progressWords],
]);

/**
 * What a log message or a progress notification says: `warning flood: {"i":3}`, `12/300 step 12`. Read from the frame's first
 * bytes, so that a row costs little however long the frame is. undefined for other methods, and where nothing was found there.
 */
export function formatNotification(method: string | undefined, bytes: Uint8Array): string | undefined {
  const wordsOf = WORDS.get(method);
  if (!wordsOf) return undefined;
  const params = partialMembers(previewStart(bytes)).get('params');
  const words = params === undefined ? undefined : wordsOf(partialMembers(params));
  return words && previewLine(withoutAnsi(words));
}

function logWords(params: JsonMembers): string | undefined {
  const head = [memberText(params.get('level')), memberText(params.get('logger'))].filter(Boolean).join(' ');
  const data = memberText(params.get('data'));
  return data === undefined ? head : `${head}: ${data}`;
}

function progressWords(params: JsonMembers): string | undefined {
  const total = params.get('total');
  const done = params.get('progress');
  const far = total === undefined || done === undefined ? done : `${done}/${total}`;
  return [far, memberText(params.get('message'))].filter(Boolean).join(' ');
}

/** Members that loggers write their level, their name and their message under: pino, bunyan, winston, zap, structlog, Serilog, Python. */
const LEVEL = ['level', 'severity', 'levelname', 'lvl', '@l'];
const LOGGER = ['logger', 'name', 'module'];
const MESSAGE = ['msg', 'message', 'event', '@m', '@mt'];

/** Levels as pino and bunyan number them. */
const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['10', 'trace'],
  ['20', 'debug'],
  ['30', 'info'],
  ['40', 'warn'],
  ['50', 'error'],
  ['60', 'fatal'],
]);

/** What a line on stderr says in a row: of a logger's JSON level, logger and message, `info http: listening`; else its text. */
export function formatStderr(bytes: Uint8Array): string {
  return loggedWords(bytes) ?? previewText(bytes);
}

function loggedWords(bytes: Uint8Array): string | undefined {
  const line = withoutAnsi(decodeLossy(bytes.subarray(0, LOGGED_BYTES))).trimStart();
  if (!line.startsWith('{')) return undefined;
  const members = partialMembers(line);
  const first = (names: readonly string[]) => memberText(members.get(names.find((name) => members.has(name)) ?? ''));
  const message = first(MESSAGE);
  if (message === undefined) return undefined;
  const level = first(LEVEL);
  const head = [NUMBERED.get(level ?? '') ?? level, first(LOGGER)].filter(Boolean).join(' ');
  return previewLine(withoutAnsi(head === '' ? message : `${head}: ${message}`));
}

/** What is missing in a place of a recording, and why, in a sentence or two. Without facts, of one of those that another frame tells of. */
export function formatMissing({ frames, lines = 0, line, unknown, folded }: Partial<MissingFacts>): string {
  if (frames === undefined) return 'This frame is missing as well.';
  const are = frames === 1 ? '1 frame is' : `${frames.toLocaleString('en-US')} frames are`;
  const which = lines === 1 ? `Line ${line} is` : `${lines.toLocaleString('en-US')} lines from line ${line} on are`;
  const why = unknown ? 'of a kind that is not known here' : 'damaged';
  const renumbered = folded ? ' From here on, numbers are lower than in the file.' : '';
  return `${lines > 0 ? `${which} ${why}: ` : ''}${are} missing here.${renumbered}`;
}

/** The sentence for an outstanding probe: whose question it is, and what follows. */
export function formatSilentProbe(afterMs: number): string {
  return `No answer to our probe server/discover for ${afterMs / 1000} s, so initialize is sent as well.`;
}

/** The sentence for a server that was started a second time because of the probe, which found this era. */
export function formatStartedTwice(era: Era): string {
  const why =
    era === 'legacy'
      ? 'it exited during the server/discover probe, so it was started again with initialize'
      : 'it was sent initialize too, so it was started again with server/discover alone';
  return `The server was started twice: ${why}.`;
}
