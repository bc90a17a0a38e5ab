import { memberText, partialMembers } from '@/lib/json/members';
import { isObject, own } from '@/lib/json/value';
import type { ClientProfile } from '@/lib/wire/client-profile';
import { rootsIn } from '@/lib/wire/connection-settings';
import { withoutAnsi } from '@/lib/wire/control-characters';
import type { Interception } from '@/lib/wire/intercept';
import type { Era, LifecycleEvent, MissingFacts } from '@/lib/wire/lifecycle';
import { decodeLossy, parseJson } from '../classify';
import { toLifecycleEvent } from '../state/connection-facts';
import { isInsecure } from './severity';

/** Characters of a row's text. */
export const PREVIEW_CHARS = 160;
/** Bytes of a frame that are read for its row. */
export const PREVIEW_BYTES = 512;
/** Bytes read of a JSON log line on stderr, whose message often comes last. */
export const LOGGED_BYTES = 4096;

/** How rows name lifecycle events. Other events are named by their type: `handshake failed`. */
const LIFECYCLE_NAMES: { readonly [E in LifecycleEvent['event']]?: string } = {
  'look-further': 'looking further',
  'era-remembered': 'protocol era from last time',
  'era-forgotten': 'protocol era from last time was wrong',
  'probe-silent': 'probe',
  probe: 'protocol era',
  rung: 'stopping',
  'line-unended': 'newline missing',
  'output-held': 'output still open',
  'spill-failed': 'log storage',
  profile: 'client settings',
  about: 'recording renamed',
  rules: 'interception rules',
  'given-up': 'cancelled while held',
};

const CLOSING_REASONS: Readonly<Record<Extract<LifecycleEvent, { event: 'closing' }>['reason'], string>> = {
  user: 'you disconnected',
  restart: 'for a restart',
  'no-viewer': 'no tab was connected for a while',
  'page-gone': 'the page was closed or reloaded',
  shutdown: 'mcp-inspect is quitting',
  failure: 'the connection failed',
  host: 'the host ended the session',
};

const LOOKED_AT = {
  loopback: 'the other loopback address',
  paths: 'other paths',
  printed: 'the address that the server printed',
  'host-requests': 'requests that only some hosts send',
} as const;

/** The details of lifecycle events that rows show. */
const LIFECYCLE_DETAILS: {
  readonly [E in LifecycleEvent['event']]?: (event: Extract<LifecycleEvent, { event: E }>) => string;
} = {
  start: (event) =>
    event.transport === 'stdio'
      ? [event.command, ...(Array.isArray(event.args) ? event.args : [])].join(' ')
      : `${event.url}${isInsecure(event) ? ', certificate NOT verified' : ''}`,
  'look-further': ({ where }) => LOOKED_AT[where],
  fallback: ({ reason }) => plain(reason),
  'session-lost': ({ reason = '' }) => plain(reason),
  unreachable: ({ message }) => plain(message),
  reachable: ({ attempts }) => (attempts === 1 ? 'after 1 attempt' : attempts > 1 ? `after ${attempts} attempts` : ''),
  retry: ({ method, reason }) => `${method}, ${plain(reason)}`,
  task: ({ phase, reason }) => `${phase === 'left' ? 'left' : 'given up'}, ${plain(reason)}`,
  input: formatInput,
  'standing-answer': ({ method }) => method,
  profile: ({ profile }) => formatProfile(profile),
  roots: ({ roots }) =>
    rootsIn(roots)
      .map(({ uri }) => uri)
      .join(', ') || 'none',
  'log-level': ({ level = 'none' }) => level,
  authorization: (step) => (step.phase === 'refused' ? plain(step.message) : AUTHORIZATION_LABELS[step.phase]),
  'auth-step': (event) => `${event.step} ${event.phase}${event.phase === 'failed' ? `. ${plain(event.message)}` : ''}`,
  'auth-callback': ({ parameters }) => parameters.map(([name]) => name).join(', '),
  spawned: ({ pid }) => `pid ${pid}`,
  probe: ({ era, reason }) => `${era}. ${plain(reason)}`,
  'era-remembered': ({ era }) => era,
  'era-forgotten': ({ reason }) => plain(reason),
  'probe-silent': ({ afterMs }) => formatSilentProbe(afterMs),
  open: ({ version, era }) => (version === undefined ? 'without a handshake' : `${version}, ${era}`),
  'handshake-failed': ({ message }) => plain(message),
  timeout: ({ method, afterMs }) => `${method} after ${afterMs} ms`,
  closing: ({ reason }) => formatClosingReason(reason),
  rung: ({ rung }) => (rung === 'stdin-end' ? 'closed stdin' : `sent ${rung}`),
  exit: ({ code, signal }) => (signal === null ? `code ${code}` : `signal ${signal}`),
  'line-unended': ({ text }) => plain(text),
  'output-held': ({ message }) => plain(message),
  'spill-failed': ({ message }) => plain(message),
  'telemetry-dropped': ({ reason }) => plain(reason),
  'recording-failed': ({ message }) => plain(message),
  failed: ({ message }) => plain(message),
  note: ({ on, text, bookmark }) =>
    `#${on} ${text === '' && !bookmark ? 'removed' : [bookmark && 'bookmark', text].filter(Boolean).join(', ')}`,
  about: ({ name, text }) => [name, text].filter(Boolean).join(', '),
  rules: ({ rules }) => rules.map(({ name }) => name).join(', ') || 'none',
  overlay: ({ text = '' }) => changedTools(text),
  held: (event) => `${passing(event)} by ${event.rule}`,
  'given-up': (event) => [passing(event), event.reason].filter(Boolean).join(', '),
  intercepted: (event) => [event.did, passing(event), event.rule && `by ${event.rule}`].filter(Boolean).join(' '),
  pins: (step) => {
    if (step.phase === 'started') return `playing ${step.calls}`;
    return step.phase === 'played' ? `${step.verdict}, ${step.name}` : plain(step.why ?? 'all played');
  },
};

