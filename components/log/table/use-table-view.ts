import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Log } from '@/lib/store/log';
import { countBefore, partOfList, type RowList, sortRows } from '@/lib/store/rows/row-list';
import { sortOf, type TableSort } from './columns';

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

/** Milliseconds of one portion of work, and of the rest between two sortings of a log that grows: the latter at least. */
const SLICE_MS = 8;
const REST_MS = 300;
/** The rest is as many times longer than the sorting took. */
const REST_FACTOR = 10;

/**
 * The list in the order that `sort` wants; undefined until that is found. Sorted anew as the log grows and answers come, in portions,
 * and with rests, so that a million rows take no long task and little of the time.
 */
function useSortedRows(
  log: Log,
  list: RowList,
  sort: TableSort | undefined,
  rows: RowList,
  from: number,
): RowList | undefined {
  const latest = useRef(list);
  useLayoutEffect(() => {
    latest.current = list;
  });
  const wanted = useMemo(() => ({ sort: sortOf(sort), rows, from }), [sort, rows, from]);
  const [done, setDone] = useState<{ readonly for: object; readonly list: RowList }>();
  useEffect(() => {
    const order = wanted.sort;
    if (!order) return;
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      const size = log.size;
      const { count } = latest.current;
      const work = sortRows(log, latest.current, order);
      let spent = 0;
      const slice = () => {
        const from = performance.now();
        let step: IteratorResult<void, RowList>;
        try {
          do step = work.next();
          while (!step.done && performance.now() - from < SLICE_MS);
        } catch {
          // Rows were taken out of the list meanwhile.
          timer = setTimeout(begin, REST_MS);
          return;
        }
        spent += performance.now() - from;
        if (!step.done) {
          timer = setTimeout(slice, 0);
          return;
        }
        setDone({ for: wanted, list: step.value });
        const again = () => {
          if (log.size !== size || latest.current.count !== count) begin();
          else timer = setTimeout(again, REST_MS);
        };
        timer = setTimeout(again, Math.max(REST_MS, spent * REST_FACTOR));
      };
      slice();
    };
    begin();
    return () => clearTimeout(timer);
  }, [log, wanted]);
  if (!wanted.sort) return list;
  return done?.for === wanted ? done.list : undefined;
}

/** Whether the table goes along with what arrives. */
export interface Follow {
  /** How many frames the log had when it stopped; undefined while it follows. */
  readonly stoppedAt: number | undefined;
  /** It followed when it was sorted, and goes on once it is in order again. */
  readonly resumes: boolean;
}

/** It does, as nobody has said otherwise. */
export const FOLLOWING: Follow = { stoppedAt: undefined, resumes: false };

/** Stopped from the start, with a log that is still being fetched. */
export const NOT_YET: Follow = { stoppedAt: Number.POSITIVE_INFINITY, resumes: false };

/** The log has been fetched: it had `size` frames. */
export function followFrom(follow: Follow, size: number): Follow {
  return follow.stoppedAt === Number.POSITIVE_INFINITY ? { ...follow, stoppedAt: size } : follow;
}

/** Stopped for good by somebody, now that the log has `size` frames, or before. */
export function followStopped({ stoppedAt }: Follow, size: number): Follow {
  return { stoppedAt: stoppedAt ?? size, resumes: false };
}

/** The same when the table is sorted, by whatever, or put in order again. */
export function followAfterSort(follow: Follow, sorted: boolean, size: number): Follow {
  const { stoppedAt, resumes } = follow;
  if (sorted) return stoppedAt === undefined ? { stoppedAt: size, resumes: true } : follow;
  return resumes ? FOLLOWING : follow;
}
