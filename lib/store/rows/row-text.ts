import { PROBE_ID } from '@/lib/mcp/requests';
import type { Row, Status } from './row';

/** What of a row its words depend on. */
export type LabelledRow = Pick<Row, 'kind' | 'method' | 'name'> &
  Partial<Pick<Row, 'seq' | 'says' | 'status' | 'http' | 'id' | 'peer' | 'repeats' | 'unmatched' | 'printed'>>;

/** A row in words: what it is, then what it is about. `about` is a server's text. */
export function rowLabel(row: LabelledRow): { readonly what: string; readonly about: string | undefined } {
  switch (row.kind) {
    case 'response':
      return { what: 'result', about: answerAbout(row) };
    case 'error':
      if (row.status === 'refused') return { what: 'refused', about: refusalWords(row.method) };
      return { what: 'error', about: answerAbout(row) };
    case 'request':
      return { what: row.method ?? row.kind, about: isProbe(row) ? PROBE_WORDS : row.says || row.name };
    case 'notification':
      return { what: row.method ?? row.kind, about: row.says || row.name };
    case 'junk':
      if (isPrinted(row)) return { what: `printed over ${row.printed!.lines.length} lines:`, about: row.name };
      return { what: 'not a message:', about: row.name === '' ? 'a blank line' : row.name };
    case 'lifecycle':
    case 'note':
      return { what: row.name ?? 'connection', about: undefined };
    case 'http':
      return { what: row.http?.what ?? 'HTTP', about: httpAbout(row.http) };
    default:
      return { what: row.kind, about: row.name };
  }
}

/** True for the row that stands for an object printed over several lines: that of its first line. */
export function isPrinted({ seq, printed }: Pick<LabelledRow, 'seq' | 'printed'>): boolean {
  return printed !== undefined && printed.lines[0] === seq;
}

/** seq of the frame that goes with it: the answer, the request, or what looks like that. */
export function otherHalf({ peer, unmatched }: Pick<Row, 'peer' | 'unmatched'>): number | undefined {
  return peer ?? unmatched;
}

/** Bytes of what a row stands for: its frame, or all lines of a printed object. */
export function wholeSize(row: Pick<Row, 'seq' | 'bytes' | 'printed'>): number {
  return isPrinted(row) ? row.printed!.bytes : row.bytes;
}

/** An answer has its request's method; without one it is nobody's, and without an id it doesn't say whose. */
function answerAbout({ name, method, id, peer, repeats }: LabelledRow): string {
  const about = name ?? method;
  if (about === undefined) return id === undefined || id === null ? 'names no request' : 'answers no request';
  return repeats ? `${about} · second answer to #${peer}` : about;
}

const PROBE_WORDS = 'probe by mcp-inspect';

/** True for auto mode's own question, which no client of the server's asks. */
function isProbe({ method, id }: LabelledRow): boolean {
  return method === 'server/discover' && id === PROBE_ID;
}

/** Older servers refuse auto mode's first request, and restarted ones refuse the old session. Neither is an error. */
function refusalWords(method: string | undefined): string {
  if (method === undefined) return 'the stream was not opened again';
  return PROBES.get(method) ?? 'the session was lost';
}

const PROBES: ReadonlyMap<string, string> = new Map([
  ['initialize', 'initialize was refused, as expected'],
  ['server/discover', 'legacy server: the probe was refused, as expected'],
]);

function httpAbout(http: Row['http']): string | undefined {
  if (!http?.expected) return http?.about;
  return http.about === undefined ? 'refused, as expected' : `${http.about} · refused, as expected`;
}

/** How a request went, as the column Status says it. */
export const STATUS_LABELS: Readonly<Record<Status, string>> = {
  pending: 'pending',
  ok: 'ok',
  error: 'error',
  'tool-error': 'isError',
  cancelled: 'cancelled',
  timeout: 'timeout',
  lost: 'no answer',
  refused: 'refused',
};

/** What a row says in the column Status; undefined for nothing. Of an HTTP exchange the number of its answer. */
export function statusText({
  status,
  http,
  unmatched,
}: Pick<LabelledRow, 'status' | 'http' | 'unmatched'>): string | undefined {
  // Something came that looks like the answer.
  if (status === 'pending' && unmatched !== undefined) return 'unmatched';
  if (status) return STATUS_LABELS[status];
  if (!http || (http.kind !== 'request' && http.kind !== 'response')) return undefined;
  if (http.status === undefined) return http.over ? 'failed' : STATUS_LABELS.pending;
  return String(http.status);
}

/** All that a row says in words: its message and its status. */
export function rowText(row: LabelledRow): string {
  const { what, about } = rowLabel(row);
  return [what, about, statusText(row)].filter(Boolean).join(' ');
}
