import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { Segment } from '@/lib/hub/frame-log';
import { joinBytes } from '@/lib/json/typed-arrays';
import { isPlain } from '@/lib/recording/encode-lines';
import { hasTrigger } from '@/lib/redact/scan-text';

/** Frames to look at: the stored bytes of a segment. */
export interface LookWork {
  readonly count: number;
  readonly stored: Uint8Array<ArrayBuffer>;
}

/** For each frame, 1 if it is plain JSON and certainly holds no secret that was known when the look began. */
export type Looked = Uint8Array<ArrayBuffer>;

/**
 * Looks at frames before they are recorded. That takes most of the time of recording, depends on nothing that comes
 * before, and can run on another thread.
 */
export interface FirstLook {
  /** Resolves in order; with undefined if nobody could look. Never rejects. */
  at(segment: Segment): Promise<Looked | undefined>;
  /** Idempotent. */
  stop(): void;
}

/** Starts to look for the known values that begin as `starts` says; see `OtherTexts`. */
export type StartLook = (starts: Uint8Array) => FirstLook;

/** Looks at the frames of a segment. */
export function lookAtFrames({ count, stored }: LookWork, starts: Uint8Array): Looked {
  const segment = Segment.restore(1, count, stored);
  const known = { starts, mayBeginAt: () => true };
  const looked = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const frame = segment.frame(index);
    if (isPlain(frame) && !hasTrigger(frame.bytes, known)) looked[index] = 1;
  }
  return looked;
}

const workOf = (segment: Segment): LookWork => ({ count: segment.count, stored: joinBytes(segment.stored()) });

/** The worker's file in the package. Absent where our source is run without the package: in tests. */
const WORKER = new URL('./look-worker.js', import.meta.url);

const lookOnThread: StartLook = (starts) => {
  const waiting: ((looked: Looked | undefined) => void)[] = [];
  const worker = new Worker(WORKER, { workerData: starts, execArgv: [] });
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    void worker.terminate();
    for (const resolve of waiting.splice(0)) resolve(undefined);
  };
  worker.on('message', (looked: Looked) => waiting.shift()?.(looked));
  worker.on('error', stop);
  worker.on('exit', stop);
  return {
    at(segment) {
      if (isOver) return Promise.resolve(undefined);
      const work = workOf(segment);
      worker.postMessage(work, [work.stored.buffer]);
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    stop,
  };
};

const lookAtOnce: StartLook = (starts) => ({
  at: async (segment) => lookAtFrames(workOf(segment), starts),
  stop: () => {},
});

/** The way of looking that is possible here. */
export const lookHere: StartLook = existsSync(WORKER) ? lookOnThread : lookAtOnce;
