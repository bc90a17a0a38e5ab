// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed and scrolled under a fixed header
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, its rows are named by aria-activedescendant
import { memo } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { Severity } from '@/lib/problems/rule';
import type { Row } from '@/lib/store/row';
import { COLUMNS } from './columns';
import { ProblemMark } from './problem-mark';
import { rowTint } from './row-words';

/** Focus stays on the grid; this is the id it names as active. */
export function rowElementId(seq: number): string {
  return `frame-${seq}`;
}

interface LogRowProps {
  readonly row: Row;
  /** Place in the filtered list, from 0. */
  readonly position: number;
  readonly selected: boolean;
  /** True for the other half of the selected row's exchange. */
  readonly paired: boolean;
  readonly startedAt: number | undefined;
  readonly onSelect: (seq: number) => void;
  /** The gravest thing that the rules found in it. */
  readonly problem: Severity | undefined;
}

const sameRow = (a: LogRowProps, b: LogRowProps) =>
  a.position === b.position &&
  a.selected === b.selected &&
  a.paired === b.paired &&
  a.startedAt === b.startedAt &&
  a.onSelect === b.onSelect &&
  a.problem === b.problem &&
  a.row.seq === b.row.seq &&
  a.row.status === b.row.status &&
  a.row.severity === b.row.severity &&
  a.row.http?.status === b.row.http?.status &&
  a.row.http?.bad === b.row.http?.bad &&
  a.row.http?.over === b.row.http?.over &&
  a.row.http?.expected === b.row.http?.expected &&
  a.row.durationUs === b.row.durationUs &&
  a.row.name === b.row.name &&
  a.row.method === b.row.method;

/** One line of the log. Of a frame only its answer can change: what it is paired with, and how that went. */
export const LogRow = memo(function LogRow({
  row,
  position,
  selected,
  paired,
  startedAt,
  onSelect,
  problem,
}: LogRowProps) {
  const context = { startedAt };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and the keys
    <div
      role="row"
      id={rowElementId(row.seq)}
      // The header is row 1.
      aria-rowindex={position + 2}
      aria-selected={selected}
      tabIndex={-1}
      onClick={() => onSelect(row.seq)}
      className={classNames(
        'flex h-[22px] items-center gap-2.5 px-2 outline-none',
        selected ? 'bg-accent/16' : paired ? 'bg-accent/8' : rowTint(row) || 'hover:bg-text/4',
      )}
    >
      {COLUMNS.map((column, index) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={index + 1}
          title={column.hint?.(row, context)}
          className={classNames('shrink-0 whitespace-nowrap', column.className)}
        >
          {index === 0 && problem !== undefined && <ProblemMark severity={problem} />}
          {column.cell(row, context)}
        </div>
      ))}
    </div>
  );
}, sameRow);
