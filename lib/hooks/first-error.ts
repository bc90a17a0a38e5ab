import { useMemo } from 'react';
import type { Log } from '@/lib/store/log';
import { FirstError } from '@/lib/store/rows/first-error';
import { useLogSize } from './log';

/** Returns the seq of the first error of a log. */
export function useFirstError(log: Log): number | undefined {
  useLogSize(log);
  return useMemo(() => new FirstError(log), [log]).update();
}
