import { copiedFrames } from '@/lib/store/columns/frame-bytes';
import type { Log } from '@/lib/store/log';
import { type Clock, systemClock } from '@/lib/wire/clock';
import type { Channel, Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { CheckDone, ProblemJob, SchemaCheckStarted } from './problem';
import { ProblemList } from './problem-list';
import type { SkippedChecks } from './protocol-state';

/** After more hangs than this, all further schema checks of the log are skipped. */
const RULES_HANGS = 3;
/** Frames and bytes sent to the worker per job. A larger frame is sent alone. */
export const CHECKED_FRAMES = 512;
const CHECKED_BYTES = 1024 * 1024;
/** Channels that the rules look at. */
const CHECKED_CHANNELS: ReadonlySet<Channel> = new Set<Channel>(['protocol', 'http', 'lifecycle', 'intercept']);

/** The part of `Worker` that the feed uses. */
export interface CheckWorker {
  postMessage(job: ProblemJob, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: SchemaCheckStarted | CheckDone }) => void) | null;
  terminate(): void;
}

/**
 * Sends a log's frames to the rules worker in bounded jobs, one at a time. A log of a million frames is therefore shown
 * at once and its problems appear later. If the worker hangs on a server's schema, it is terminated. A new worker
 * checks the same frames again without that schema check, and the rule `output-unchecked` reports it.
 */
export class ProblemFeed {
  readonly list = new ProblemList();
  readonly #log: Log;
  readonly #makeWorker: () => CheckWorker;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  /** Stops the timer that detects a hanging worker. */
  #stopTimer: () => void = () => {};
  /** seq of the result that the worker last started to check against a schema in this job. */
  #checking: number | undefined;
  /** Results on which a worker hung. */
  #skippedChecks: SkippedChecks | undefined;
  #unexplainedHangs = 0;
  #stopped = false;
  #worker: CheckWorker | undefined;
  #sent = 0;
  #checked = 0;
  #busy = false;
  #unsubscribe: (() => void) | undefined;
  #waits: boolean;

  /**
   * Calls `makeWorker` when there is something to check. `waits`: checks nothing before `start`, because checking reads
   * all frames, which takes long where they are.
   */
  constructor(log: Log, makeWorker: () => CheckWorker, clock: Clock = systemClock, waits = false) {
    this.#log = log;
    this.#makeWorker = makeWorker;
    this.#clock = clock;
    this.#waits = waits;
  }

  /** True until `start` is called, if it has to be called. */
  get waits(): boolean {
    return this.#waits;
  }

  /** Begins to check. */
  start(): void {
    this.#waits = false;
    for (const listener of [...this.#listeners]) listener();
    this.#sendNext();
  }

  /** True once checking has stopped, because the rules took too long for an unknown reason. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Results that are not checked against a schema, because a worker hung on them. */
  get skippedChecks(): SkippedChecks | undefined {
    return this.#skippedChecks;
  }

  /** Number of frames checked. */
  get checked(): number {
    return this.#checked;
  }

  /** Calls back on each change. Frames are checked while there is a listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#unsubscribe ??= this.#log.subscribe(() => this.#sendNext());
    this.#sendNext();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  };

  /** Terminates the worker. The feed cannot be used afterwards. */
  close(): void {
    this.#unsubscribe?.();
    this.#stopTimer();
    this.#worker?.terminate();
    this.#busy = true;
  }

  #sendNext(): void {
    if (this.#waits || this.#busy || this.#sent >= this.#log.size || this.#listeners.size === 0 || this.#isLoading())
      return;
    const frames = copiedFrames(this.#portion());
    this.#busy = true;
    const skippedChecks = this.#worker ? undefined : this.#skippedChecks;
    this.#worker ??= this.#start();
    this.#checking = undefined;
    // Transfer the copy instead of copying it again.
    const transfer = frames.length > 0 ? [frames[0]!.bytes.buffer] : [];
    this.#worker.postMessage({ frames, ...(skippedChecks && { skippedChecks }) }, transfer);
    this.#restartTimer();
  }

  /** Restarts the time limit for the worker's next message. */
  #restartTimer(): void {
    this.#stopTimer();
    const ms = this.#checking === undefined ? LIMITS.rulesBlindMs : LIMITS.rulesMs;
    this.#stopTimer = this.#clock.after(ms, () => {
      // If the page itself was blocked, the reply may already be queued.
      this.#stopTimer = this.#clock.after(LIMITS.regexGraceMs, () => this.#onTimeout());
    });
  }

  #onTimeout(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    if (this.#checking !== undefined) this.#skippedChecks = withSkipped(this.#skippedChecks, this.#checking);
    else if (++this.#unexplainedHangs > 1) {
      this.#stopped = true;
      for (const listener of [...this.#listeners]) listener();
      return;
    }
    // Results of frames that were already checked are ignored the second time.
    this.#sent = 0;
    this.#busy = false;
    this.#sendNext();
  }

  /** Returns true while the next frame is being loaded again, because it was evicted before it was checked. */
  #isLoading(): boolean {
    const log = this.#log;
    const next = this.#sent + 1;
    if (log.hasBytes(next) || log.wanted.isUnavailable(next)) return false;
    // New frames have priority.
    if (log.last - log.size > LIMITS.farBehindFrames) return true;
    const end = Math.min(log.evictedUpTo, this.#sent + CHECKED_FRAMES);
    for (let seq = next; seq <= end; seq++) if (!log.hasBytes(seq)) log.wanted.want(seq);
    return true;
  }

  /** Returns the next available frames. Skips unavailable ones, and channels for which there are no rules. */
  #portion(): Frame[] {
    const frames: Frame[] = [];
    let bytes = 0;
    const end = this.#sent < this.#checked ? this.#checked : this.#log.size;
    while (this.#sent < end && frames.length < CHECKED_FRAMES && bytes < CHECKED_BYTES) {
      if (!this.#log.hasBytes(this.#sent + 1)) {
        if (!this.#log.wanted.isUnavailable(this.#sent + 1)) break;
        this.#sent++;
        continue;
      }
      const frame = this.#log.frame(this.#sent++);
      if (!CHECKED_CHANNELS.has(frame.channel)) continue;
      bytes += frame.bytes.length;
      frames.push(frame);
    }
    return frames;
  }

  #start(): CheckWorker {
    const worker = this.#makeWorker();
    worker.onmessage = ({ data }) => {
      if (worker !== this.#worker) return;
      if ('checking' in data) {
        this.#checking = data.checking;
        this.#restartTimer();
        return;
      }
      this.#stopTimer();
      this.#busy = false;
      if (this.#sent > this.#checked) {
        this.#checked = this.#sent;
        this.list.addResults(data);
        for (const listener of [...this.#listeners]) listener();
      }
      this.#sendNext();
    };
    return worker;
  }
}

/** Adds a result to skip. After too many, all later results are skipped. */
export function withSkipped(skipped: SkippedChecks | undefined, seq: number): SkippedChecks {
  const seqs = [...(skipped?.seqs ?? []), seq];
  return seqs.length > RULES_HANGS ? { seqs, from: seq } : { seqs };
}
