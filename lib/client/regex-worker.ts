import type { RegexWorker } from '@/lib/filter/regex-search';
import { WORKER_TYPE, workerAddress } from '@/lib/wire/worker-address';

/** Starts a Worker that holds texts against regular expressions. */
export function startRegexWorker(): RegexWorker {
  return new Worker(workerAddress('regex'), { type: WORKER_TYPE }) as RegexWorker;
}
