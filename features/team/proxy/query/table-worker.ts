import { parentPort, workerData } from 'node:worker_threads';
import { openErrorText } from '@/proxy/recorder/open-file';
import { type BuildJob, type BuiltTables, buildTables } from './build-tables';

/** Shared with the worker: the frame whose schema check is running, 0 for none. */
export type CheckedFrame = Int32Array<SharedArrayBuffer>;

/** A message of the worker. After `built` or `failed` it takes the next job. */
export type TableWorkerReply =
  | { readonly done: number; readonly of: number }
  | { readonly built: BuiltTables }
  | { readonly failed: string };

const checked = workerData as CheckedFrame;
const port = parentPort!;

function reply(message: TableWorkerReply): void {
  port.postMessage(message);
}

port.on('message', (job: BuildJob) => {
  buildTables(job, {
    onProgress: (progress) => reply(progress),
    onSchemaCheck: (seq) => void Atomics.store(checked, 0, seq ?? 0),
  }).then(
    (built) => reply({ built }),
    (error: unknown) => reply({ failed: openErrorText(error, 'after the query') }),
  );
});
