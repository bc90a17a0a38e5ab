import { availableParallelism } from 'node:os';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { BuildJob } from './build-tables';
import { type Building, BuildThread } from './build-thread';

/** Most recordings at a time. Each takes up to 600 MB. */
const MOST_THREADS = 4;

/** A recording to build, and what has to be done before and after. */
export interface PreparedJob extends BuildJob {
  /** Resolves with why it can't be built, in sentences. */
  before?(): Promise<string | undefined>;
  /** Called when it is built, even if that failed. */
  after(building: Building): Promise<void>;
  onProgress(progress: ReadingProgress): void;
}

/**
 * Builds the tables of recordings, several at a time. Rejects with the signal's reason once it is aborted, and with the
 * first error of `before` and `after`. By then, nothing is being built any more.
 */
export async function buildAll(jobs: readonly PreparedJob[], signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const left = [...jobs].reverse();
  const run = async () => {
    const thread = new BuildThread(either);
    try {
      for (let job = left.pop(); job; job = left.pop()) {
        either.throwIfAborted();
        const { before, after, onProgress, ...build } = job;
        const why = await before?.();
        await after(why === undefined ? await thread.build(build, onProgress) : { failed: why });
      }
    } catch (error) {
      failed.abort(error);
    } finally {
      await thread.end();
    }
  };
  const threads = Math.min(jobs.length, MOST_THREADS, availableParallelism());
  await Promise.all(Array.from({ length: threads }, run));
  either.throwIfAborted();
}
