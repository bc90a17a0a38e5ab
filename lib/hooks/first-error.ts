import type { Log } from '@/lib/store/log';
import { FirstError } from '@/lib/store/rows/first-error';
import { useLogSize } from './log';

// The table and the status line ask for it, and a log is looked through once.
const FINDERS = new WeakMap<Log, FirstError>();

/** Returns the seq of the first error of a log. */
export function useFirstError(log: Log): number | undefined {
  useLogSize(log);
  const finder = FINDERS.get(log) ?? new FirstError(log);
  FINDERS.set(log, finder);
  return finder.update();
}
