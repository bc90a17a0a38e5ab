import { COLUMNS, type Column, type ColumnId } from './columns';

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
