import { copiedFrames } from '@/lib/store/copied-frames';
import type { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { CheckDone, CheckJob } from './job';
import { ProblemList } from './problem-list';

/** What a feed needs of a Worker. */
export interface CheckWorker {
  postMessage(job: CheckJob, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: CheckDone }) => void) | null;
  terminate(): void;
}

/**
 * Hands a log's frames to a worker as they come, a bounded number at a time and never more than one job ahead, so a log of a
 * million frames is shown at once and its problems come after.
 */
export class ProblemFeed {
  readonly list = new ProblemList();
  readonly #log: Log;
  readonly #makeWorker: () => CheckWorker;
  readonly #listeners = new Set<() => void>();
  #worker: CheckWorker | undefined;
  #sent = 0;
  #checked = 0;
  #busy = false;
  #leave: (() => void) | undefined;

  /** `makeWorker` is called when there is something to check. */
  constructor(log: Log, makeWorker: () => CheckWorker) {
    this.#log = log;
    this.#makeWorker = makeWorker;
  }

  /** Frames that the rules have seen. */
  get checked(): number {
    return this.#checked;
  }

  /** Calls back at each change; checks for as long as anybody listens. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#leave ??= this.#log.subscribe(() => this.#next());
    this.#next();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#leave?.();
      this.#leave = undefined;
    };
  };

  /** Ends the worker. The feed is of no more use. */
  close(): void {
    this.#leave?.();
    this.#worker?.terminate();
    this.#busy = true;
  }

  #next(): void {
    if (this.#busy || this.#sent >= this.#log.size || this.#listeners.size === 0 || this.#waits()) return;
    const frames = copiedFrames(this.#portion());
    this.#busy = true;
    this.#worker ??= this.#start();
    // The copy is the worker's: handed over, not copied once more.
    this.#worker.postMessage({ frames }, frames.length > 0 ? [frames[0]!.bytes.buffer] : []);
  }

  /** True while the next frame, which left before the rules saw it, is on its way back. */
  #waits(): boolean {
    const log = this.#log;
    const next = this.#sent + 1;
    if (log.isHere(next)) return false;
    // What is still to come is shown first.
    if (log.last - log.size > LIMITS.farBehindFrames) return true;
    const end = Math.min(log.leftUpTo, this.#sent + LIMITS.checkedFrames);
    for (let seq = next; seq <= end; seq++) if (!log.isHere(seq)) log.wanted.want(seq);
    return true;
  }

  /** The next frames that are here. Lines of stderr are nobody's business and stay here. */
  #portion(): Frame[] {
    const frames: Frame[] = [];
    let bytes = 0;
    while (this.#sent < this.#log.size && frames.length < LIMITS.checkedFrames && bytes < LIMITS.checkedBytes) {
      if (!this.#log.isHere(this.#sent + 1)) break;
      const frame = this.#log.frame(this.#sent++);
      if (frame.channel === 'stderr') continue;
      bytes += frame.bytes.length;
      frames.push(frame);
    }
    return frames;
  }

  #start(): CheckWorker {
    const worker = this.#makeWorker();
    worker.onmessage = ({ data }) => {
      this.#busy = false;
      this.#checked = this.#sent;
      this.list.take(data);
      for (const listener of [...this.#listeners]) listener();
      this.#next();
    };
    return worker;
  }
}