/** Characters of an overlay that is read for its row. Rows are drawn while somebody scrolls. */
const OVERLAY_CHARS = 20_000;
/** Tools of an overlay that its row names. */
const NAMED_TOOLS = 5;

/** Names the tools that an overlay changes: `a → b, c hidden`. */
function changedTools(text: string): string {
  if (text === '') return 'none';
  const file = text.length > OVERLAY_CHARS ? undefined : parseJson(text);
  const tools = isObject(file) ? own(file, 'tools') : undefined;
  if (!isObject(tools)) return '';
  const all = Object.entries(tools);
  const named = all.slice(0, NAMED_TOOLS).map(([tool, change]) => {
    const name = isObject(change) ? own(change, 'name') : undefined;
    if (isObject(change) && own(change, 'hidden') === true) return `${tool} hidden`;
    return typeof name === 'string' ? `${tool} → ${name}` : tool;
  });
  return named.join(', ') + (all.length > named.length ? ', …' : '');
}

/** Names an intercepted message: `→ tools/call echo`. */
function passing({
  direction,
  method,
  name,
  kind,
}: Pick<Interception, 'direction' | 'method' | 'name' | 'kind'>): string {
  const what = [method ?? kind ?? 'message', name].filter(Boolean).join(' ');
  return `${direction === 'to-server' ? '→' : '←'} ${what}`;
}

const AUTHORIZATION_LABELS = { needed: 'sign-in required', granted: 'authorized', 'signed-out': 'signed out' };

function formatInput(step: Extract<LifecycleEvent, { event: 'input' }>): string {
  if (step.phase === 'given') return `${step.key} was answered`;
  if (step.phase === 'given-up') return `none given, ${plain(step.reason)}`;
  return [step.keys?.join(', '), `needed by ${step.method}`].filter(Boolean).join(' ');
}

const PROFILE_PARTS: Readonly<Record<keyof ClientProfile, string>> = {
  as: 'the name of a host',
  capabilities: 'capabilities',
  info: 'client info',
  meta: '_meta',
  timeouts: 'timeouts',
  protocol: 'protocol version',
  answersRoots: 'answers to roots/list',
  postsBecomeGets: 'redirects of POST',
};

/** Names the settings that differ from their defaults. A recording may have anything there. */
function formatProfile(profile: unknown): string {
  const given = Object.entries(PROFILE_PARTS).filter(([key]) => isObject(profile) && Object.hasOwn(profile, key));
  return given.map(([, words]) => words).join(', ') || 'all defaults';
}

/**
 * Returns the start of the first line that is not blank, without ANSI colours; '' if there is none in the first bytes.
 */
export function previewText(bytes: Uint8Array): string {
  const start = withoutAnsi(decodeLossy(bytes.subarray(0, PREVIEW_BYTES)));
  return cut(start.trimStart().split(/[\r\n]/, 1)[0]!);
}

/** Names an event of a chat with its tool or text: `call: search`. For anything else, returns its first line. */
export function formatChatEvent(bytes: Uint8Array): string {
  const event = partialMembers(decodeLossy(bytes));
  const type = memberText(event.get('type'));
  if (type === undefined) return previewText(bytes);
  const part = ['result', 'decision', 'call'].map((name) => event.get(name)).find((json) => json?.startsWith('{'));
  const about = part === undefined ? event : partialMembers(part);
  const text = memberText(['name', 'kind', 'text', 'tool', 'reason'].map((name) => about.get(name)).find(Boolean));
  return previewLine(text === undefined ? type : `${type}: ${text}`);
}

