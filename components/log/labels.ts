import type { InvalidResult } from '@/lib/problems/invalid-result';
import type { Severity as ProblemSeverity } from '@/lib/problems/rule';
import type { Row, RowStatus } from '@/lib/store/rows/row';
import { APP_WORDS, STATUS_LABELS, statusText } from '@/lib/store/rows/row-text';
import type { RowSeverity } from '@/lib/store/rows/severity';
import { isQuietSubscription, type TimeInterval, type TimeSpan } from '@/lib/store/rows/time-span';
import { formatCount, formatDuration } from '@/lib/wire/format';

/** How a row's direction is shown. Only failures have a colour. */
interface DirectionLabel {
  readonly glyph: string;
  readonly words: string;
  readonly colour: string;
}

const TO_SERVER: DirectionLabel = { glyph: '→', words: 'to server', colour: 'text-muted' };
const TO_CLIENT: DirectionLabel = { glyph: '←', words: 'to client', colour: 'text-muted' };

const BY_KIND: Partial<Record<Row['kind'], DirectionLabel>> = {
  junk: { glyph: '!', words: 'not a message', colour: 'text-error' },
  stderr: { glyph: '≡', words: 'stderr', colour: 'text-muted' },
  note: { glyph: '✎', words: 'note', colour: 'text-muted' },
  lifecycle: { glyph: '●', words: 'connection', colour: 'text-muted' },
};

const HTTP: Readonly<Record<Row['direction'], DirectionLabel>> = {
  'to-server': { glyph: '→', words: 'HTTP, to server', colour: 'text-muted' },
  'to-client': { glyph: '←', words: 'HTTP, to client', colour: 'text-muted' },
};

const OTHER: Readonly<Record<Row['direction'], DirectionLabel>> = {
  'to-server': { ...TO_SERVER, words: 'to server, not a message' },
  'to-client': { ...TO_CLIENT, words: 'to client, not a message' },
};

const TELEMETRY: DirectionLabel = { glyph: '◇', words: 'telemetry', colour: 'text-muted' };

const HTTP_BY_SEVERITY: Readonly<Record<RowSeverity, DirectionLabel>> = {
  warn: { glyph: '!', words: 'HTTP, warning', colour: 'text-warn' },
  error: { glyph: '×', words: 'HTTP, error', colour: 'text-error' },
};

const BY_SEVERITY: Readonly<Record<RowSeverity, DirectionLabel>> = {
  warn: { glyph: '!', words: 'connection, warning', colour: 'text-warn' },
  error: { glyph: '×', words: 'connection, error', colour: 'text-error' },
};

const INTERCEPTED: Readonly<Record<Row['direction'], DirectionLabel>> = {
  'to-server': { glyph: '⇥', words: 'to server, but not passed on like this', colour: 'text-warn' },
  'to-client': { glyph: '⇤', words: 'to client, but not passed on like this', colour: 'text-warn' },
};

const APP: Readonly<Record<Row['direction'], DirectionLabel>> = {
  'to-server': { ...TO_SERVER, words: APP_WORDS['to-server'] },
  'to-client': { ...TO_CLIENT, words: APP_WORDS['to-client'] },
};

/** Returns glyph, words and colour for a row's direction. Junk sent by the user still counts as `to server`. */
export function directionLabel({
  kind,
  direction,
  severity,
  channel,
}: Pick<Row, 'kind' | 'direction' | 'severity'> & Partial<Pick<Row, 'channel'>>): DirectionLabel {
  if (kind === 'junk' && direction === 'to-server') return OTHER['to-server'];
  if (channel === 'intercept') return INTERCEPTED[direction];
  if (channel === 'otel') return TELEMETRY;
  if (channel === 'app') return APP[direction];
  if (kind === 'other') return OTHER[direction];
  if (kind === 'http') return severity ? HTTP_BY_SEVERITY[severity] : HTTP[direction];
  if (severity) return BY_SEVERITY[severity];
  return BY_KIND[kind] ?? (direction === 'to-server' ? TO_SERVER : TO_CLIENT);
}

