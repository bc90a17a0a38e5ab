// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed and scrolled under a fixed header
// biome-ignore-all lint/a11y/useFocusableInteractive: its button has the focus
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { classNames } from '@/components/ui/class-names';
import { type Column, widthVariable } from './columns';

interface ColumnHeaderProps {
  readonly column: Column;
  /** Place among the shown columns, from 0. */
  readonly place: number;
  readonly width: number | undefined;
  /** The handle is at the start: the column lies behind the one that takes what is left. */
  readonly handleFirst: boolean;
  readonly sorted: 'ascending' | 'descending' | undefined;
  readonly onSort: () => void;
  readonly onResize: (width: number) => void;
  /** As wide as what is in view of it. */
  readonly onFit: () => void;
  /** Tab stops here; arrow keys go to the others. */
  readonly tabStop: boolean;
  readonly onTabStop: (place: number) => void;
  /** Shown beside the title. */
  readonly note?: string;
}

/** Pixels that one press of Shift and an arrow key resizes by. */
const STEP = 8;

/** A column's title: a click sorts, its edge resizes. */
export function ColumnHeader(props: ColumnHeaderProps) {
  const { column, place, width, handleFirst, sorted, onSort, onResize, onFit, tabStop, onTabStop, note } = props;
  const grow = handleFirst ? -1 : 1;
  const cell = useRef<HTMLDivElement>(null);
  const widthNow = () => cell.current!.offsetWidth;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.shiftKey) onTabStop(place + by);
    else if (width !== undefined) onResize(widthNow() + by * STEP);
  };
  const grabbed = useRef({ x: 0, width: 0 });
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    grabbed.current = { x: event.clientX, width: widthNow() };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onResize(grabbed.current.width + (event.clientX - grabbed.current.x) * grow);
  };
  return (
    <div
      ref={cell}
      role="columnheader"
      aria-label={column.title}
      aria-colindex={place + 1}
      aria-sort={sorted}
      style={width === undefined ? undefined : { width: `var(${widthVariable(column.id)})` }}
      // Its handle lies beside it, so nothing of it may be cut off.
      className={classNames('relative flex shrink-0', column.className, 'overflow-visible!')}
    >
      <button
        type="button"
        tabIndex={tabStop ? 0 : -1}
        data-place={place}
        title={column.sort ? `Sort by ${column.title}; Shift ← → resizes` : 'Shift ← → resizes'}
        onClick={onSort}
        onFocus={() => onTabStop(place)}
        onKeyDown={onKeyDown}
        className="min-w-0 flex-1 truncate text-inherit hover:text-text"
        style={{ textAlign: 'inherit' }}
      >
        {column.title}
        {sorted && <span aria-hidden="true">{sorted === 'descending' ? ' ↓' : ' ↑'}</span>}
      </button>
      {note !== undefined && <span className="shrink-0 pl-1">{note}</span>}
      {width !== undefined && (
        <div
          role="separator"
          aria-label={`Resize ${column.title}`}
          aria-orientation="vertical"
          aria-valuenow={width}
          tabIndex={-1}
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
