import type { Severity } from '@/lib/store/lifecycle-severity';
import type { Row, Status } from '@/lib/store/row';

/** How a row's direction is shown: a glyph for the eye, words for everybody, a colour that means the same. */
interface DirectionWords {
  readonly glyph: string;
  readonly words: string;
  readonly colour: string;
}

/** What a row's glyph and tint depend on. */
type RowNature = Pick<Row, 'kind' | 'direction' | 'severity'>;

const TO_SERVER: DirectionWords = { glyph: '→', words: 'to server', colour: 'text-to-server' };
const TO_CLIENT: DirectionWords = { glyph: '←', words: 'to client', colour: 'text-to-client' };

const BY_KIND: Partial<Record<Row['kind'], DirectionWords>> = {
  junk: { glyph: '!', words: 'not a message', colour: 'text-error' },
  stderr: { glyph: '≡', words: 'stderr', colour: 'text-muted' },
  note: { glyph: '✎', words: 'note', colour: 'text-muted' },
  lifecycle: { glyph: '●', words: 'connection', colour: 'text-notify' },
};

const HTTP: Readonly<Record<Row['direction'], DirectionWords>> = {
  'to-server': { glyph: '→', words: 'HTTP, to server', colour: 'text-muted' },
  'to-client': { glyph: '←', words: 'HTTP, to client', colour: 'text-muted' },
};

const HTTP_BY_SEVERITY: Readonly<Record<Severity, DirectionWords>> = {
  warn: { glyph: '!', words: 'HTTP, warning', colour: 'text-warn' },
  error: { glyph: '×', words: 'HTTP, error', colour: 'text-error' },
};

const BY_SEVERITY: Readonly<Record<Severity, DirectionWords>> = {
  warn: { glyph: '!', words: 'connection, warning', colour: 'text-warn' },
  error: { glyph: '×', words: 'connection, error', colour: 'text-error' },
};

/** Glyph, words and colour for where a row went. What the user sent stays `to server`, junk or not. */
export function directionWords({ kind, direction, severity }: RowNature): DirectionWords {
  if (kind === 'junk' && direction === 'to-server') return { ...TO_SERVER, words: 'to server, not a message' };
  if (kind === 'http') return severity ? HTTP_BY_SEVERITY[severity] : HTTP[direction];
  if (severity) return BY_SEVERITY[severity];
  return BY_KIND[kind] ?? (direction === 'to-server' ? TO_SERVER : TO_CLIENT);
}

/** A row in words: what it is, then what it is about. `about` is a server's text. */
export function messageWords(
  row: Pick<Row, 'kind' | 'method' | 'name' | 'direction'> & Partial<Pick<Row, 'says' | 'status' | 'http'>>,
): {
  readonly what: string;
  readonly about: string | undefined;
} {
  switch (row.kind) {
    case 'response':
      return { what: 'result', about: answerAbout(row) };
    case 'error':
      if (row.status === 'refused') return { what: 'refused', about: refusalWords(row.method) };
      return { what: 'error', about: answerAbout(row) };
    case 'request':
    case 'notification':
      return { what: row.method ?? row.kind, about: row.says || row.name };
    case 'junk':
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

/** An answer has its request's method; without one it is nobody's. */
function answerAbout({ name, method }: Pick<Row, 'name' | 'method'>): string {
  return name ?? method ?? 'answers no request';
}

/** Auto mode asks in the newest way first; servers that are older refuse, and nothing is wrong. */
function refusalWords(method: string | undefined): string {
  return method === 'initialize'
    ? 'no Streamable HTTP here: initialize was refused, as expected'
    : 'legacy server: the probe was refused, as expected';
}

function httpAbout(http: Row['http']): string | undefined {
  if (!http?.expected) return http?.about;
  return http.about === undefined ? 'refused, as expected' : `${http.about} · refused, as expected`;
}

/** The status of an HTTP answer in a row of its exchange, and its colour; undefined for rows that have none. */
export function httpStatusWords({ http }: Pick<Row, 'http'>): StatusWords | undefined {
  if (!http || (http.kind !== 'request' && http.kind !== 'response')) return undefined;
  if (http.status === undefined) return http.over ? { words: 'failed', colour: 'text-error' } : STATUS_WORDS.pending;
  const words = String(http.status);
  if (http.status < 300) return { words, colour: 'text-ok' };
  if (http.bad) return { words, colour: http.bad === 'error' ? 'text-error' : 'text-warn' };
  return { words, colour: 'text-muted' };
}

interface StatusWords {
  readonly words: string;
  readonly colour: string;
}

const STATUS_WORDS: Record<Status, StatusWords> = {
  pending: { words: 'pending', colour: 'text-muted' },
  ok: { words: 'ok', colour: 'text-ok' },
  error: { words: 'error', colour: 'text-error' },
  'tool-error': { words: 'isError', colour: 'text-error' },
  cancelled: { words: 'cancelled', colour: 'text-warn' },
  timeout: { words: 'timeout', colour: 'text-error' },
  lost: { words: 'no answer', colour: 'text-error' },
  refused: { words: 'refused', colour: 'text-muted' },
};

/** A status in words and its colour. */
export function statusWords(status: Status): StatusWords {
  return STATUS_WORDS[status];
}

const BAD: ReadonlySet<Status | undefined> = new Set<Status>(['error', 'tool-error', 'timeout', 'lost']);

/** The background that shows a row's outcome; '' for an ordinary one. */
export function rowTint({ kind, status, severity }: Pick<Row, 'kind' | 'status' | 'severity'>): string {
  if (status === 'refused') return '';
  if (kind === 'junk' || kind === 'error' || severity === 'error' || BAD.has(status)) return 'bg-error/8';
  if (severity === 'warn' || status === 'cancelled') return 'bg-warn/8';
  if (kind === 'lifecycle') return 'bg-notify/6';
  return '';
}
