// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed and scrolled under a fixed header
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, aria-activedescendant names its rows

import { memo } from 'react';
import { SEVERITY_COLOUR, SEVERITY_GLYPH, SEVERITY_WORD } from '@/components/ui/badge';
import { classNames } from '@/components/ui/class-names';
import { visibleText } from '@/components/ui/visible-text';
import type { FilterHits } from '@/lib/filter/hits';
import type { LogTimes } from '@/lib/hooks/times';
import type { Severity } from '@/lib/problems/rule';
import type { Row } from '@/lib/store/rows/row';
import type { TimeSpan } from '@/lib/store/rows/time-span';
import type { Note } from '@/lib/store/state/notes';
import { formatDuration } from '@/lib/wire/format';
import { rowTint, spanLabel } from '../labels';
import { type LogColumn, widthVariable } from './columns';

/** Height of a row for each density, in px. The grid sets it as `--log-row`. */
export const ROW_HEIGHTS = { comfortable: 22, compact: 18 } as const;

const ID_PREFIX = 'frame-';

/** Returns the element id of a row, for the grid's `aria-activedescendant`. */
export function rowElementId(seq: number): string {
  return `${ID_PREFIX}${seq}`;
}

/** Returns the seq of the row that contains an element. */
export function seqOfRow(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest(`[id^=${ID_PREFIX}]`) : null;
  return row ? Number(row.id.slice(ID_PREFIX.length)) : undefined;
}

interface LogRowProps {
  readonly row: Row;
  /** Content of the frame on one line. Server text. */
  readonly content: string | undefined;
  readonly hits: FilterHits;
  /** Shown in the waterfall. */
  readonly span: TimeSpan;
  /** Idle time that the waterfall leaves out before the row, in µs. */
  readonly idleUs: number | undefined;
  /** How far the row is indented, because it belongs to a request in an earlier row. 0 for others. */
  readonly nested: number;
  /** Shows the frames that are folded into it. */
  readonly unfolded: boolean;
  readonly onFold: (first: number, open: boolean) => void;
  readonly columns: readonly LogColumn[];
  /** Index in the filtered list. */
  readonly position: number;
  readonly selected: boolean;
  /** True for the counterpart of the selected or hovered row. */
  readonly paired: boolean;
  readonly times: LogTimes;
  /** The log's clock in µs since the connection started. */
  readonly now: () => number;
  readonly onSelect: (seq: number) => void;
  /** Highest severity of its problems. */
  readonly problem: Severity | undefined;
  /** How its result breaks its schema, as a sentence. */
  readonly invalid: string | undefined;
  /** Note or bookmark. */
  readonly note: Note | undefined;
  /** `now` for the newest row at the moment shown, `later` for rows after it. */
  readonly when: 'now' | 'later' | undefined;
}

const WHEN = {
  now: 'after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:bg-warn',
  // Muted instead of translucent, to stay readable.
  later: '**:text-muted! [&_mark]:bg-transparent',
} as const;

const sameRow = (a: LogRowProps, b: LogRowProps) =>
  a.position === b.position &&
  a.selected === b.selected &&
  a.paired === b.paired &&
  a.times === b.times &&
  a.now === b.now &&
  a.content === b.content &&
  a.hits === b.hits &&
  a.onSelect === b.onSelect &&
  a.problem === b.problem &&
  a.invalid === b.invalid &&
  a.note === b.note &&
  a.when === b.when &&
  a.columns === b.columns &&
  a.nested === b.nested &&
  a.unfolded === b.unfolded &&
  a.row.unmatched === b.row.unmatched &&
  a.row.printed === b.row.printed &&
  a.row.equals?.count === b.row.equals?.count &&
  a.idleUs === b.idleUs &&
  a.span.parts.length === b.span.parts.length &&
  a.span.asked.length === b.span.asked.length &&
  a.span.ticks.length === b.span.ticks.length &&
  a.span.whole?.to === b.span.whole?.to &&
  a.span.parts[0]?.from === b.span.parts[0]?.from &&
  a.row.givenUpAt === b.row.givenUpAt &&
  a.row.seq === b.row.seq &&
  a.row.status === b.row.status &&
  a.row.severity === b.row.severity &&
  a.row.http?.status === b.row.http?.status &&
  a.row.http?.severity === b.row.http?.severity &&
  a.row.http?.ended === b.row.http?.ended &&
  a.row.http?.expectedRefusal === b.row.http?.expectedRefusal &&
  a.row.durationUs === b.row.durationUs &&
  a.row.name === b.row.name &&
  a.row.method === b.row.method;

