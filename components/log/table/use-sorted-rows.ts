import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Log } from '@/lib/store/log';
import type { RowList } from '@/lib/store/row-list';
import { sortRows } from '@/lib/store/sorted-rows';
import { sortOf, type TableSort } from './table-sort';

/** Milliseconds of one portion of work, and of the rest between two sortings of a log that grows: the latter at least. */
const SLICE_MS = 8;
const REST_MS = 300;
/** The rest is as many times longer than the sorting took. */
const REST_FACTOR = 10;

/**
 * The list in the order that `sort` wants; undefined until that is found. Sorted anew as the log grows and answers come, in portions,
 * and with rests, so that a million rows take no long task and little of the time.
 */
export function useSortedRows(
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
