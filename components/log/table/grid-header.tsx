// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed and scrolled under a fixed header
// biome-ignore-all lint/a11y/useFocusableInteractive: its cells have the focus

import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { moveFocus } from '@/components/ui/page-focus';
import { formatDuration } from '@/lib/wire/format';
import { type ColumnSettings, type LogColumn, nextLogSort, type TableSort, widthVariable } from './columns';
import { lengthOf, type TimeScale } from './time-scale';

/** Height of the header with its border, in px. */
export const HEADER_HEIGHT = 20;

/** The sticky header row. It is one tab stop; the arrow keys move between the column titles. */
export function GridHeader({
  columns,
  sort,
  onSort,
  scale,
  grid,
}: {
  readonly columns: ColumnSettings;
  readonly sort: TableSort | undefined;
  readonly onSort: (sort: TableSort | undefined) => void;
  /** The waterfall's. */
  readonly scale: TimeScale | undefined;
  readonly grid: RefObject<HTMLElement | null>;
}) {
  const { shown } = columns;
  const row = useRef<HTMLDivElement>(null);
  const [tabStop, setTabStop] = useState(0);
  const stop = Math.min(tabStop, shown.length - 1);
  const rest = shown.findIndex(({ width }) => width === undefined);
  const go = (place: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, place));
    setTabStop(next);
    moveFocus(row.current?.querySelector<HTMLElement>(`[data-place="${next}"]`));
  };
  const fitToView = (place: number, column: LogColumn) => {
    if (grid.current) columns.resize(column.id, fittingWidth(grid.current, place, column));
  };
  return (
    <div role="rowgroup" className="sticky top-0 z-1 border-b border-line bg-surface font-sans text-small text-muted">
      <div ref={row} role="row" aria-rowindex={1} className="flex h-[19px] items-center gap-2.5 px-2">
        {shown.map((column, place) => (
          <ColumnHeader
            key={column.id}
            column={column}
            place={place}
            width={columns.widthOf(column)}
            handleFirst={rest >= 0 && place > rest}
            sorted={sort?.column === column.id ? (sort.descending ? 'descending' : 'ascending') : undefined}
            onSort={() => onSort(nextLogSort(sort, column))}
            onResize={(width) => columns.resize(column.id, width)}
            onFit={() => fitToView(place, column)}
            tabStop={place === stop}
            onTabStop={go}
            note={column.id === 'waterfall' && scale ? scaleLabel(scale) : undefined}
          />
        ))}
      </div>
    </div>
  );
}

function scaleLabel({ from, to, gaps }: TimeScale): string {
  const idle = lengthOf(gaps);
  const shown = formatDuration(to - from - idle);
  return idle === 0 ? shown : `${shown} + ${formatDuration(idle)} idle`;
}

/** Returns the width of the widest visible cell of a column, measured by shrinking the column for a moment. */
function fittingWidth(grid: HTMLElement, place: number, { id }: LogColumn): number {
  const variable = widthVariable(id);
  const before = grid.style.getPropertyValue(variable);
  grid.style.setProperty(variable, '0px');
  const cells = grid.querySelectorAll(
    `[aria-colindex="${place + 1}"]:not([role=columnheader]), [data-place="${place}"] > span`,
  );
  const width = Math.max(...Array.from(cells, ({ scrollWidth }) => scrollWidth));
  grid.style.setProperty(variable, before);
  return width + 1;
}

interface ColumnHeaderProps {
  readonly column: LogColumn;
  /** Index among the shown columns. */
  readonly place: number;
  readonly width: number | undefined;
  /** Puts the resize handle on the left, for columns right of the flexible one. */
  readonly handleFirst: boolean;
  readonly sorted: 'ascending' | 'descending' | undefined;
  readonly onSort: () => void;
  readonly onResize: (width: number) => void;
  /** Resizes the column to fit its visible cells. */
  readonly onFit: () => void;
  /** True for the one title that Tab reaches. */
  readonly tabStop: boolean;
  readonly onTabStop: (place: number) => void;
  /** Shown next to the title. */
  readonly note?: string;
}

/** Pixels by which Shift and an arrow key resize a column. */
const STEP = 8;

/** A column title. A click or Enter sorts by it; dragging its edge or Shift with an arrow resizes it. */
function ColumnHeader(props: ColumnHeaderProps) {
  const { column, place, width, handleFirst, sorted, onSort, onResize, onFit, tabStop, onTabStop, note } = props;
  const grow = handleFirst ? -1 : 1;
  const cell = useRef<HTMLDivElement>(null);
  const widthNow = () => cell.current!.offsetWidth;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Enter: 0, ' ': 0 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (by === 0) onSort();
    else if (!event.shiftKey) onTabStop(place + by);
    else if (width !== undefined) onResize(widthNow() + by * STEP);
  };
  const dragStart = useRef({ x: 0, width: 0 });
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    dragStart.current = { x: event.clientX, width: widthNow() };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onResize(dragStart.current.width + (event.clientX - dragStart.current.x) * grow);
  };
  return (
    <div
      ref={cell}
      role="columnheader"
      aria-label={column.title}
      aria-colindex={place + 1}
      aria-sort={sorted}
      title={column.sort ? `Sort by ${column.title} (Enter; Shift ← → resizes)` : 'Shift ← → resizes'}
      tabIndex={tabStop ? 0 : -1}
      data-place={place}
      onClick={({ target }) => (target as Element).matches('[data-resize]') || onSort()}
      onFocus={() => onTabStop(place)}
      onKeyDown={onKeyDown}
      style={width === undefined ? undefined : { width: `var(${widthVariable(column.id)})` }}
      // The handle reaches beyond the cell, so it must not be clipped.
      className={classNames(
        'relative flex shrink-0 cursor-default hover:text-text',
        column.className,
        'overflow-visible!',
      )}
    >
      {/* Beside a note that leaves too little room, the title wraps out of sight: a cut one says nothing. */}
      <span
        className={classNames(
          'min-w-0 flex-1',
          note === undefined ? 'truncate' : 'flex h-lh flex-wrap overflow-hidden',
        )}
        style={{ textAlign: 'inherit' }}
      >
        {note !== undefined && <span className="h-lh w-0" />}
        <span className="shrink-0">
          {column.title}
          {sorted && <span aria-hidden="true">{sorted === 'descending' ? ' ↓' : ' ↑'}</span>}
        </span>
      </span>
      {note !== undefined && <span className="shrink-0 pl-1">{note}</span>}
      {width !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Shift and an arrow key do the same
        <div
          data-resize={column.title}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onDoubleClick={onFit}
          className={classNames(
            'absolute inset-y-0 w-[9px] cursor-col-resize touch-none hover:bg-accent/40',
            handleFirst ? '-left-[9px]' : '-right-[9px]',
          )}
        />
      )}
    </div>
  );
}
