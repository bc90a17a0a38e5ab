// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed and scrolled under a fixed header
// biome-ignore-all lint/a11y/useFocusableInteractive: its buttons have the focus
import { type RefObject, useRef, useState } from 'react';
import { formatDuration } from '@/components/ui/format';
import { ColumnHeader } from './column-header';
import { type Column, widthVariable } from './columns';
import { nextSort, type TableSort } from './table-sort';
import type { TimeRange } from './time-scale';
import type { ColumnSettings } from './use-column-settings';

/** The table's first row, which stays: a title for each column. One tab stop; arrow keys go from title to title. */
export function GridHeader({
  columns,
  sort,
  onSort,
  range,
  grid,
}: {
  readonly columns: ColumnSettings;
  readonly sort: TableSort | undefined;
  readonly onSort: (sort: TableSort | undefined) => void;
  /** What the waterfall shows. */
  readonly range: TimeRange | undefined;
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
    row.current?.querySelector<HTMLElement>(`[data-place="${next}"]`)?.focus();
  };
  const fitToView = (place: number, column: Column) => {
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
            onSort={() => onSort(nextSort(sort, column))}
            onResize={(width) => columns.resize(column.id, width)}
            onFit={() => fitToView(place, column)}
            tabStop={place === stop}
            onTabStop={go}
            note={column.id === 'waterfall' && range ? formatDuration(range.to - range.from) : undefined}
          />
        ))}
      </div>
    </div>
  );
}

/** The width of the widest thing in a column that is in view, found by leaving it no room for a moment. */
function fittingWidth(grid: HTMLElement, place: number, { id }: Column): number {
  const variable = widthVariable(id);
  const before = grid.style.getPropertyValue(variable);
  grid.style.setProperty(variable, '0px');
  const cells = grid.querySelectorAll(
    `[aria-colindex="${place + 1}"]:not([role=columnheader]), [data-place="${place}"]`,
  );
  const width = Math.max(...Array.from(cells, ({ scrollWidth }) => scrollWidth));
  grid.style.setProperty(variable, before);
  return width + 1;
}
