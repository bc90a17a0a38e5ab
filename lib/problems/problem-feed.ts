import { copiedFrames } from '@/lib/store/columns/frame-bytes';
import type { Log } from '@/lib/store/log';
import { type Clock, systemClock } from '@/lib/wire/clock';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { CheckDone, CheckJob, SchemaCheckStarted } from './problem';
import { ProblemList } from './problem-list';
import type { SkippedChecks } from './protocol-state';

/** Schemas that hang, beyond which no result of that log is held against one any more. */
const RULES_HANGS = 3;
/** Frames handed to the rules' worker at a time, and the bytes of them: one larger frame goes alone. */
export const CHECKED_FRAMES = 512;
const CHECKED_BYTES = 1024 * 1024;

/** What a feed needs of a Worker. */
export interface CheckWorker {
  postMessage(job: CheckJob, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: SchemaCheckStarted | CheckDone }) => void) | null;
  terminate(): void;
}

/**
 * Hands a log's frames to a worker as they come, a bounded number at a time and never more than one job ahead, so a log of a
 * million frames is shown at once and its problems come after. A worker that hangs, over a schema of a server's, is ended; another
 * one goes through the same frames again, without holding that result against its schema, and the rules say so.
 */
export class ProblemFeed {
  readonly list = new ProblemList();
  readonly #log: Log;
  readonly #makeWorker: () => CheckWorker;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  /** Of a worker that is to be ended when it hangs. */
  #callOff: () => void = () => {};
  /** seq of the result that the worker holds against a schema, or did last in this job. */
  #checking: number | undefined;
  /** Results that made it hang, and how often it hung over something else. */
  #unchecked: SkippedChecks | undefined;
  #hungBlindly = 0;
  #stopped = false;
  #worker: CheckWorker | undefined;
  #sent = 0;
  #checked = 0;
  #busy = false;
  #leave: (() => void) | undefined;

  /** `makeWorker` is called when there is something to check. */
  constructor(log: Log, makeWorker: () => CheckWorker, clock: Clock = systemClock) {
    this.#log = log;
    this.#makeWorker = makeWorker;
    this.#clock = clock;
  }

  /** The rules took too long over something that nobody knows: nothing more is checked. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Results that are not held against a schema, since that made the rules hang. */
  get unchecked(): SkippedChecks | undefined {
    return this.#unchecked;
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
    this.#callOff();
    this.#worker?.terminate();
    this.#busy = true;
  }

  #next(): void {
    if (this.#busy || this.#sent >= this.#log.size || this.#listeners.size === 0 || this.#waits()) return;
    const frames = copiedFrames(this.#portion());
    this.#busy = true;
    const unchecked = !this.#worker && this.#unchecked;
    this.#worker ??= this.#start();
    this.#checking = undefined;
    // The copy is the worker's: handed over, not copied once more.
    const transfer = frames.length > 0 ? [frames[0]!.bytes.buffer] : [];
    this.#worker.postMessage({ frames, ...(unchecked && { unchecked }) }, transfer);
    this.#watch();
  }

  /** From now on the worker has so long for the next thing that it says. */
  #watch(): void {
    this.#callOff();
    const ms = this.#checking === undefined ? LIMITS.rulesBlindMs : LIMITS.rulesMs;
    this.#callOff = this.#clock.after(ms, () => {
      // If the page itself stood still, the answer may be there already.
      this.#callOff = this.#clock.after(LIMITS.regexGraceMs, () => this.#hung());
    });
  }

  #hung(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    if (this.#checking !== undefined) this.#unchecked = without(this.#unchecked, this.#checking);
    else if (++this.#hungBlindly > 1) {
      this.#stopped = true;
      for (const listener of [...this.#listeners]) listener();
      return;
    }
    // What was found up to there is found again, and known.
    this.#sent = 0;
    this.#busy = false;
    this.#next();
  }

  /** True while the next frame, which left before the rules saw it, is on its way back. */
  #waits(): boolean {
    const log = this.#log;
    const next = this.#sent + 1;
    if (log.hasBytes(next) || log.wanted.isUnavailable(next)) return false;
    // What is still to come is shown first.
    if (log.last - log.size > LIMITS.farBehindFrames) return true;
    const end = Math.min(log.evictedUpTo, this.#sent + CHECKED_FRAMES);
    for (let seq = next; seq <= end; seq++) if (!log.hasBytes(seq)) log.wanted.want(seq);
    return true;
  }

  /** The next frames that are here; what is not to be had any more is left out. Lines of stderr are nobody's business and stay here. */
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
      if (frame.channel === 'stderr') continue;
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
        this.#watch();
        return;
      }
      this.#callOff();
      this.#busy = false;
      if (this.#sent > this.#checked) {
        this.#checked = this.#sent;
        this.list.addResults(data);
        for (const listener of [...this.#listeners]) listener();
      }
      this.#next();
    };
    return worker;
  }
}

/** One result more that is not checked; of too many, all that follow are not. */
function without(unchecked: SkippedChecks | undefined, seq: number): SkippedChecks {
  const seqs = [...(unchecked?.seqs ?? []), seq];
  return seqs.length > RULES_HANGS ? { seqs, from: seq } : { seqs };
}