const LEVEL_TONES: Readonly<Record<string, string>> = {
  debug: 'text-muted',
  warning: 'text-warn',
  error: 'text-error',
  critical: 'text-error font-medium',
  alert: 'text-error font-medium',
  emergency: 'text-error font-medium',
};

/** Returns the class of a log level's colour, which only repeats what the word says. '' for info, notice and others. */
export function levelTone(level: string): string {
  return Object.hasOwn(LEVEL_TONES, level) ? LEVEL_TONES[level]! : '';
}

interface StatusLabel {
  readonly words: string;
  readonly colour: string;
}

const STATUS_COLOUR: Readonly<Record<RowStatus, string>> = {
  pending: 'text-accent',
  ok: 'text-muted',
  error: 'text-error',
  'tool-error': 'text-error',
  cancelled: 'text-warn',
  timeout: 'text-error',
  lost: 'text-error',
  refused: 'text-muted',
};

export function rowStatusLabel(status: RowStatus): StatusLabel {
  return { words: STATUS_LABELS[status], colour: STATUS_COLOUR[status] };
}

/** Returns a row as it is shown: a result that breaks its schema is an error. */
export function shownRow(row: Row, invalid: InvalidResult | undefined): Row {
  return invalid && row.status === 'ok' ? { ...row, status: 'error' } : row;
}

/** Returns the outcome of a row's exchange; undefined if it has none. A subscription has no colour until it fails. */
export function rowStatus(
  row: Pick<Row, 'status' | 'http' | 'unmatched' | 'refusedWith'> & Partial<Pick<Row, 'method'>>,
): StatusLabel | undefined {
  const { status, http } = row;
  const words = statusText(row);
  if (words === undefined) return undefined;
  if (status === 'pending' && row.unmatched !== undefined) return { words, colour: 'text-warn' };
  if (isQuietSubscription(row)) return { words, colour: 'text-muted' };
  return { words, colour: status ? STATUS_COLOUR[status] : httpColour(http) };
}

function httpColour(http: Row['http']): string {
  if (http?.status === undefined) return http?.ended ? 'text-error' : STATUS_COLOUR.pending;
  if (http.severity) return http.severity === 'error' ? 'text-error' : 'text-warn';
  return 'text-muted';
}

const BAD: ReadonlySet<RowStatus | undefined> = new Set<RowStatus>(['error', 'tool-error', 'timeout', 'lost']);

/**
 * Returns the class of a row's background, which shows a bad outcome or an error found by the rules. '' for other rows.
 */
export function rowTint(
  row: Pick<Row, 'kind' | 'status' | 'severity'> & Partial<Pick<Row, 'method'>>,
  problem?: ProblemSeverity,
): string {
  return (isQuietSubscription(row) ? '' : outcomeTint(row)) || (problem === 'error' ? 'bg-error/5' : '');
}

function outcomeTint({ kind, status, severity }: Pick<Row, 'kind' | 'status' | 'severity'>): string {
  if (status === 'refused') return '';
  if (kind === 'junk' || kind === 'error' || severity === 'error' || BAD.has(status)) return 'bg-error/8';
  return severity === 'warn' || status === 'cancelled' ? 'bg-warn/8' : '';
}

/** Describes in words what the waterfall draws for a row. `time` formats a time of the log. */
export function spanLabel({ whole, parts, asked, ticks, at }: TimeSpan, time: (us: number) => string): string {
  if (at !== undefined) return whole?.to === at ? `end of ${intervalLabel(whole, time)}` : `at ${time(at)}`;
  const first = parts[0];
  if (!first) return '';
  const words = [intervalLabel(whole ?? first, time)];
  if (first.status && first.to !== undefined) words.push(rowStatusLabel(first.status).words);
  if (parts.length > 1) words.push(`${parts.length} requests`);
  if (asked.length > 0) words.push(`requests from the server: ${formatCount(asked.length)}`);
  if (ticks.length > 0) words.push(`notifications: ${formatCount(ticks.length)}`);
  return words.join(', ');
}

function intervalLabel({ from, to }: TimeInterval, time: (us: number) => string): string {
  return to === undefined
    ? `${STATUS_LABELS.pending} since ${time(from)}`
    : `${formatDuration(to - from)} from ${time(from)}`;
}
