import { pagePath } from './page-path';

/** Scripts of the page's Workers, which scripts/build-workers.mjs bundles. */
export type WorkerName = 'highlight' | 'pdf' | 'problems' | 'regex' | 'schema' | 'share';

/** Script type of Workers. */
export const WORKER_TYPE: 'module' | 'classic' = 'module';

/** Returns the address of a Worker's script. In the single-file viewer, viewer/worker-address.ts replaces this file. */
export function workerAddress(name: WorkerName): string {
  return pagePath(`/workers/${name}.js`);
}
