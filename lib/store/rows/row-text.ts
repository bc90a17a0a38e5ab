import { PROBE_ID } from '@/lib/mcp/probe-id';
import type { Row, RowStatus } from './row';

/** The fields of a row that its label depends on. */
type LabelledRow = Pick<Row, 'kind' | 'method' | 'name'> &
  Partial<
    Pick<
      Row,
      | 'seq'
      | 'channel'
      | 'direction'
      | 'status'
      | 'refusedWith'
      | 'http'
      | 'id'
      | 'peer'
      | 'isSecondAnswer'
      | 'unmatched'
      | 'printed'
      | 'isTask'
      | 'intercepted'
    >
  >;

/** Returns a row's label: what it is, and what it is about. `about` is server text. */
export function rowLabel(row: LabelledRow): { readonly what: string; readonly about: string | undefined } {
  switch (row.kind) {
    case 'response':
      return { what: 'result', about: answerAbout(row) };
    case 'error':
      if (row.status === 'refused') return { what: 'refused', about: refusalLabel(row.method) };
      return { what: 'error', about: answerAbout(row) };
    case 'request':
      return { what: row.method ?? row.kind, about: isProbe(row) ? PROBE_LABEL : row.name };
    case 'notification':
      return { what: row.method ?? row.kind, about: row.name };
    case 'junk':
      if (isPrinted(row)) return { what: `printed over ${row.printed!.lines.length} lines:`, about: row.name };
      return { what: 'not a message:', about: row.name === '' ? 'a blank line' : row.name };
    case 'lifecycle':
    case 'note':
      return { what: row.name ?? 'connection', about: undefined };
    case 'http':
      return { what: row.http?.what ?? 'HTTP', about: httpAbout(row.http) };
    case 'other':
      return { what: interceptedLabel(row) ?? row.method ?? appLabel(row) ?? row.channel ?? row.kind, about: row.name };
    default:
      return { what: row.kind, about: row.name };
  }
}

/** The directions of messages between an app and the page, which is its host. */
export const APP_WORDS: Readonly<Record<Row['direction'], string>> = {
  'to-server': 'app → host',
  'to-client': 'host → app',
};

function appLabel({ channel, direction }: LabelledRow): string | undefined {
  return channel === 'app' && direction ? APP_WORDS[direction] : undefined;
}

/** Names the frame of a message that was not passed on as its sender sent it. */
function interceptedLabel({ channel, intercepted }: LabelledRow): string | undefined {
  if (channel !== 'intercept' || !intercepted) return undefined;
  return intercepted.event.withheld ? 'not passed on:' : 'as sent:';
}

/** True for the first line of a printed object, whose row represents the whole object. */
export function isPrinted({ seq, printed }: Pick<LabelledRow, 'seq' | 'printed'>): boolean {
  return printed !== undefined && printed.lines[0] === seq;
}

/** Returns the first frame and the number of frames that may share a row; undefined if this frame has its own. */
export function foldOf({ printed, equals }: Pick<Row, 'printed' | 'equals'>): Row['equals'] {
  return printed ? { first: printed.lines[0]!, count: printed.lines.length } : equals;
}

/** Returns the seq of the matching frame: response, request, or a possible one. */
export function otherHalf({ peer, unmatched }: Pick<Row, 'peer' | 'unmatched'>): number | undefined {
  return peer ?? unmatched;
}

/** Returns the size of what a row represents: a frame or a whole printed object. */
export function wholeSize(row: Pick<Row, 'seq' | 'bytes' | 'printed'>): number {
  return isPrinted(row) ? row.printed!.bytes : row.bytes;
}

/** Formats what a response is about: its request's name or method, or why it has none. */
function answerAbout({ name, method, id, peer, isSecondAnswer }: LabelledRow): string {
  // The request is named after the client, and the response is by the server.
  const about = method === 'initialize' ? method : (name ?? method);
  if (about === undefined) return id === undefined || id === null ? 'without an id' : 'no matching request';
  return isSecondAnswer ? `${about} · second response to #${peer}` : about;
}

const PROBE_LABEL = 'probe by mcp-inspect';

/** True for auto mode's probe, which other clients do not send. */
function isProbe({ method, id }: LabelledRow): boolean {
  return method === 'server/discover' && id === PROBE_ID;
}

/** Legacy servers refuse auto mode's probe, and restarted ones refuse the old session. Neither is an error. */
function refusalLabel(method: string | undefined): string {
  if (method === undefined) return 'the stream was not reopened';
  return PROBE_REFUSALS.get(method) ?? 'the session was lost';
}

const PROBE_REFUSALS: ReadonlyMap<string, string> = new Map([
  ['initialize', 'initialize was refused, as expected'],
  ['server/discover', 'no server/discover (legacy server)'],
]);

function httpAbout(http: Row['http']): string | undefined {
  if (!http?.expectedRefusal) return http?.about;
  return http.about === undefined ? 'refused, as expected' : `${http.about} · refused, as expected`;
}

/** The words for outcomes, in rows, details and results. */
export const STATUS_LABELS: Readonly<Record<RowStatus, string>> = {
  pending: 'in flight',
  ok: 'ok',
  error: 'error',
  'tool-error': 'isError',
  cancelled: 'cancelled',
  timeout: 'timed out',
  lost: 'no response',
  refused: 'refused',
};

/**
 * True for a request whose outcome is in the row of its response, where status and duration are shown. A request that
 * was given up keeps its own outcome, even if a response still comes, and so does a call that started a task.
 */
export function isSettledElsewhere({
  kind,
  status,
  peer,
  http,
  isTask,
}: Pick<LabelledRow, 'kind' | 'status' | 'peer' | 'http' | 'isTask'>): boolean {
  if (kind === 'http') return http?.kind === 'request' && http.status !== undefined;
  return kind === 'request' && peer !== undefined && !isTask && status !== 'cancelled' && status !== 'timeout';
}

/** Returns the outcome in words, if any: a label, or an HTTP status. */
export function statusText({
  status,
  refusedWith,
  http,
  unmatched,
}: Pick<LabelledRow, 'status' | 'refusedWith' | 'http' | 'unmatched'>): string | undefined {
  if (status === 'pending' && unmatched !== undefined) return 'unmatched';
  if (refusedWith !== undefined) return `HTTP ${refusedWith}`;
  if (status) return STATUS_LABELS[status];
  if (!http || (http.kind !== 'request' && http.kind !== 'response')) return undefined;
  if (http.status === undefined) return http.ended ? 'failed' : STATUS_LABELS.pending;
  return String(http.status);
}

/** Returns all text of a row: its label, the label of its status, and the HTTP status shown in its place. */
export function rowText(row: LabelledRow): string {
  const { what, about } = rowLabel(row);
  const status = row.refusedWith === undefined ? undefined : STATUS_LABELS.lost;
  const shown = isSettledElsewhere(row) ? undefined : statusText(row);
  return [what, about, status, shown].filter(Boolean).join(' ');
}