/**
 * Names a message between an app and its host: its method, or the request that it answers. For anything else, returns
 * its first line.
 */
export function formatAppMessage(bytes: Uint8Array): string {
  const message = partialMembers(decodeLossy(bytes));
  const method = memberText(message.get('method'));
  if (method !== undefined) {
    const params = message.get('params');
    const name = params?.startsWith('{') ? partialMembers(params) : undefined;
    const about = memberText(['name', 'uri', 'url', 'mode'].map((key) => name?.get(key)).find(Boolean));
    return previewLine(about === undefined ? method : `${method} ${about}`);
  }
  const id = message.get('id');
  const kind = ['result', 'error'].find((key) => message.has(key));
  return id === undefined || kind === undefined ? previewText(bytes) : previewLine(`${kind} of request ${id}`);
}

/** Removes the backticks around code in a sentence of ours. In a row, all text is code. */
function plain(sentence: unknown): string {
  return String(sentence).replace(/`([^`]*)`/g, '$1');
}

/** Formats a lifecycle frame for a row. */
export function formatLifecycle(text: string): string {
  const event = toLifecycleEvent(text);
  if (!event) return cut(text);
  if (event.event === 'missing') return formatMissing(event);
  const name = Object.hasOwn(LIFECYCLE_NAMES, event.event) ? LIFECYCLE_NAMES[event.event] : undefined;
  const word = name ?? event.event.replaceAll('-', ' ');
  const detail = Object.hasOwn(LIFECYCLE_DETAILS, event.event)
    ? LIFECYCLE_DETAILS[event.event]?.(event as never)
    : undefined;
  return cut(detail ? `${word}: ${detail}` : word);
}

/** Shortens text to one line for a row. */
export function previewLine(text: string): string {
  return cut(text.slice(0, 2 * PREVIEW_CHARS).replace(/\s+/g, ' '));
}

function cut(line: string): string {
  return line.length > PREVIEW_CHARS ? `${line.slice(0, PREVIEW_CHARS)}…` : line.trimEnd();
}

/** Member names of pino, bunyan, winston, zap, structlog, Serilog and Python loggers. */
const LEVEL = ['level', 'severity', 'levelname', 'lvl', '@l'];
const LOGGER = ['logger', 'name', 'module'];
const MESSAGE = ['msg', 'message', 'event', '@m', '@mt'];

/** Numeric levels of pino and bunyan. */
const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['10', 'trace'],
  ['20', 'debug'],
  ['30', 'info'],
  ['40', 'warn'],
  ['50', 'error'],
  ['60', 'fatal'],
]);

/** Formats a line of stderr: level, logger and message of JSON logs (`info http: listening`), otherwise its text. */
export function formatStderr(bytes: Uint8Array): string {
  const logged = formatJsonLog(bytes);
  if (logged !== undefined) return logged;
  const start = withoutAnsi(decodeLossy(bytes.subarray(0, PREVIEW_BYTES)));
  // The indentation of a traceback tells its lines apart.
  return cut(start.replace(/^\s*[\r\n]\s*/, '').split(/[\r\n]/, 1)[0]!);
}

function formatJsonLog(bytes: Uint8Array): string | undefined {
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

/** Formats a gap in a recording. Without facts, formats a later frame of a gap, which the first frame describes. */
export function formatMissing({ frames, lines = 0, line, folded }: Partial<MissingFacts>): string {
  if (frames === undefined) return 'This frame is missing too.';
  const are = frames === 1 ? '1 frame is' : `${frames.toLocaleString('en-US')} frames are`;
  const which = lines === 1 ? `Line ${line} is` : `${lines.toLocaleString('en-US')} lines from line ${line} on are`;
  const renumbered = folded ? ' From here on, frame numbers are lower than in the file.' : '';
  return `${lines > 0 ? `${which} damaged. ` : ''}${are} missing here.${renumbered}`;
}

/** Formats why a connection is closed: "you disconnected". A reason of a later version stays as written. */
export function formatClosingReason(reason: string): string {
  return Object.hasOwn(CLOSING_REASONS, reason) ? CLOSING_REASONS[reason as keyof typeof CLOSING_REASONS] : reason;
}

/** Formats the event that auto mode's probe was not answered in time. */
export function formatSilentProbe(afterMs: number): string {
  return `No response to server/discover for ${afterMs / 1000} s, so mcp-inspect also sends initialize, which older servers know.`;
}

/** Explains why auto mode started a server of this era twice. */
export function formatStartedTwice(era: Era): string {
  const why =
    era === 'legacy'
      ? 'it exited before it answered server/discover, as older servers may do, so mcp-inspect started it again with initialize alone'
      : 'it had also received initialize, so mcp-inspect started it again with server/discover alone';
  return `The server was started twice: ${why}.`;
}