/** One row of the log. A frame never changes, but its counterpart and outcome do. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { row, span, nested, columns, position, selected, paired, onSelect, problem, note, when } = props;
  const { unfolded, onFold, times, now, content, hits, invalid, idleUs } = props;
  const fold = { open: unfolded, toggle: () => onFold(row.seq, !unfolded) };
  const context = {
    times,
    now,
    content,
    hits,
    invalid,
    nested,
    fold,
    shown: columns,
    spanLabel: () =>
      [idleUs && `after ${formatDuration(idleUs)} idle`, spanLabel(span, times.shown)].filter(Boolean).join(', '),
  };
  const cells = columns.map((column) => column.cell(row, context));
  const flexible = columns.findIndex(({ width }) => width === undefined);
  const filled = cells.findIndex((cell, at) => at > flexible && cell !== undefined && cell !== '');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and the keys
    <div
      role="row"
      id={rowElementId(row.seq)}
      // The header is row 1.
      aria-rowindex={position + 2}
      aria-selected={selected}
      aria-current={when === 'now' ? 'step' : undefined}
      tabIndex={-1}
      onClick={() => onSelect(row.seq)}
      className={classNames(
        'relative flex h-(--log-row) items-center gap-2.5 px-2 outline-none',
        when && WHEN[when],
        selected
          ? 'bg-accent/16'
          : paired
            ? 'bg-accent/8 shadow-[inset_2px_0_0_var(--color-accent)]'
            : (when !== 'later' && rowTint(row, problem)) || 'hover:bg-text/4',
      )}
    >
      {columns.map((column, index) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={index + 1}
          title={column.hint?.(row, context)}
          style={column.width === undefined ? undefined : { width: `var(${widthVariable(column.id)})` }}
          className={classNames(
            'shrink-0 overflow-hidden whitespace-nowrap',
            column.className,
            // The message takes the room of the empty cells beside it, and of their gap.
            flexible >= 0 && index > flexible && (filled < 0 || index < filled) && '-ml-2.5 w-0!',
          )}
        >
          {index === 0 && problem !== undefined && <ProblemMark severity={problem} />}
          {note && column.width === undefined && <NoteMark note={note} />}
          {cells[index]}
        </div>
      ))}
    </div>
  );
}, sameRow);

/** The severity of a frame's problems, at the left edge of its row. */
function ProblemMark({ severity }: { readonly severity: Severity }) {
  const title = severity === 'info' ? 'Worth knowing' : `Problem: ${SEVERITY_WORD[severity]}`;
  return (
    <span className={`float-left font-sans ${SEVERITY_COLOUR[severity]}`} title={title}>
      <span aria-hidden="true">{SEVERITY_GLYPH[severity]}</span>
      <span className="sr-only">{SEVERITY_WORD[severity]} </span>
    </span>
  );
}

/** Most characters of a note shown on hover. */
const HINT_CHARACTERS = 300;

/** Marks a row with a note or a bookmark. */
function NoteMark({ note: { text, bookmark } }: { readonly note: Note }) {
  const words = bookmark ? 'Bookmark' : 'Note';
  return (
    <span
      className="mr-1.5 font-sans text-accent"
      title={text === '' ? words : `${words}: ${visibleText(text.slice(0, HINT_CHARACTERS))}`}
    >
      <span aria-hidden="true">
        {bookmark && '⚑'}
        {text !== '' && '✎'}
      </span>
      <span className="sr-only">{words} </span>
    </span>
  );
}
