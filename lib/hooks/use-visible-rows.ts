import { useEffect, useMemo, useReducer, useState } from 'react';
import { paint } from '@/lib/client/paint';
import { startRegexWorker } from '@/lib/client/regex-worker';
import { AwaySearch } from '@/lib/filter/away-search';
import { asksForHidden, asksForText, compileFilter, expressionsOf } from '@/lib/filter/compile';
import type { FilterFault } from '@/lib/filter/fault';
import { parseFilter } from '@/lib/filter/parse';
import { printFilter } from '@/lib/filter/print';
import { RegexSearch, type RegexTrouble } from '@/lib/filter/regex-search';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import { VisibleRows } from '@/lib/store/visible-rows';
import { systemClock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { useLogState } from './use-log';

/** The rows of a log that a filter lets through, as far as it was searched. */
export interface Filtered {
  readonly rows: VisibleRows;
  readonly count: number;
  /** What is wrong with the text. The rows are then those of the last text that had no fault. */
  readonly fault: FilterFault | undefined;
  /** The text that the rows fit, as it is written plainly; '' for all. */
  readonly held: string;
  /** Frames looked at, while some are not. */
  readonly searched: number | undefined;
  /** Frames whose text left the page, and that words were not looked for in yet. */
  readonly unsearched: number;
  /** Rows that a regular expression could not be held against. */
  readonly trouble: RegexTrouble;
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
  const hasNotes = useLogState(log, ({ notes }) => notes.frames > 0);
  const { rows, search, away, problemsSeen } = useMemo(
    () => searchOf(log, wanted, withHttp, hasNotes, problems),
    [log, wanted, withHttp, hasNotes, problems],
  );

  for (; problemsSeen.count < problems.changes; problemsSeen.count++) {
    rows.again(problems.changed(problemsSeen.count) - 1);
  }
  const until = systemClock.now() + LIMITS.filterSliceMs;
  const count = rows.update(() => systemClock.now() > until);

  const [, goOn] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => {
    let painting = false;
    return search.start((indexes) => {
      for (const index of indexes) rows.again(index);
      if (painting) return;
      painting = true;
      paint(() => {
        painting = false;
        goOn();
      });
    });
  }, [rows, search]);
  useEffect(() => away?.start(() => paint(goOn)), [away]);
  const { left } = rows;
  // At each rendering: as many may have come as were looked at, and then there is more to do.
  useEffect(() => {
    if (left > 0) return systemClock.after(0, goOn);
  });
  const searched = left + search.waiting > 0 ? Math.max(0, log.size - left - search.waiting) : undefined;
  const fault = parsed.ok ? undefined : parsed.fault;
  return { rows, count, fault, held: wanted, searched, unsearched: away?.left ?? 0, trouble: search.trouble };
}

/** Notes are not rows but marks on rows; http frames are rows where they are wanted, or tell of a failure. */
function hidesIn(log: Log, withHttp: boolean): (index: number) => boolean {
  return (index) => log.isNote(index) || (!withHttp && log.isPlainHttp(index));
}

function searchOf(log: Log, text: string, withHttp: boolean, hasNotes: boolean, problems: ProblemList) {
  const parsed = parseFilter(text);
  const filter = parsed.ok ? parsed.filter : undefined;
  const deps = { makeWorker: startRegexWorker, clock: systemClock };
  const search = new RegexSearch(log, expressionsOf(filter), deps);
  const test = filter && compileFilter(filter, { log, problems }, search);
  const hides = hasNotes || !withHttp ? hidesIn(log, withHttp) : undefined;
  const rows = new VisibleRows(log, test, asksForHidden(filter) ? undefined : hides);
  const away = asksForText(filter) ? new AwaySearch(log) : undefined;
  return { rows, search, away, problemsSeen: { count: problems.changes } };
}
