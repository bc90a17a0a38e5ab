import { WORKER_TYPE, workerAddress } from '@/lib/wire/worker-address';
import type { ShareWorker } from './share-desk';

/** Starts a Worker that shares one log. */
export function startShareWorker(): ShareWorker {
  return new Worker(workerAddress('share'), { type: WORKER_TYPE }) as ShareWorker;
}
