import type { Severity as ProblemSeverity } from '@/lib/problems/rule';
import type { Severity } from '@/lib/store/lifecycle-severity';
import type { Row, Status } from '@/lib/store/row';
import { STATUS_WORDS, statusText } from '@/lib/store/row-words';

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

interface StatusWords {
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
export function statusWords(status: Status): StatusWords {
  return { words: STATUS_WORDS[status], colour: STATUS_COLOUR[status] };
}

/** What the column Status shows of a row, and its colour; undefined for nothing. */
export function rowStatus(row: Pick<Row, 'status' | 'http' | 'unmatched'>): StatusWords | undefined {
  const { status, http } = row;
  const words = statusText(row);
  if (words === undefined) return undefined;
  if (status === 'pending' && row.unmatched !== undefined) return { words, colour: 'text-warn' };
  return { words, colour: status ? STATUS_COLOUR[status] : httpColour(http) };
}

function httpColour(http: Row['http']): string {
  if (http?.status === undefined) return http?.over ? 'text-error' : STATUS_COLOUR.pending;
  if (http.status < 300) return 'text-ok';
  if (http.bad) return http.bad === 'error' ? 'text-error' : 'text-warn';
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
