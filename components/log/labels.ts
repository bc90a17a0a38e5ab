import type { Severity as ProblemSeverity } from '@/lib/problems/rule';
import { formatMissing, formatSilentProbe } from '@/lib/store/rows/labels';
import type { Row, Status } from '@/lib/store/rows/row';
import { STATUS_LABELS, statusText } from '@/lib/store/rows/row-text';
import { isInsecure, type Severity } from '@/lib/store/rows/severity';
import type { TimeSpan } from '@/lib/store/rows/time-span';
import { type Root, rootsIn } from '@/lib/wire/connection-settings';
import { formatCount, formatDuration, formatTime } from '@/lib/wire/format';
import { type AuthorizationStep, type InputStep, type LifecycleEvent, validLifecycleEvent } from '@/lib/wire/lifecycle';

/** How a row's direction is shown: a glyph for the eye, words for everybody, a colour that means the same. */
interface DirectionLabel {
  readonly glyph: string;
  readonly words: string;
  readonly colour: string;
}

/** What a row's glyph and tint depend on. */
type RowNature = Pick<Row, 'kind' | 'direction' | 'severity'>;

const TO_SERVER: DirectionLabel = { glyph: '→', words: 'to server', colour: 'text-to-server' };
const TO_CLIENT: DirectionLabel = { glyph: '←', words: 'to client', colour: 'text-to-client' };

const BY_KIND: Partial<Record<Row['kind'], DirectionLabel>> = {
  junk: { glyph: '!', words: 'not a message', colour: 'text-error' },
  stderr: { glyph: '≡', words: 'stderr', colour: 'text-muted' },
  note: { glyph: '✎', words: 'note', colour: 'text-muted' },
  lifecycle: { glyph: '●', words: 'connection', colour: 'text-notify' },
};

const HTTP: Readonly<Record<Row['direction'], DirectionLabel>> = {
  'to-server': { glyph: '→', words: 'HTTP, to server', colour: 'text-muted' },
  'to-client': { glyph: '←', words: 'HTTP, to client', colour: 'text-muted' },
};

const HTTP_BY_SEVERITY: Readonly<Record<Severity, DirectionLabel>> = {
  warn: { glyph: '!', words: 'HTTP, warning', colour: 'text-warn' },
  error: { glyph: '×', words: 'HTTP, error', colour: 'text-error' },
};

const BY_SEVERITY: Readonly<Record<Severity, DirectionLabel>> = {
  warn: { glyph: '!', words: 'connection, warning', colour: 'text-warn' },
  error: { glyph: '×', words: 'connection, error', colour: 'text-error' },
};

/** Glyph, words and colour for where a row went. What the user sent stays `to server`, junk or not. */
export function directionLabel({ kind, direction, severity }: RowNature): DirectionLabel {
  if (kind === 'junk' && direction === 'to-server') return { ...TO_SERVER, words: 'to server, not a message' };
  if (kind === 'http') return severity ? HTTP_BY_SEVERITY[severity] : HTTP[direction];
  if (severity) return BY_SEVERITY[severity];
  return BY_KIND[kind] ?? (direction === 'to-server' ? TO_SERVER : TO_CLIENT);
}

interface StatusLabel {
  readonly words: string;
  readonly colour: string;
}

const STATUS_COLOUR: Readonly<Record<Status, string>> = {
  pending: 'text-muted',
  ok: 'text-ok',
  error: 'text-error',
  'tool-error': 'text-error',
  cancelled: 'text-warn',
  timeout: 'text-error',
  lost: 'text-error',
  refused: 'text-muted',
};

/** A status in words and its colour. */
export function rowStatusLabel(status: Status): StatusLabel {
  return { words: STATUS_LABELS[status], colour: STATUS_COLOUR[status] };
}

/** What the column Status shows of a row, and its colour; undefined for nothing. */
export function rowStatus(row: Pick<Row, 'status' | 'http' | 'unmatched'>): StatusLabel | undefined {
  const { status, http } = row;
  const words = statusText(row);
  if (words === undefined) return undefined;
  if (status === 'pending' && row.unmatched !== undefined) return { words, colour: 'text-warn' };
  return { words, colour: status ? STATUS_COLOUR[status] : httpColour(http) };
}

