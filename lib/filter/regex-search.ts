import { type Column, uint32 } from '@/lib/json/typed-arrays';
import type { Log } from '@/lib/store/log';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { REGEX_FAILED, type RegexJob, type RegexReply, type RegexSource } from './regex-job';

/** Frames handed to it at a time, and the bytes of them: one larger frame goes alone. */
const REGEX_FRAMES = 1024;
const REGEX_BYTES = 512 * 1024;

/** What is used of a Worker. */
export interface RegexWorker {
  postMessage(job: RegexJob, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: RegexReply }) => void) | null;
  onerror: (() => void) | null;
  terminate(): void;
}

export interface RegexSearchDeps {
  readonly makeWorker: () => RegexWorker;
  readonly clock: Clock;
}

/** Why some rows have no answer. */
export interface UnsearchedFrames {
  /** The expression never ended there, and was given up. */
  readonly skipped: readonly number[];
  /** The expression ran out of stack there. */
  readonly failed: readonly number[];
  /** No frame is searched any more: too many were skipped, or the worker can't be had. */
  readonly stopped?: 'skipped' | 'no-worker';
}

const ASKED = 0x40;
const ANSWERED = 0x80;

/**
 * Which rows of one log some expressions fit, found out in a worker as rows are asked for. An expression that takes too long is
 * ended with its worker, and the frames it was looking at are given to another one by one, so that only the guilty is skipped.
 */
export class RegexSearch {
  readonly #log: Log;
  readonly #expressions: readonly RegexSource[];
  readonly #deps: RegexSearchDeps;
  readonly #listeners = new Set<(indexes: readonly number[]) => void>();
  /** By row: whether it was asked for and answered, and a bit for each expression that fits. */
  #rows = new Uint8Array(1024);
  readonly #queue: Column = uint32();
  #queued = 0;
  /** How much of the queue is over and done with. */
  #done = 0;
  /** Frames to go alone, until the queue is here. */
  #singlyUntil = 0;
  #job: readonly number[] = [];
  /** Where in the queue the job ends. */
  #jobEnd = 0;
  #worker: RegexWorker | undefined;
  #ready = false;
  #running = false;
  #stopClock: (() => void) | undefined;
  #trouble: UnsearchedFrames = { skipped: [], failed: [] };

  /** At most `FILTER_EXPRESSIONS` expressions. Nothing runs before {@link start}. */
  constructor(log: Log, expressions: readonly RegexSource[], deps: RegexSearchDeps) {
    this.#log = log;
    this.#expressions = expressions;
    this.#deps = deps;
  }

  /** Rows asked for that have no answer yet. */
  get waiting(): number {
    return this.#trouble.stopped ? 0 : this.#queued - this.#done;
  }

  /** The same object until something goes wrong. */
  get unsearched(): UnsearchedFrames {
    return this.#trouble;
  }

