import { type ReactNode, useMemo, useState } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import type { Row } from '@/lib/store/rows/row';
import type { SortField } from '@/lib/store/rows/row-list';
import { isPrinted, rowLabel, wholeSize } from '@/lib/store/rows/row-text';
import { formatBytes, formatDuration, formatTime } from '@/lib/wire/format';
import { directionLabel, rowStatus } from '../labels';

/** What a cell needs besides its row. */
export interface CellContext {
  /** Wall-clock ms of the log's beginning; undefined until the first frame is here. */
  readonly startedAt: number | undefined;
  /** The row is part of the request that an earlier row shows. */
  readonly nested: boolean;
  /** Shows or hides the lines of a printed object. */
  readonly fold: { readonly open: boolean; readonly toggle: () => void };
  /** What the waterfall shows of the row, in words. */
  readonly spanWords: () => string;
}

export interface Column {
  readonly id: ColumnId;
  readonly title: string;
  /** In px, until it is resized; undefined for the one that takes what is left. */
  readonly width: number | undefined;
  /** The same in CSS, where it depends on the width of the log. */
  readonly css?: string;
  /** Alignment, colour, and at which width of the log the column gives way. */
  readonly className: string;
  /** undefined: it can't be sorted by. */
  readonly sort: SortField | undefined;
  readonly cell: (row: Row, context: CellContext) => ReactNode;
  /** Shown on hover. */
  readonly hint?: (row: Row, context: CellContext) => string | undefined;
}

export type ColumnId = 'seq' | 'time' | 'direction' | 'message' | 'id' | 'status' | 'duration' | 'size' | 'waterfall';

/** Longest server text put into one row. */
const MESSAGE_CHARACTERS = 300;

/** A failure reads as one even where colours are not told apart: its glyph says so too. */
function severityColour({ severity }: Row): string | undefined {
  return severity && (severity === 'error' ? 'text-error' : 'text-warn');
}

/** What only stands beside the messages. */
const QUIET: ReadonlySet<Row['kind']> = new Set(['stderr', 'http', 'note']);

