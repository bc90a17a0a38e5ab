import type { ReactNode } from 'react';
import { formatBytes, formatDuration, formatTime } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import type { Row } from '@/lib/store/row';
import { directionWords, httpStatusWords, messageWords, statusWords } from './row-words';

/** What a cell needs besides its row. */
interface CellContext {
  /** Wall-clock ms of the log's beginning; undefined until the first frame is here. */
  readonly startedAt: number | undefined;
}

interface Column {
  readonly id: string;
  readonly title: string;
  /** Width, alignment, and at which width of the log the column gives way. */
  readonly className: string;
  readonly cell: (row: Row, context: CellContext) => ReactNode;
  /** Shown on hover. */
  readonly hint?: (row: Row, context: CellContext) => string | undefined;
}

/** Longest server text put into one row. */
const MESSAGE_CHARACTERS = 300;

/** A failure reads as one even where colours are not told apart: its glyph says so too. */
function severityColour({ severity }: Row): string | undefined {
  return severity && (severity === 'error' ? 'text-error' : 'text-warn');
}

/** What only stands beside the messages. */
const QUIET: ReadonlySet<Row['kind']> = new Set(['stderr', 'http']);

/** The log's columns, left to right. */
export const COLUMNS: readonly Column[] = [
  { id: 'seq', title: '#', className: 'w-12 text-right text-muted', cell: (row) => row.seq },
  {
    id: 'time',
    title: 'Time',
    className: 'w-[84px] text-right text-muted @max-[600px]:hidden',
    cell: (row) => formatTime(row.time),
    hint: (row, { startedAt }) =>
      startedAt === undefined ? undefined : new Date(startedAt + row.time / 1000).toISOString(),
  },
  {
    id: 'direction',
    title: 'Dir',
    className: 'w-5 text-center',
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
    className: 'min-w-0 flex-1 truncate',
    cell: (row) => {
      const { what, about } = messageWords(row);
      return (
        <>
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
    className: 'w-14 truncate text-right text-muted @max-[820px]:hidden',
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
    className: 'w-[68px] truncate',
    cell: (row) => {
      const status = row.status ? statusWords(row.status) : httpStatusWords(row);
      return status && <span className={status.colour}>{status.words}</span>;
    },
  },
  {
    id: 'duration',
    title: 'Duration',
    className: 'w-[60px] text-right @max-[420px]:hidden',
    cell: (row) => (row.durationUs === undefined ? '' : formatDuration(row.durationUs)),
  },
  {
    id: 'size',
    title: 'Size',
    className: 'w-[60px] text-right text-muted @max-[720px]:hidden',
    cell: (row) => {
      if (!row.http) return formatBytes(row.bytes);
      return row.http.bytes === undefined ? '' : formatBytes(row.http.bytes);
    },
  },
];
