import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { withSkipped } from '@/lib/problems/problem-feed';
import type { SkippedChecks } from '@/lib/problems/protocol-state';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { openErrorText } from '@/proxy/recorder/open-file';
import { type BuildJob, type BuiltTables, buildTables } from './build-tables';
import type { CheckedFrame, TableWorkerReply } from './table-worker';

/** The worker's file in the package. Absent where our source is run without the package: in tests. */
const WORKER = new URL('./table-worker.js', import.meta.url);

/** Milliseconds between two looks at a schema check. It is given up after `LIMITS.rulesMs` to twice that. */
const LOOK_MS = LIMITS.rulesMs;

/** A recording's tables, or why they could not be built. */
export type Building = BuiltTables | { readonly failed: string };

/** Builds the tables of one recording after another on a thread, which it starts when it is needed. */
export class BuildThread {
  readonly #signal: AbortSignal;
  #worker: Worker | undefined;
  /** Shared with the worker. */
  readonly #checked: CheckedFrame = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Builds the tables of a recording. Starts again without a schema check that takes too long. Rejects with the
   * signal's reason.
   */
  async build(job: BuildJob, onProgress: (progress: ReadingProgress) => void): Promise<Building> {
    if (!existsSync(WORKER)) return buildHere(job, onProgress);
    for (let skippedChecks: SkippedChecks | undefined; ; ) {
      const end = await this.#run({ ...job, skippedChecks }, onProgress);
      if (typeof end !== 'number') return end;
      skippedChecks = withSkipped(skippedChecks, end);
    }
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Resolves with the frame whose schema check had to be stopped, otherwise with the result. */
  async #run(job: BuildJob, onProgress: (progress: ReadingProgress) => void): Promise<Building | number> {
    this.#signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? new Worker(WORKER, { workerData: this.#checked, execArgv: [] });
      this.#worker = worker;
      this.#checked[0] = 0;
      let seen = 0;
      const end = () => {
        clearInterval(looking);
        this.#signal.removeEventListener('abort', onAbort);
        worker.off('message', onMessage);
        worker.off('error', onError);
      };
      const endThread = (settle: () => void) => {
        end();
        void this.end().then(settle);
      };
      const looking = setInterval(() => {
        const seq = Atomics.load(this.#checked, 0);
        if (seq !== 0 && seq === seen) endThread(() => resolve(seq));
        seen = seq;
      }, LOOK_MS);
      const onAbort = () => endThread(() => reject(this.#signal.reason));
      this.#signal.addEventListener('abort', onAbort);
      const onMessage = (reply: TableWorkerReply) => {
        if ('done' in reply) return onProgress(reply);
        end();
        resolve('built' in reply ? reply.built : reply);
      };
      const onError = (error: Error) => endThread(() => resolve({ failed: `${error.message}.` }));
      worker.on('message', onMessage);
      worker.on('error', onError);
      worker.postMessage(job);
    });
  }
}

function buildHere(job: BuildJob, onProgress: (progress: ReadingProgress) => void): Promise<Building> {
  return buildTables(job, { onProgress }).catch((error: unknown) => ({
    failed: openErrorText(error, 'after the query'),
  }));
}
