import type { CheckWorker } from '@/lib/problems/problem-feed';

/** Bundled apart from the page: see scripts/build-workers.mjs. */
const SCRIPT = '/workers/problems.js';

/** Starts a Worker that checks one log's frames. */
export function startProblemsWorker(): CheckWorker {
  return new Worker(SCRIPT, { type: 'module' }) as CheckWorker;
}