/** The log's columns, left to right. */
export const COLUMNS: readonly Column[] = [
  { id: 'seq', title: '#', width: 48, className: 'text-right text-muted', sort: 'seq', cell: (row) => row.seq },
  {
    id: 'time',
    title: 'Time',
    width: 84,
    className: 'text-right text-muted @max-[600px]:hidden',
    sort: 'seq',
    cell: (row) => formatTime(row.time),
    hint: (row, { startedAt }) =>
      startedAt === undefined ? undefined : new Date(startedAt + row.time / 1000).toISOString(),
  },
  {
    id: 'direction',
    title: 'Dir',
    width: 20,
    className: 'text-center',
    sort: 'direction',
    cell: (row) => {
      const { glyph, words, colour } = directionLabel(row);
      return (
        <span className={colour}>
          <span aria-hidden="true">{glyph}</span>
          <span className="sr-only">{words}</span>
        </span>
      );
    },
    hint: (row) => directionLabel(row).words,
  },
  {
    id: 'message',
    title: 'Message',
    width: undefined,
    className: 'min-w-0 flex-1 truncate',
    sort: 'message',
    cell: (row, { nested, fold }) => {
      const { what, about } = rowLabel(row);
      return (
        <>
          {isPrinted(row) && (
            <button
              type="button"
              // The arrow keys do it on the selected row.
              tabIndex={-1}
              aria-expanded={fold.open}
              aria-label={`${fold.open ? 'Hide' : 'Show'} ${row.printed!.lines.length} lines`}
              title={fold.open ? 'Hide the lines (←)' : 'Show the lines (→)'}
              onClick={(event) => {
                event.stopPropagation();
                fold.toggle();
              }}
              className="mr-1 w-4 rounded text-muted hover:bg-text/8"
            >
              <span aria-hidden="true">{fold.open ? '▾' : '▸'}</span>
            </button>
          )}
          {nested && (
            <span aria-hidden="true" className="mr-1 ml-1.5 text-muted">
              └
            </span>
          )}
          <span className={severityColour(row) ?? (QUIET.has(row.kind) ? 'text-muted' : undefined)}>
            {visibleText(what.slice(0, MESSAGE_CHARACTERS))}
          </span>
          {about !== undefined && (
            <bdi className="ml-2 text-muted">{visibleText(about.slice(0, MESSAGE_CHARACTERS))}</bdi>
          )}
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
      exchange === undefined ? undefined : `HTTP exchange ${exchange}; filter exchange:${exchange} for all of it`,
  },
  {
    id: 'status',
    title: 'Status',
    width: 68,
    className: 'truncate',
    sort: 'status',
    cell: (row) => {
      const status = rowStatus(row);
      return status && <span className={status.colour}>{status.words}</span>;
    },
    hint: ({ kind, unmatched }) =>
      kind === 'request' && unmatched !== undefined ? `#${unmatched} looks like the answer` : undefined,
  },
  {
    id: 'duration',
    title: 'Duration',
    width: 60,
    className: 'text-right @max-[420px]:hidden',
    sort: 'duration',
    cell: (row) => (row.durationUs === undefined ? '' : formatDuration(row.durationUs)),
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
    css: 'clamp(64px, 36cqw - 170px, 320px)',
    className: '@max-[660px]:hidden',
    sort: 'seq',
    // Drawn behind all rows at once.
    cell: (_row, { spanWords }) => <span className="sr-only">{spanWords()}</span>,
    hint: (_row, { spanWords }) => spanWords(),
  },
];

/** How wide a column is: `--w-size`, set where the table begins, so that resizing draws no row anew. */
export function widthVariable(id: ColumnId): `--w-${ColumnId}` {
  return `--w-${id}`;
}

/** The column that the table is sorted by. */
export interface TableSort {
  readonly column: ColumnId;
  readonly descending: boolean;
}

/** What people look for is the longest, the largest, the newest. */
const DOWN_FIRST: ReadonlySet<Column['sort']> = new Set<Column['sort']>(['seq', 'duration', 'size']);

/** One way, the other way, and back to the log's own order (undefined). */
export function nextSort(before: TableSort | undefined, { id, sort }: Column): TableSort | undefined {
  if (sort === undefined) return before;
  const first = DOWN_FIRST.has(sort);
  if (before?.column !== id) return { column: id, descending: first };
  return before.descending === first ? { column: id, descending: !first } : undefined;
}

/** The same in the terms of the store. */
export function sortOf(sort: TableSort | undefined) {
  const field = COLUMNS.find(({ id }) => id === sort?.column)?.sort;
  return sort && field && { field, descending: sort.descending };
}

/** Which columns there are and how wide they are; kept in this browser. */
export interface ColumnSettings {
  readonly shown: readonly Column[];
  readonly isHidden: (id: ColumnId) => boolean;
  /** Never hides the last one. */
  readonly toggle: (id: ColumnId) => void;
  /** In px, as it was resized to or is at first; undefined for the column that takes what is left. */
  readonly widthOf: (column: Column) => number | undefined;
  /** The same for CSS. */
  readonly cssOf: (column: Column) => string;
  readonly resize: (id: ColumnId, width: number) => void;
  readonly reset: () => void;
}

interface Kept {
  readonly hidden: readonly ColumnId[];
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>;
}

const KEY = 'mcp-inspect.log-columns';
const NONE: Kept = { hidden: [], widths: {} };
const LEAST_WIDTH = 20;
const MOST_WIDTH = 1200;

export function useColumnSettings(): ColumnSettings {
  const [kept, setKept] = useState(read);
  const change = (next: Kept) => {
    setKept(next);
    write(next);
  };
  // The same while nothing is hidden or shown: rows are drawn anew with it.
  const shown = useMemo(() => COLUMNS.filter(({ id }) => !kept.hidden.includes(id)), [kept.hidden]);
  return {
    shown,
    isHidden: (id) => kept.hidden.includes(id),
    toggle: (id) => {
      const hidden = kept.hidden.includes(id) ? kept.hidden.filter((other) => other !== id) : [...kept.hidden, id];
      if (hidden.length < COLUMNS.length) change({ ...kept, hidden });
    },
    widthOf: ({ id, width }) => width && (kept.widths[id] ?? width),
    cssOf: ({ id, width, css }) => (kept.widths[id] === undefined && css) || `${kept.widths[id] ?? width}px`,
    resize: (id, width) => {
      const widths = { ...kept.widths, [id]: Math.round(Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width))) };
      change({ ...kept, widths });
    },
    reset: () => change(NONE),
  };
}

/** For the element that the table begins with. */
export function widthStyles({ shown, cssOf }: ColumnSettings): Record<string, string> {
  return Object.fromEntries(shown.map((column) => [widthVariable(column.id), cssOf(column)]));
}

/** What an older version wrote, or anybody else, is taken as far as it makes sense. */
function read(): Kept {
  try {
    const { hidden, widths } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
    const ids = COLUMNS.map(({ id }) => id);
    return {
      hidden: ids.filter((id) => Array.isArray(hidden) && hidden.includes(id)).slice(0, ids.length - 1),
      widths: Object.fromEntries(ids.flatMap((id) => (isWidth(widths?.[id]) ? [[id, widths[id]]] : []))),
    };
  } catch {
    return NONE;
  }
}

function isWidth(width: unknown): width is number {
  return typeof width === 'number' && width >= LEAST_WIDTH && width <= MOST_WIDTH;
}

function write(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Where storage is forbidden it lasts until the reload.
  }
}
