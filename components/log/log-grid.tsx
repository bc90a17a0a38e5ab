// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed and scrolled under a fixed header
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, its rows are named by aria-activedescendant
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { Severity } from '@/lib/problems/rule';
import type { Row } from '@/lib/store/row';
import { COLUMNS } from './columns';
import { LogRow, rowElementId } from './log-row';
import { ROW_HEIGHT } from './row-window';
import { useRowWindow } from './use-row-window';

/** Keys that move the selection: from a position, with a page's rows. */
const STEPS: Readonly<Record<string, (from: number, page: number) => number>> = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  PageDown: (from, page) => from + page,
  PageUp: (from, page) => from - page,
  Home: () => 0,
};

interface LogGridProps {
  /** Rows after filtering. */
  readonly count: number;
  /** The row at a place in the filtered list. */
  readonly rowAt: (position: number) => Row;
  /** Place of the selected row; -1 if there is none or it is filtered out. */
  readonly selected: number;
  readonly onSelect: (seq: number) => void;
  /** Enter, with a row selected. */
  readonly onOpen: () => void;
  readonly following: boolean;
  readonly onFollowing: (following: boolean) => void;
  readonly startedAt: number | undefined;
  /** The gravest problem of a frame. */
  readonly problemOf: (seq: number) => Severity | undefined;
  readonly ref: RefObject<HTMLDivElement | null>;
}

/** The message table: a grid of which only what is in view exists. */
export function LogGrid(props: LogGridProps) {
  const { count, rowAt, selected, onSelect, onOpen, following, onFollowing, startedAt, problemOf, ref } = props;
  const { window: shown, onScroll, reveal, viewport, keyOf } = useRowWindow(ref, count, following, onFollowing);
  const selectedRow = selected >= 0 && selected < count ? rowAt(selected) : undefined;

  const revealSelected = useRef(() => {});
  useEffect(() => {
    revealSelected.current = () => {
      if (selected >= 0) reveal(selected);
    };
  });
  const selectedSeq = selectedRow?.seq;
  const measured = viewport > 0;
  useEffect(() => {
    if (selectedSeq !== undefined && measured) revealSelected.current();
  }, [selectedSeq, measured]);

  const page = Math.max(1, Math.floor(viewport / ROW_HEIGHT) - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || count === 0) return;
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      const from = selected < 0 ? count : selected;
      onSelect(rowAt(Math.max(0, Math.min(count - 1, step(from, page)))).seq);
    } else if (event.key === 'End') {
      event.preventDefault();
      onFollowing(true);
    } else if (event.key === 'Enter' && selectedRow) {
      event.preventDefault();
      onOpen();
    }
  };

  const rows = [];
  for (let position = shown.first; position < shown.last; position++) {
    const row = rowAt(position);
    rows.push(
      <LogRow
        key={keyOf(position)}
        row={row}
        position={position}
        selected={position === selected}
        paired={selectedRow?.peer === row.seq}
        startedAt={startedAt}
        onSelect={onSelect}
        problem={problemOf(row.seq)}
      />,
    );
  }
  const rendered = selected >= shown.first && selected < shown.last;
  return (
    <div
      ref={ref}
      role="grid"
      aria-label="Messages"
      aria-rowcount={count + 1}
      aria-colcount={COLUMNS.length}
      aria-activedescendant={selectedRow && rendered ? rowElementId(selectedRow.seq) : undefined}
      aria-readonly="true"
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
      className="tabular @container min-h-0 flex-1 overflow-x-hidden overflow-y-scroll font-mono text-wire [overflow-anchor:none]"
    >
      <div role="rowgroup" className="sticky top-0 z-1 border-b border-line bg-surface font-sans text-small text-muted">
        <div role="row" aria-rowindex={1} className="flex h-[19px] items-center gap-2.5 px-2">
          {COLUMNS.map((column, index) => (
            <div
              key={column.id}
              role="columnheader"
              aria-colindex={index + 1}
              className={classNames('shrink-0 text-muted', column.className)}
            >
              {column.title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ height: shown.height }}>
        <div role="presentation" style={{ transform: `translateY(${shown.top}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}
