import type { Log } from '@/lib/store/log';
import { FirstError } from '@/lib/store/rows/first-error';
import { useLogSize } from './log';
import { useProblems } from './problems';

// The table and the status line ask for it, and a log is looked through once.
const FINDERS = new WeakMap<Log, FirstError>();

/** Returns the seq of the first error of a log, or of the first result that breaks its schema. */
export function useFirstError(log: Log): number | undefined {
  useLogSize(log);
  const { firstInvalidResult = Number.POSITIVE_INFINITY } = useProblems(log);
  const finder = FINDERS.get(log) ?? new FirstError(log);
  FINDERS.set(log, finder);
  const first = Math.min(finder.update() ?? Number.POSITIVE_INFINITY, firstInvalidResult);
  return Number.isFinite(first) ? first : undefined;
}
