import { useEffect, useMemo, useReducer } from 'react';
import type { Log } from '../store/log';
import { useLogState } from './log';
import { useLogClock } from './log-clock';
import { hasEnded } from './moment';

/** Most calls that are followed; a flood of them says no more. */
const MOST = 20;

/**
 * Returns the seqs of calls that have been in flight for `ms` or longer, oldest first, so that nothing flashes. None in
 * an ended connection.
 */
export function useCallsInFlight(log: Log, ms: number): readonly number[] {
  // A text, so that it stays the same for the same calls.
  const all = useLogState(log, (state) => (hasEnded(state) ? '' : log.relations.inFlight(MOST).join(' ')));
  const now = useLogClock(log);
  const [due, tick] = useReducer((ticks: number) => ticks + 1, 0);
  const age = (seq: number) => (now() - log.columns.time(seq - 1)) / 1000;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock counts by itself; `due` says when to look
  const shown = useMemo(
    () =>
      all
        .split(' ')
        .filter(Boolean)
        .map(Number)
        .filter((seq) => age(seq) >= ms),
    [all, due, ms],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const left = all
      .split(' ')
      .filter(Boolean)
      .map((seq) => ms - age(Number(seq)))
      .filter((each) => each > 0);
    if (left.length === 0) return;
    const timer = setTimeout(tick, Math.min(...left) + 1);
    return () => clearTimeout(timer);
  }, [all, due, ms]);
  return shown;
}