function httpColour(http: Row['http']): string {
  if (http?.status === undefined) return http?.ended ? 'text-error' : STATUS_COLOUR.pending;
  if (http.status < 300) return 'text-ok';
  if (http.severity) return http.severity === 'error' ? 'text-error' : 'text-warn';
  return 'text-muted';
}

const BAD: ReadonlySet<Status | undefined> = new Set<Status>(['error', 'tool-error', 'timeout', 'lost']);

/** The background that shows a row's outcome, or else that the rules found an error in it; '' for an ordinary one. */
export function rowTint(row: Pick<Row, 'kind' | 'status' | 'severity'>, problem?: ProblemSeverity): string {
  return outcomeTint(row) || (problem === 'error' ? 'bg-error/5' : '');
}

function outcomeTint({ kind, status, severity }: Pick<Row, 'kind' | 'status' | 'severity'>): string {
  if (status === 'refused') return '';
  if (kind === 'junk' || kind === 'error' || severity === 'error' || BAD.has(status)) return 'bg-error/8';
  if (severity === 'warn' || status === 'cancelled') return 'bg-warn/8';
  return kind === 'lifecycle' ? 'bg-notify/6' : '';
}

/** What the waterfall shows of a row, in words. */
export function spanLabel({ whole, parts, asked, ticks, at }: TimeSpan): string {
  if (at !== undefined) return whole?.to === at ? `end of ${stretchWords(whole)}` : `at ${formatTime(at)}`;
  const first = parts[0];
  if (!first) return '';
  const words = [stretchWords(whole ?? first)];
  if (first.status && first.to !== undefined) words.push(rowStatusLabel(first.status).words);
  if (parts.length > 1) words.push(`${parts.length} requests`);
  if (asked.length > 0) words.push(`asked by the server: ${formatCount(asked.length)}`);
  if (ticks.length > 0) words.push(`notifications: ${formatCount(ticks.length)}`);
  return words.join(', ');
}

function stretchWords({ from, to }: { readonly from: number; readonly to: number | undefined }): string {
  return to === undefined
    ? `in flight since ${formatTime(from)}`
    : `${formatDuration(to - from)} from ${formatTime(from)}`;
}

type LifecycleSentences = {
  readonly [N in LifecycleEvent['event']]: (event: Extract<LifecycleEvent, { event: N }>) => string;
};

const REASONS: Readonly<Record<Extract<LifecycleEvent, { event: 'closing' }>['reason'], string>> = {
  user: 'you disconnected',
  restart: 'you restarted it',
  'no-viewer': 'no page was open for the whole grace time',
  'page-gone': 'the page was closed or loaded again',
  shutdown: 'mcp-inspect is quitting',
  failure: 'the connection failed',
};