  /**
   * The test for one of the expressions: undefined while it is not known, which asks for it. Of a frame whose bytes left it is
   * not known either, and has to be asked for again once they are back.
   */
  testFor({ source, flags }: RegexSource): (index: number) => boolean | undefined {
    const bit = 1 << this.#expressions.findIndex((one) => one.source === source && one.flags === flags);
    return (index) => {
      const row = this.#rows[index] ?? 0;
      if (row & ANSWERED) return (row & bit) !== 0;
      if (!(row & ASKED) && this.#log.hasBytes(index + 1)) this.#ask(index);
      return undefined;
    };
  }

  /** Runs, until the returned function is called. `answered` hears of rows whose answer is here. */
  start(answered: (indexes: readonly number[]) => void): () => void {
    this.#listeners.add(answered);
    this.#running = true;
    this.#next();
    return () => {
      this.#listeners.delete(answered);
      this.#running = false;
      this.#end();
      // What was under way is given out again.
      this.#job = [];
    };
  }

  #ask(index: number): void {
    if (index >= this.#rows.length) {
      const grown = new Uint8Array(Math.max(2 * this.#rows.length, index + 1));
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#rows[index] = ASKED;
    this.#queue.push(index);
    this.#queued++;
    // After the turn that asks: it may ask for many.
    if (this.#running && this.#job.length === 0 && this.waiting === 1) queueMicrotask(() => this.#next());
  }

  #next(): void {
    if (!this.#running || this.#job.length > 0 || this.waiting === 0) return;
    if (!this.#worker) this.#startWorker();
    if (!this.#ready) return;
    this.#job = this.#portion();
    if (this.#job.length === 0) {
      this.#done = this.#jobEnd;
      this.#tell([]);
      return;
    }
    const frames = this.#job.map((index) => this.#log.bytes(index));
    // Not those of the columns: nothing is here of what left the page.
    const lengths = Uint32Array.from(frames, ({ length }) => length);
    const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const frame of frames) {
      bytes.set(frame, at);
      at += frame.length;
    }
    this.#worker!.postMessage({ expressions: this.#expressions, bytes, lengths }, [bytes.buffer, lengths.buffer]);
    // If the page itself stood still, the answer may be waiting behind this alarm: it gets a turn.
    const { clock } = this.#deps;
    this.#stopClock = clock.after(LIMITS.regexMs, () => {
      this.#stopClock = clock.after(LIMITS.regexGraceMs, () => this.#tooLong());
    });
  }

  /** The next rows; one that may hang alone. None if the bytes of all that were asked for have left meanwhile. */
  #portion(): number[] {
    const most = this.#done < this.#singlyUntil ? 1 : REGEX_FRAMES;
    const indexes: number[] = [];
    let next = this.#done;
    for (let bytes = 0; next < this.#queued && indexes.length < most && bytes < REGEX_BYTES; ) {
      const index = this.#queue.get(next++);
      if (!this.#log.hasBytes(index + 1)) {
        // So that it may be asked for again.
        this.#rows[index]! &= ~ASKED;
        continue;
      }
      bytes += this.#log.columns.bytes.length(index);
      indexes.push(index);
    }
    this.#jobEnd = next;
    return indexes;
  }

  #startWorker(): void {
    const worker = this.#deps.makeWorker();
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      if (worker !== this.#worker) return;
      if (data === 'ready') this.#ready = true;
      else this.#answered(data);
      this.#next();
    };
    worker.onerror = () => {
      this.#end();
      this.#giveUp({ ...this.#trouble, stopped: 'no-worker' });
    };
  }

  #answered(masks: Uint8Array): void {
    this.#stopClock?.();
    const job = this.#job;
    this.#job = [];
    this.#done = this.#jobEnd;
    job.forEach((index, at) => {
      this.#rows[index] = ANSWERED | (masks[at]! & ~REGEX_FAILED);
    });
    const failed = job.filter((_, at) => masks[at]! & REGEX_FAILED).map((index) => index + 1);
    if (failed.length > 0) this.#trouble = { ...this.#trouble, failed: [...this.#trouble.failed, ...failed] };
    this.#tell(job);
  }

  #tooLong(): void {
    this.#end();
    const job = this.#job;
    this.#job = [];
    if (job.length > 1) {
      this.#singlyUntil = this.#jobEnd;
    } else {
      this.#done = this.#jobEnd;
      this.#rows[job[0]!] = ANSWERED;
      const skipped = [...this.#trouble.skipped, job[0]! + 1];
      const enough = skipped.length >= LIMITS.regexSkips;
      this.#giveUp({ ...this.#trouble, skipped, ...(enough && { stopped: 'skipped' as const }) });
    }
    this.#next();
  }

  #giveUp(trouble: UnsearchedFrames): void {
    this.#trouble = trouble;
    this.#tell([]);
  }

  #tell(indexes: readonly number[]): void {
    for (const listener of [...this.#listeners]) listener(indexes);
  }

  #end(): void {
    this.#stopClock?.();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = false;
  }
}
