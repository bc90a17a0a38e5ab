import { type ReactNode, useMemo, useState } from 'react';
import { Elapsed } from '@/components/exchange/elapsed';
import { classNames } from '@/components/ui/class-names';
import { Chevron } from '@/components/ui/icon';
import { plainSentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import type { FilterHits } from '@/lib/filter/hits';
import type { LogTimes } from '@/lib/hooks/times';
import type { Row } from '@/lib/store/rows/row';
import type { SortField } from '@/lib/store/rows/row-list';
import { foldOf, isPrinted, isSettledElsewhere, rowLabel, wholeSize } from '@/lib/store/rows/row-text';
import { formatBytes, formatCount, formatDuration } from '@/lib/wire/format';
import { METHOD } from '@/lib/wire/protocol-names';
import { directionLabel, levelTone, rowStatus } from '../labels';
import { hasHit, MarkedText } from './marked-text';

interface CellContext {
  readonly times: LogTimes;
  /** The log's clock in µs since the connection started. */
  readonly now: () => number;
  /** Content of the frame on one line. Server text. */
  readonly content: string | undefined;
  readonly hits: FilterHits;
  /** How far the row is indented, because it belongs to a request in an earlier row. 0 for others. */
  readonly nested: number;
  /** Shows or hides the frames that are folded into the row. */
  readonly fold: { readonly open: boolean; readonly toggle: () => void };
  readonly spanLabel: () => string;
  /** How the row's result breaks its schema, as a sentence. Server text. */
  readonly invalid: string | undefined;
  /** The columns beside this one. The message shows what the hidden ones would. */
  readonly shown: readonly LogColumn[];
}

export interface LogColumn {
  readonly id: ColumnId;
  readonly title: string;
  /** Initial width in px; undefined for the column that takes the remaining room. */
  readonly width: number | undefined;
  /** Initial width in CSS, if it depends on the width of the log. */
  readonly css?: string;
  /** Alignment, colour, and the width of the log below which the column is hidden. */
  readonly className: string;
  /** undefined if the column can't be sorted. */
  readonly sort: SortField | undefined;
  readonly cell: (row: Row, context: CellContext) => ReactNode;
  /** Shown on hover. */
  readonly hint?: (row: Row, context: CellContext) => string | undefined;
}

export type ColumnId = 'seq' | 'time' | 'direction' | 'message' | 'id' | 'status' | 'duration' | 'size' | 'waterfall';

/** Most characters of server text in a row. */
const MESSAGE_CHARACTERS = 300;

/** Returns the colour of a failure; its glyph says the same without colour. */
function severityColour({ severity }: Row): string | undefined {
  return severity && (severity === 'error' ? 'text-error' : 'text-warn');
}

/** Kinds of rows that are not protocol messages, drawn in muted text. */
const MUTED: ReadonlySet<Row['kind']> = new Set(['stderr', 'http', 'note', 'other']);

/** The log's columns, left to right. */
export const COLUMNS: readonly LogColumn[] = [
  { id: 'seq', title: '#', width: 48, className: 'text-right text-muted', sort: 'seq', cell: (row) => row.seq },
  {
    id: 'time',
    title: 'Time',
    width: 90,
    className: 'text-right text-muted @max-[600px]:hidden',
    sort: 'seq',
    cell: (row, { times }) => times.shown(row.time),
    hint: (row, { times }) => times.other(row.time),
  },
  {
    id: 'direction',
    title: 'Dir',
    width: 20,
    className: 'text-center',
    sort: 'direction',
    cell: (row) => <DirectionGlyph row={row} />,
  },
  {
    id: 'message',
    title: 'Message',
    width: undefined,
    className: 'flex min-w-0 flex-1',
    sort: 'message',
    cell: (row, { nested, fold, content: preview, hits, invalid, shown }) => {
      const { what, about: name } = rowLabel(row);
      // The preview of a log message starts with its level, which has a colour.
      const hasLevel = row.method === METHOD.log || (row.kind === 'other' && row.method === 'log');
      const content =
        hasLevel && name && preview?.startsWith(name) ? preview.slice(name.length).replace(/^ · /, '') : preview;
      const [inWhat, inName, inContent] = [
        hits.inLabel(what.slice(0, MESSAGE_CHARACTERS)),
        hits.inLabel(name?.slice(0, MESSAGE_CHARACTERS) ?? ''),
        hits.inContent(content ?? ''),
      ];
      const inLabel = hasHit(inWhat) || hasHit(inName);
      const isMarked = inLabel || hasHit(inContent);
      const whole = foldOf(row);
      const folded = whole?.first === row.seq ? whole : undefined;
      const members = isPrinted(row) ? 'lines' : 'equal notifications';
      const hides = (id: ColumnId) => !shown.some((column) => column.id === id);
      const message = (
        <span className={isMarked ? 'inline-flex max-w-full align-bottom' : undefined}>
          <span
            className={classNames(
              content !== undefined && '@min-[1100px]:inline-block @min-[1100px]:min-w-[26ch]',
              isMarked && (inLabel ? 'min-w-0' : 'max-w-[60%] shrink-0 truncate'),
            )}
          >
            {folded && (
              <button
                type="button"
                // On the selected row, the arrow keys do the same.
                tabIndex={-1}
                aria-expanded={fold.open}
                aria-label={`${fold.open ? 'Hide' : 'Show'} ${folded.count} ${members}`}
                title={fold.open ? `Hide the ${members} (←)` : `Show the ${members} (→)`}
                onClick={(event) => {
                  event.stopPropagation();
                  fold.toggle();
                }}
                className="mr-1 w-4 rounded text-muted hover:bg-text/8"
              >
                <Chevron open={fold.open} />
              </button>
            )}
            {nested > 0 && (
              <span aria-hidden="true" style={{ marginLeft: `${nested * 6}px` }} className="mr-1 text-muted">
                └
              </span>
            )}
            <span className={severityColour(row) ?? (MUTED.has(row.kind) ? 'text-muted' : undefined)}>
              <MarkedText parts={inWhat} />
            </span>
            {name !== undefined && (
              <MarkedText
                parts={inName}
                className={classNames(
                  'ml-2',
                  row.kind === 'stderr' && 'whitespace-pre',
                  hasLevel ? levelTone(name) : row.kind !== 'request' && 'text-muted',
                )}
              />
            )}
            {folded && !isPrinted(row) && <span className="ml-2 text-muted">×{formatCount(folded.count)}</span>}
          </span>
          {invalid !== undefined && (
            <bdi className={classNames('ml-3 text-error', isMarked && 'min-w-0 truncate')}>
              {visibleText(plainSentence(invalid).slice(0, MESSAGE_CHARACTERS))}
            </bdi>
          )}
          {content && (
            <MarkedText
              parts={inContent}
              className={classNames(
                row.kind === 'response' || row.kind === 'error' ? 'ml-3' : 'ml-3 text-muted',
                isMarked && !hasHit(inContent) && 'min-w-0 shrink-[99] truncate',
              )}
            />
          )}
        </span>
      );
      return (
        <>
          {hides('direction') && <DirectionGlyph row={row} className="w-5" />}
          <span className="min-w-0 flex-1 truncate">{message}</span>
          {hides('status') && row.status !== 'ok' && <Outcome row={row} className="pl-3" />}
        </>
      );
    },
  },
  {
    id: 'id',
    title: 'Id',
    width: 56,
    className: 'truncate text-right text-muted @max-[960px]:hidden',
    sort: undefined,
    cell: (row) => {
      if (row.http) return row.exchange === undefined ? '' : `⇅${row.exchange}`;
      return row.id === undefined ? '' : visibleText(JSON.stringify(row.id)).slice(0, 40);
    },
    hint: ({ exchange }) =>
      exchange === undefined ? undefined : `HTTP exchange ${exchange} (filter by exchange:${exchange})`,
  },
  {
    id: 'status',
    title: 'Status',
    width: 84,
    className: 'truncate',
    sort: 'status',
    // undefined instead of an empty element gives the message its room.
    cell: (row) => outcomeOf(row) && <Outcome row={row} />,
    hint: ({ kind, unmatched }) =>
      kind === 'request' && unmatched !== undefined ? `#${unmatched} looks like the response` : undefined,
  },
  {
    id: 'duration',
    title: 'Duration',
    width: 60,
    className: 'text-right @max-[420px]:hidden',
    sort: 'duration',
    cell: (row, { now }) => {
      // A subscription has no duration.
      if (row.kind === 'request' && row.status === 'pending' && row.method !== METHOD.listen)
        return <Elapsed since={row.time} now={now} />;
      return row.durationUs === undefined || isSettledElsewhere(row) ? '' : formatDuration(row.durationUs);
    },
  },
  {
    id: 'size',
    title: 'Size',
    width: 60,
    className: 'text-right text-muted @max-[720px]:hidden',
    sort: 'size',
    cell: (row) => {
      if (!row.http) return formatBytes(wholeSize(row));
      return row.http.bytes === undefined ? '' : formatBytes(row.http.bytes);
    },
  },
  {
    id: 'waterfall',
    title: 'Waterfall',
    width: 320,
    css: 'clamp(100px, 36cqw - 220px, 320px)',
    className: '@max-[900px]:hidden',
    sort: 'seq',
    // The bars of all rows are drawn on one canvas.
    cell: (_row, { spanLabel }) => <span className="sr-only">{spanLabel()}</span>,
    hint: (_row, { spanLabel }) => spanLabel(),
  },
];

/** Shows which way a message went. */
function DirectionGlyph({ row, className = '' }: { readonly row: Row; readonly className?: string }) {
  const { glyph, words, colour } = directionLabel(row);
  return (
    <span title={words} className={`shrink-0 ${colour} ${className}`}>
      <span aria-hidden="true">{glyph}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

function outcomeOf(row: Row) {
  return isSettledElsewhere(row) ? undefined : rowStatus(row);
}

function Outcome({ row, className = '' }: { readonly row: Row; readonly className?: string }) {
  const outcome = outcomeOf(row);
  return outcome && <span className={`shrink-0 ${outcome.colour} ${className}`}>{outcome.words}</span>;
}

/** Returns the CSS variable of a column's width. The grid sets it, so that resizing doesn't render the rows again. */
export function widthVariable(id: ColumnId): `--w-${ColumnId}` {
  return `--w-${id}`;
}

/** The column that the table is sorted by. */
export interface TableSort {
  readonly column: ColumnId;
  readonly descending: boolean;
}

/** Fields sorted in descending order first, to show the newest, slowest or largest. */
const DOWN_FIRST: ReadonlySet<LogColumn['sort']> = new Set<LogColumn['sort']>(['seq', 'duration', 'size']);

/** Cycles through both directions and back to the log's order (undefined). */
export function nextLogSort(before: TableSort | undefined, { id, sort }: LogColumn): TableSort | undefined {
  if (sort === undefined) return before;
  const first = DOWN_FIRST.has(sort);
  if (before?.column !== id) return { column: id, descending: first };
  return before.descending === first ? { column: id, descending: !first } : undefined;
}

/** Returns the store's sort order for a table sort. */
export function sortOf(sort: TableSort | undefined) {
  const field = COLUMNS.find(({ id }) => id === sort?.column)?.sort;
  return sort && field && { field, descending: sort.descending };
}

/** The visible columns and their widths, remembered in localStorage. */
export interface ColumnSettings {
  readonly shown: readonly LogColumn[];
  readonly isHidden: (id: ColumnId) => boolean;
  /** Shows or hides a column, but never hides the last one. */
  readonly toggle: (id: ColumnId) => void;
  /** Returns the width in px; undefined for the column that takes the remaining room. */
  readonly widthOf: (column: LogColumn) => number | undefined;
  /** Returns the width for CSS. */
  readonly cssOf: (column: LogColumn) => string;
  readonly resize: (id: ColumnId, width: number) => void;
  readonly reset: () => void;
}

interface SavedColumns {
  readonly hidden: readonly ColumnId[];
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>;
}

const KEY = 'mcp-inspect.log-columns';
const DEFAULTS: SavedColumns = { hidden: ['direction', 'id', 'status', 'size'], widths: {} };
/** Range of widths a column can be resized to, in px. */
const MIN_WIDTH = 20;
const MAX_WIDTH = 1200;

export function useColumnSettings(): ColumnSettings {
  const [saved, setSaved] = useState(readSaved);
  const change = (next: SavedColumns) => {
    setSaved(next);
    save(next);
  };
  // Memoised because a new array renders every row again.
  const shown = useMemo(() => COLUMNS.filter(({ id }) => !saved.hidden.includes(id)), [saved.hidden]);
  return {
    shown,
    isHidden: (id) => saved.hidden.includes(id),
    toggle: (id) => {
      const hidden = saved.hidden.includes(id) ? saved.hidden.filter((other) => other !== id) : [...saved.hidden, id];
      if (hidden.length < COLUMNS.length) change({ ...saved, hidden });
    },
    widthOf: ({ id, width }) => width && (saved.widths[id] ?? width),
    cssOf: ({ id, width, css }) => (saved.widths[id] === undefined && css) || `${saved.widths[id] ?? width}px`,
    resize: (id, width) => {
      const widths = { ...saved.widths, [id]: Math.round(Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, width))) };
      change({ ...saved, widths });
    },
    reset: () => change(DEFAULTS),
  };
}

/** Returns the styles that set every column's width, for the grid's root element. */
export function widthStyles({ shown, cssOf }: ColumnSettings): Record<string, string> {
  return Object.fromEntries(shown.map((column) => [widthVariable(column.id), cssOf(column)]));
}

function readSaved(): SavedColumns {
  try {
    return savedColumns(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return DEFAULTS;
  }
}

/** Reads saved settings, ignoring whatever is invalid. Throws SyntaxError. */
export function savedColumns(text: string): SavedColumns {
  const { hidden, widths } = JSON.parse(text) as Partial<SavedColumns>;
  const ids = COLUMNS.map(({ id }) => id);
  return {
    hidden: Array.isArray(hidden) ? ids.filter((id) => hidden.includes(id)).slice(0, ids.length - 1) : DEFAULTS.hidden,
    widths: Object.fromEntries(ids.flatMap((id) => (isWidth(widths?.[id]) ? [[id, widths[id]]] : []))),
  };
}

function isWidth(width: unknown): width is number {
  return typeof width === 'number' && width >= MIN_WIDTH && width <= MAX_WIDTH;
}

function save(columns: SavedColumns): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(columns));
  } catch {
    // Without storage, the settings last until the reload.
  }
}
