import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { withSkipped } from '@/lib/problems/problem-feed';
import type { SkippedChecks } from '@/lib/problems/protocol-state';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { openErrorText } from '@/proxy/recorder/open-file';
import { type BuildJob, type BuiltTables, buildTables } from './build-tables';
import type { CheckedFrame, WorkerReply } from './table-worker';

/** The worker's file in the package. Absent where our source is run without the package: in tests. */
const WORKER = new URL('./table-worker.js', import.meta.url);

/** Most recordings at a time. Each takes up to 600 MB. */
const MOST_WORKERS = 4;

/** Milliseconds between two looks at a schema check. It is given up after `LIMITS.rulesMs` to twice that. */
const LOOK_MS = LIMITS.rulesMs;

/** A recording to build, and what has to be done before and after. */
export interface PreparedJob extends BuildJob {
  /** Resolves with why it can't be built, in sentences. */
  before?(): Promise<string | undefined>;
  after?(): Promise<void>;
}

/** A recording's tables, or why they could not be built. */
export type Building = BuiltTables | { readonly failed: string };

/**
 * Builds the tables of recordings, several at a time, each on a thread. Rejects with the signal's reason once it is
 * aborted. `onProgress` has the index of the job.
 */
export async function buildAll(
  jobs: readonly PreparedJob[],
  onProgress: (job: number, progress: ReadingProgress) => void,
  signal: AbortSignal,
): Promise<readonly Building[]> {
  const results: Building[] = [];
  let next = 0;
  const run = async () => {
    while (next < jobs.length) {
      signal.throwIfAborted();
      const at = next++;
      const { before, after, ...job } = jobs[at]!;
      const failed = await before?.();
      const build = existsSync(WORKER) ? buildOnThread : buildHere;
      results[at] =
        failed === undefined ? await build(job, (progress) => onProgress(at, progress), signal) : { failed };
      await after?.();
    }
  };
  const threads = Math.min(jobs.length, MOST_WORKERS, availableParallelism());
  await Promise.all(Array.from({ length: threads }, run));
  return results;
}

function buildHere(job: BuildJob, onProgress: (progress: ReadingProgress) => void): Promise<Building> {
  return buildTables(job, { onProgress }).catch((error: unknown) => ({
    failed: openErrorText(error, 'after the query'),
  }));
}

/** Builds on a thread. Starts again without a schema check that takes too long. */
async function buildOnThread(
  job: BuildJob,
  onProgress: (progress: ReadingProgress) => void,
  signal: AbortSignal,
): Promise<Building> {
  for (let skippedChecks: SkippedChecks | undefined; ; ) {
    const end = await runWorker({ ...job, skippedChecks }, onProgress, signal);
    if (typeof end !== 'number') return end;
    skippedChecks = withSkipped(skippedChecks, end);
  }
}

/** Resolves with the frame whose schema check had to be stopped, otherwise with the result. */
function runWorker(
  job: BuildJob,
  onProgress: (progress: ReadingProgress) => void,
  signal: AbortSignal,
): Promise<Building | number> {
  return new Promise((resolve, reject) => {
    const checked: CheckedFrame = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(WORKER, { workerData: checked, execArgv: [] });
    let seen = 0;
    const end = (settle: () => void) => {
      clearInterval(looking);
      signal.removeEventListener('abort', onAbort);
      void worker.terminate().then(settle);
    };
    const looking = setInterval(() => {
      const seq = Atomics.load(checked, 0);
      if (seq !== 0 && seq === seen) end(() => resolve(seq));
      seen = seq;
    }, LOOK_MS);
    const onAbort = () => end(() => reject(signal.reason));
    signal.addEventListener('abort', onAbort);
    worker.on('message', (reply: WorkerReply) => {
      if ('done' in reply) onProgress(reply);
      else end(() => resolve('built' in reply ? reply.built : reply));
    });
    worker.on('error', (error) => end(() => resolve({ failed: `${error.message}.` })));
    worker.postMessage(job);
  });
}
