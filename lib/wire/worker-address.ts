import { pagePath } from './page-path';

/** Scripts that run in Workers of the page, bundled apart from it: see scripts/build-workers.mjs. */
export type WorkerName = 'problems' | 'regex' | 'schema' | 'share';

/** How a Worker's script is written. */
export const WORKER_TYPE: 'module' | 'classic' = 'module';

/** Where a Worker's script is. In the file that is viewer and recording at once, viewer/worker-address.ts stands in for this. */
export function workerAddress(name: WorkerName): string {
  return pagePath(`/workers/${name}.js`);
}
