import type { Log } from '@/lib/store/log';
import { type ResourceHistories, resourceHistories } from '@/lib/store/resource-history';
import { useLogState } from './log';

/** Returns what a log says about each resource, and renders again when that changes. */
export function useResourceHistories(log: Log): ResourceHistories {
  useLogState(log, () => resourceHistories(log).catchUp());
  return resourceHistories(log);
}
