import { useEffect, useState } from 'react';
import type { Log } from '@/lib/store/log';
import { countBefore, partOfList, type RowList } from '@/lib/store/row-list';
import { FOLLOWING, followAfterSort, followFrom, followStopped, NOT_YET } from './follow';
import type { TableSort } from './table-sort';
import { useSortedRows } from './use-sorted-rows';

/** What of the filtered rows the table shows, in which order, and whether it goes along with what arrives. */
export interface TableView {
  readonly list: RowList;
  readonly sort: TableSort | undefined;
  readonly onSort: (sort: TableSort | undefined) => void;
  readonly following: boolean;
  readonly onFollowing: (following: boolean) => void;
  readonly paused: boolean;
  readonly onPause: () => void;
  /** Rows that came since the view was paused, or since it stopped following. */
  readonly waiting: number;
  readonly cleared: boolean;
  /** Shows only what comes from now on. */
  readonly onClear: () => void;
  /** Shows all of the log again. */
  readonly onUndoClear: () => void;
}

/** `rows`: those that the filter lets through, in log order; another object for another filter. */
export function useTableView(log: Log, rows: RowList, startFollowing: boolean): TableView {
  // Places in the log, since what is before them depends on the filter.
  const [pausedAt, setPausedAt] = useState<number>();
  const [clearedAt, setClearedAt] = useState(0);
  const [follow, setFollow] = useState(startFollowing ? FOLLOWING : NOT_YET);
  const { stoppedAt } = follow;
  // What the log held when the page came to it is not new, however long it takes to get here.
  const caughtUp = log.size > 0 && log.size >= log.last ? log.size : undefined;
  useEffect(() => {
    if (caughtUp !== undefined) setFollow((before) => followFrom(before, caughtUp));
  }, [caughtUp]);
  const [sort, setSort] = useState<TableSort>();

  const inOrder = partOfList(rows, clearedAt, pausedAt ?? log.size);
  const sorted = useSortedRows(log, inOrder, sort, rows, clearedAt);
  const since = pausedAt ?? stoppedAt;
  const onFollowing = (following: boolean) => {
    setFollow((before) => (following ? FOLLOWING : followStopped(before, log.size)));
    if (following) setSort(undefined);
  };
  return {
    list: sorted ?? inOrder,
    sort,
    onSort: (next) => {
      setSort(next);
      setFollow((before) => followAfterSort(before, next !== undefined, log.size));
    },
    following: stoppedAt === undefined,
    onFollowing,
    paused: pausedAt !== undefined,
    onPause: () => setPausedAt(pausedAt === undefined ? log.size : undefined),
    waiting: since === undefined ? 0 : rows.count - countBefore(rows, Math.max(since, clearedAt)),
    cleared: clearedAt > 0,
    onClear: () => {
      setClearedAt(log.size);
      setPausedAt(undefined);
    },
    onUndoClear: () => setClearedAt(0),
  };
}