const LIFECYCLE_SENTENCES: LifecycleSentences = {
  start: (event) =>
    `The connection to ${event.name} begins (${'via' in event && event.via ? 'direct, ' : ''}${event.transport}, ${event.protocol === 'none' ? 'no handshake' : `protocol ${event.protocol}`}).${isInsecure(event) ? ' The server’s certificate is NOT verified.' : ''}`,
  fallback: (event) => `HTTP+SSE is tried instead of Streamable HTTP. ${event.reason}`,
  'look-further': (event) =>
    event.where === 'loopback'
      ? 'You look further: the other loopback address is asked.'
      : 'You look further: neighbouring addresses of the same server are asked.',
  'session-lost': ({ reason }) =>
    `${reason === undefined ? '' : `${reason} `}The server has forgotten the session, so a new one is opened.`,
  unreachable: ({ message, advice }) => `The server is unreachable. ${message} ${advice} mcp-inspect keeps trying.`,
  reachable: ({ attempts }) => `The server is reachable again${attemptWords(attempts)}.`,
  authorization: authorizationWords,
  spawned: (event) => `The server process runs, pid ${event.pid}.`,
  probe: (event) =>
    `The server speaks the ${event.era} era: ${event.reason}${event.respawn ? ' It is started again.' : ''}`,
  'era-remembered': ({ era, at }) =>
    `An earlier run found the ${era} era (${at.slice(0, 16).replace('T', ' ')} UTC), so ${era === 'modern' ? 'only server/discover is sent' : 'initialize is sent without a probe'}.`,
  'era-forgotten': ({ reason }) => `The remembered era was wrong: ${reason} Our probe server/discover is sent now.`,
  'probe-silent': ({ afterMs }) => formatSilentProbe(afterMs),
  open: ({ era, version }) =>
    version === undefined
      ? 'The connection is open without a handshake: mcp-inspect sends nothing by itself.'
      : `The connection is open: version ${version}, ${era} era.`,
  'handshake-failed': ({ message, advice }) => `${message} ${advice} Raw messages can still be sent.`,
  timeout: (event) => `No answer to ${event.method} (id ${JSON.stringify(event.id)}) within ${event.afterMs} ms.`,
  retry: (event) => `${event.method} (id ${JSON.stringify(event.id)}) is sent again: ${event.reason}`,
  input: (event) => `${inputWords(event)} (${event.method}, id ${JSON.stringify(event.id)}).`,
  roots: ({ roots }) => rootsWords(rootsIn(roots)),
  closing: (event) => `The connection is being closed: ${REASONS[event.reason] ?? event.reason}.`,
  rung: (event) =>
    event.rung === 'stdin-end' ? 'Its stdin was closed, so that the server can leave.' : `${event.rung} was sent.`,
  exit: (event) => `The server exited ${exitText(event)}.`,
  'output-held': (event) => event.message,
  'spill-failed': (event) => event.message,
  'recording-failed': (event) => event.message,
  failed: (event) => `${event.message} ${event.advice}`,
  note: ({ on, text, bookmark }) =>
    text === '' && !bookmark
      ? `The note on #${on} is taken back.`
      : `${bookmark ? 'Bookmark' : 'Note'} on #${on}${text === '' ? '.' : `: ${text}`}`,
  about: ({ name, text }) =>
    name === '' && text === ''
      ? 'The recording has the name of its server again.'
      : `The recording is called ${JSON.stringify(name)}${text === '' ? '.' : `: ${text}`}`,
  'recording-ends': () => 'The recording ends here: what came after is not in it.',
  missing: formatMissing,
  closed: () => 'The connection is closed.',
};

function attemptWords(attempts: number): string {
  if (attempts === 0) return '';
  return attempts === 1 ? ', after 1 attempt' : `, after ${attempts} attempts`;
}

const GRANTED_WORDS = {
  'sign-in': 'You are signed in at',
  refresh: 'The token was renewed by',
  earlier: 'You have been signed in before at',
};

function rootsWords(roots: readonly Root[]): string {
  if (roots.length === 0) return 'The server is told of no roots.';
  const told = roots.length === 1 ? 'this root' : `these ${roots.length} roots`;
  return `The server is told of ${told}: ${roots.map(({ uri }) => uri).join(', ')}`;
}

function inputWords(step: InputStep): string {
  if (step.phase === 'given') return `${JSON.stringify(step.key)} was answered`;
  if (step.phase === 'given-up') return `The input is not given: ${step.reason}`;
  return 'The server asks for input first, so a person is asked';
}

function authorizationWords(step: AuthorizationStep): string {
  switch (step.phase) {
    case 'needed':
      return `The server wants you to sign in at ${step.issuer}${forScopes(step.scopes)}.`;
    case 'granted':
      return `${GRANTED_WORDS[step.by] ?? 'A token came from'} ${step.issuer}${forScopes(step.scopes)}.`;
    case 'refused':
      return `${step.message} ${step.advice}`;
    case 'signed-out':
      return 'You signed out: the tokens for this server are forgotten.';
    default:
      return 'Authorization went on.';
  }
}

function forScopes(scopes: readonly string[]): string {
  return scopes.length === 0 ? '' : `, for ${scopes.join(' ')}`;
}

/** How a process ended: "with code 1", "by SIGTERM". */
export function exitText({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string {
  if (signal !== null) return `by ${signal}`;
  return code === null ? 'for an unknown reason' : `with code ${code}`;
}

/** A lifecycle frame as a sentence; undefined if it is an event that this version doesn't know. */
export function lifecycleSentence(event: LifecycleEvent): string | undefined {
  // A recording is whatever somebody wrote.
  if (!validLifecycleEvent(event) || !Object.hasOwn(LIFECYCLE_SENTENCES, event.event)) return undefined;
  // The table is keyed by the same union, which TypeScript can't follow through an index.
  return (LIFECYCLE_SENTENCES[event.event] as (event: LifecycleEvent) => string)(event);
}
