import type { CheckWorker } from '@/lib/problems/problem-feed';
import { WORKER_TYPE, workerAddress } from '@/lib/wire/worker-address';

/** Starts a Worker that checks one log's frames. */
export function startProblemsWorker(): CheckWorker {
  return new Worker(workerAddress('problems'), { type: WORKER_TYPE }) as CheckWorker;
}
