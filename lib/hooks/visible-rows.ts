import { useEffect, useMemo, useReducer, useState } from 'react';
import { schedulePaint } from '@/lib/client/log-feed';
import { startRegexWorker } from '@/lib/client/workers';
import { asksForHidden, asksForText, compileFilter, expressionsOf } from '@/lib/filter/compile';
import { EvictedSearch } from '@/lib/filter/evicted-search';
import type { FilterSubject } from '@/lib/filter/keys/filter-key';
import type { FilterFault } from '@/lib/filter/language/grammar';
import { parseFilter, parseFinished } from '@/lib/filter/parse';
import { printFilter } from '@/lib/filter/print';
import { RegexSearch, type UnsearchedFrames } from '@/lib/filter/regex-search';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { systemClock } from '@/lib/wire/clock';
import { sharedByLog, useLogState } from './log';
import { useSpanIndex } from './telemetry';

/** Time for filtering rows before the page may draw, in ms. */
const FILTER_SLICE_MS = 24;

/** The rows of a log that match a filter, as far as it was searched. */
interface Filtered {
  readonly rows: VisibleRows;
  /** Number of rows, and of the frames in them. */
  readonly count: number;
  readonly frames: number;
  /** The error in the filter text. The rows then match its finished terms, or the last text without an error. */
  readonly fault: FilterFault | undefined;
  /** The filter that the rows match, in canonical form; '' for all. */
  readonly held: string;
  /** The search, until it has ended. */
  readonly search: RunningSearch | undefined;
  /** Number of frames that can't be searched, because nobody has their text any more. */
  readonly unavailable: number;
  /** Rows that a regular expression could not be tested on. */
  readonly trouble: UnsearchedFrames;
}

/** A search that has not ended. */
export interface RunningSearch {
  /** Number of frames searched, and of all. */
  readonly done: number;
  readonly of: number;
  /** The user stopped it. The rows are those that were found until then. */
  readonly stopped: boolean;
  /** Stops the search, or goes on with it. Another filter starts its own search. */
  readonly stop: (stopped: boolean) => void;
}

/**
 * Filters a log in time slices, so that the page stays responsive. Call it again as the log grows. `withHttp`: also
 * returns rows that only show how messages travelled.
 */
export function useVisibleRows(log: Log, text: string, withHttp: boolean, problems: ProblemList): Filtered {
  const parsed = useMemo(() => parseFilter(text), [text]);
  const [good, setGood] = useState('');
  const finished = parsed.ok ? parsed : parseFinished(text, parsed.fault);
  const wanted = finished ? printFilter(finished.filter) : good;
  if (wanted !== good) setGood(wanted);
  const hasNotes = useLogState(log, ({ notes }) => notes.frames > 0);
  const hasFolds = useLogState(log, ({ folded }) => folded > 0);
  const unfolded = UNFOLDED.use(log);
  const spans = useSpanIndex(log);
  const { rows, search, away, problemsSeen, folds } = useMemo(
    () => searchOf({ log, problems, spans }, wanted, { withHttp, hasNotes, hasFolds }),
    [log, wanted, withHttp, hasNotes, hasFolds, problems, spans],
  );

  if (folds.unfolded !== unfolded) {
    const toggled = [...folds.unfolded].filter((first) => !unfolded.has(first));
    toggled.push(...[...unfolded].filter((first) => !folds.unfolded.has(first)));
    folds.unfolded = unfolded;
    for (const first of toggled) for (const line of log.foldOf(first)?.lines ?? []) rows.recheck(line - 1);
  }
  for (; problemsSeen.count < problems.changes; problemsSeen.count++) {
    rows.recheck(problems.changed(problemsSeen.count) - 1);
  }
  const [stoppedSearch, setStoppedSearch] = useState<object>();
  const stopped = stoppedSearch === rows;
  const until = systemClock.now() + FILTER_SLICE_MS;
  const count = stopped ? rows.count : rows.update(() => systemClock.now() > until);

  const [, goOn] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => {
    if (stopped) return;
    let painting = false;
    return search.start((indexes) => {
      for (const index of indexes) rows.recheck(index);
      if (painting) return;
      painting = true;
      schedulePaint(() => {
        painting = false;
        goOn();
      });
    });
  }, [rows, search, stopped]);
  useEffect(() => (stopped ? undefined : away?.start(() => schedulePaint(goOn))), [away, stopped]);
  const { remaining } = rows;
  // After each rendering, since the rest of the rows may need another slice.
  useEffect(() => {
    if (remaining > 0 && !stopped) return systemClock.after(0, goOn);
  });
  const left = remaining + search.waiting + (away?.remaining ?? 0);
  const stop = (wantsStop: boolean) => setStoppedSearch(wantsStop ? rows : undefined);
  const running = { done: Math.max(0, log.size - left), of: log.size, stopped, stop };
  return {
    rows,
    count,
    frames: rows.frames.count,
    held: wanted,
    trouble: search.unsearched,
    unavailable: away?.unavailable ?? 0,
    fault: parsed.ok ? undefined : parsed.fault,
    search: left > 0 ? running : undefined,
  };
}

/** The kinds of rows that the table may hide, and whether the log has them. */
interface Has {
  readonly withHttp: boolean;
  readonly hasNotes: boolean;
  readonly hasFolds: boolean;
}

/** Hides notes, which are marks on other rows, and http frames unless they are wanted or show a failure. */
function hidesIn(log: Log, withHttp: boolean): (index: number) => boolean {
  return (index) => log.isNote(index) || (!withHttp && log.isHttpDetail(index));
}

/** Rows are tested against this. */
interface Searched extends FilterSubject {
  readonly problems: ProblemList;
}

function searchOf(subject: Searched, text: string, { withHttp, hasNotes, hasFolds }: Has) {
  const { log, problems } = subject;
  const parsed = parseFilter(text);
  const filter = parsed.ok ? parsed.filter : undefined;
  const deps = { makeWorker: startRegexWorker, clock: systemClock };
  const search = new RegexSearch(log, expressionsOf(filter), deps);
  const test = filter && compileFilter(filter, subject, search);
  const folds: { unfolded: ReadonlySet<number> } = { unfolded: new Set() };
  const hides = (hasNotes || !withHttp) && !asksForHidden(filter) ? hidesIn(log, withHttp) : undefined;
  const foldOf = (seq: number) => {
    const fold = log.foldOf(seq)?.lines;
    return fold && !folds.unfolded.has(fold[0]!) ? fold : undefined;
  };
  const rows = new VisibleRows(log, test, hides, hasFolds ? foldOf : undefined);
  const away = asksForText(filter) ? new EvictedSearch(log) : undefined;
  return { rows, search, away, problemsSeen: { count: problems.changes }, folds };
}

/** Folds whose frames are shown in the table, by the seq of the first. */
export const UNFOLDED = sharedByLog<ReadonlySet<number>>(new Set());

/** Shows or hides the frames of a fold. */
export function setUnfolded(log: Log, first: number, show: boolean): void {
  const before = UNFOLDED.get(log);
  if (before.has(first) === show) return;
  const after = new Set(before);
  if (show) after.add(first);
  else after.delete(first);
  UNFOLDED.set(log, after);
}

/** Returns the frame itself, or the first of the fold that hides it. */
export function shownSeq(log: Log, seq: number, unfolded: ReadonlySet<number>): number {
  const first = log.foldOf(seq)?.lines[0];
  return first === undefined || unfolded.has(first) ? seq : first;
}
