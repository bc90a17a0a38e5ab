import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Log } from '@/lib/store/log';
import { countBefore, partOfList, type RowList, sortRows } from '@/lib/store/rows/row-list';
import type { SpanIndex } from '@/lib/store/telemetry/span-index';
import { inTreeOrder } from '@/lib/store/telemetry/tree-order';
import { sortOf, type TableSort } from './columns';

/** Which of the filtered rows the table shows, in which order, and whether it follows new ones. */
export interface TableView {
  readonly list: RowList;
  /** The frames of these rows, in log order. Several may be in one row. */
  readonly frames: RowList;
  readonly sort: TableSort | undefined;
  readonly onSort: (sort: TableSort | undefined) => void;
  readonly following: boolean;
  readonly onFollowing: (following: boolean) => void;
  readonly paused: boolean;
  readonly onPause: () => void;
  /** Number of frames that arrived since the view was paused or stopped following. */
  readonly waiting: number;
  /** All frames so far are in the page. */
  readonly loaded: boolean;
  readonly cleared: boolean;
  /** Hides all rows that are in the log now. */
  readonly onClear: () => void;
  readonly onUndoClear: () => void;
}

/**
 * `rows` are the filtered rows in log order; a new filter must come with a new object. `spans` put rows of spans in the
 * order of their tree, unless the table is sorted.
 */
export function useTableView(
  log: Log,
  rows: RowList & { readonly frames: RowList },
  startFollowing: boolean,
  spans: SpanIndex | undefined,
): TableView {
  // Sizes of the whole log, because positions in `rows` depend on the filter.
  const [pausedAt, setPausedAt] = useState<number>();
  const [clearedAt, setClearedAt] = useState(0);
  const [follow, setFollow] = useState(startFollowing ? FOLLOWING : NOT_YET);
  const { stoppedAt } = follow;
  // Frames that existed when the page opened are not new, however late they are loaded.
  const caughtUp = log.size > 0 && log.size >= log.last ? log.size : undefined;
  useEffect(() => {
    if (caughtUp !== undefined) setFollow((before) => followFrom(before, caughtUp));
  }, [caughtUp]);
  const [sort, setSort] = useState<TableSort>();

  const inOrder = partOfList(rows, clearedAt, pausedAt ?? log.size);
  const frames = partOfList(rows.frames, clearedAt, pausedAt ?? log.size);
  const sorted = useSortedRows(log, inOrder, sort, rows, clearedAt);
  const since = pausedAt ?? stoppedAt;
  const onFollowing = (following: boolean) => {
    setFollow((before) => (following ? FOLLOWING : followStopped(before, log.size)));
    if (following) setSort(undefined);
  };
  return {
    list: sort === undefined && spans ? inTreeOrder(log, inOrder, spans) : (sorted ?? inOrder),
    frames,
    sort,
    onSort: (next) => {
      setSort(next);
      setFollow((before) => followAfterSort(before, next !== undefined, log.size));
    },
    following: stoppedAt === undefined,
    onFollowing,
    paused: pausedAt !== undefined,
    onPause: () => setPausedAt(pausedAt === undefined ? log.size : undefined),
    waiting: since === undefined ? 0 : rows.frames.count - countBefore(rows.frames, Math.max(since, clearedAt)),
    loaded: caughtUp !== undefined,
    cleared: clearedAt > 0,
    onClear: () => {
      setClearedAt(log.size);
      setPausedAt(undefined);
    },
    onUndoClear: () => setClearedAt(0),
  };
}

/** Longest slice of sorting before the page gets a turn, in ms. */
const SLICE_MS = 8;
/** Shortest pause before a growing log is sorted again, in ms. */
const PAUSE_MS = 300;
/** The pause lasts at least this many times as long as the sorting. */
const PAUSE_FACTOR = 10;

/**
 * Returns the list sorted by `sort`, or undefined until it is sorted. A growing log is sorted again and again. Slices
 * and pauses keep the page responsive, even with a million rows.
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
          // Rows were removed from the list meanwhile.
          timer = setTimeout(begin, PAUSE_MS);
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
          else timer = setTimeout(again, PAUSE_MS);
        };
        timer = setTimeout(again, Math.max(PAUSE_MS, spent * PAUSE_FACTOR));
      };
      slice();
    };
    begin();
    return () => clearTimeout(timer);
  }, [log, wanted]);
  if (!wanted.sort) return list;
  return done?.for === wanted ? done.list : undefined;
}

/** Whether the table scrolls along with new rows. */
export interface Follow {
  /** Size of the log when following stopped; undefined while following. */
  readonly stoppedAt: number | undefined;
  /** Following stopped only because of a sort, and resumes when the sort is removed. */
  readonly resumes: boolean;
}

/** The initial state. */
export const FOLLOWING: Follow = { stoppedAt: undefined, resumes: false };

/** The initial state with a frame selected by the URL, while the log is still being loaded. */
export const NOT_YET: Follow = { stoppedAt: Number.POSITIVE_INFINITY, resumes: false };

/** Replaces {@link NOT_YET} once the log is loaded with `size` frames. */
export function followFrom(follow: Follow, size: number): Follow {
  return follow.stoppedAt === Number.POSITIVE_INFINITY ? { ...follow, stoppedAt: size } : follow;
}

/** Stops following for good, at `size` unless it stopped earlier. */
export function followStopped({ stoppedAt }: Follow, size: number): Follow {
  return { stoppedAt: stoppedAt ?? size, resumes: false };
}

/** Pauses following while the table is sorted, and resumes it afterwards. */
export function followAfterSort(follow: Follow, sorted: boolean, size: number): Follow {
  const { stoppedAt, resumes } = follow;
  if (sorted) return stoppedAt === undefined ? { stoppedAt: size, resumes: true } : follow;
  return resumes ? FOLLOWING : follow;
}
