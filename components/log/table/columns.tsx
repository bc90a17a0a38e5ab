import type { ReactNode } from 'react';
import { directionWords, rowStatus } from '@/components/log/row-words';
import { formatDuration, formatTime } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import type { Row } from '@/lib/store/row';
import { isPrinted, messageWords, wholeSize } from '@/lib/store/row-words';
import type { SortField } from '@/lib/store/sorted-rows';
import { formatBytes } from '@/lib/wire/format-bytes';

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
      const { glyph, words, colour } = directionWords(row);
      return (
        <span className={colour}>
          <span aria-hidden="true">{glyph}</span>
          <span className="sr-only">{words}</span>
        </span>
      );
    },
    hint: (row) => directionWords(row).words,
  },
  {
    id: 'message',
    title: 'Message',
    width: undefined,
    className: 'min-w-0 flex-1 truncate',
    sort: 'message',
    cell: (row, { nested, fold }) => {
      const { what, about } = messageWords(row);
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
