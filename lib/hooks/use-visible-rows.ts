import { useEffect, useMemo, useReducer, useState } from 'react';
import { asksForHttp, compileFilter } from '@/lib/filter/compile';
import type { FilterFault } from '@/lib/filter/fault';
import { parseFilter } from '@/lib/filter/parse';
import { printFilter } from '@/lib/filter/print';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import { VisibleRows } from '@/lib/store/visible-rows';
import { systemClock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';

/** The rows of a log that a filter lets through, as far as it was searched. */
export interface Filtered {
  readonly rows: VisibleRows;
  readonly count: number;
  /** What is wrong with the text. The rows are then those of the last text that had no fault. */
  readonly fault: FilterFault | undefined;
  /** Frames looked at, while some are not. */
  readonly searched: number | undefined;
}

/**
 * Holds a log against a filter, a slice of time after the other, so that the page stays alive however long the log is. To be
 * called again as the log grows. `withHttp`: rows that only tell how messages travelled are wanted, whatever the filter says.
 */
export function useVisibleRows(log: Log, text: string, withHttp: boolean, problems: ProblemList): Filtered {
  const parsed = useMemo(() => parseFilter(text), [text]);
  const [good, setGood] = useState('');
  const wanted = parsed.ok ? printFilter(parsed.filter) : good;
  if (wanted !== good) setGood(wanted);
  const { rows, problemsSeen } = useMemo(() => {
    const read = parseFilter(wanted);
    const filter = read.ok ? read.filter : undefined;
    const test = filter && compileFilter(filter, { log, problems });
    return {
      rows: new VisibleRows(log, test, withHttp || asksForHttp(filter)),
      problemsSeen: { count: problems.changes },
    };
  }, [log, wanted, withHttp, problems]);

  for (; problemsSeen.count < problems.changes; problemsSeen.count++) {
    rows.again(problems.changed(problemsSeen.count) - 1);
  }
  const until = systemClock.now() + LIMITS.filterSliceMs;
  const count = rows.update(() => systemClock.now() > until);

  const [, goOn] = useReducer((turn: number) => turn + 1, 0);
  const searched = rows.seen < log.size ? rows.seen : undefined;
  useEffect(() => {
    if (searched !== undefined) return systemClock.after(0, goOn);
  }, [searched]);
  return { rows, count, fault: parsed.ok ? undefined : parsed.fault, searched };
}
