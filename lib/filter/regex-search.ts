import { type NumberColumn, uint32 } from '@/lib/json/typed-arrays';
import type { Log } from '@/lib/store/log';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { RegexSource } from './language/ast';
import { REGEX_FAILED, type RegexJob, type RegexReply } from './regex-job';

/** Milliseconds after which a job counts as hanging. */
export const REGEX_MS = 700;
/** The search stops after this many frames on which the worker hangs. */
export const REGEX_SKIPS = 3;
/** Frames and bytes sent to the worker per job. A larger frame is sent alone. */
const REGEX_FRAMES = 1024;
const REGEX_BYTES = 512 * 1024;

/** The part of `Worker` that is used here. */
export interface RegexWorker {
  postMessage(job: RegexJob, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: RegexReply }) => void) | null;
  onerror: (() => void) | null;
  terminate(): void;
}

interface RegexSearchDeps {
  readonly makeWorker: () => RegexWorker;
  readonly clock: Clock;
}

/** The frames that could not be searched. */
export interface UnsearchedFrames {
  /** Frames on which the expression took too long. */
  readonly skipped: readonly number[];
  /** Frames on which the expression ran out of stack. */
  readonly failed: readonly number[];
  /** The search has stopped, because too many frames were skipped or the worker failed to start. */
  readonly stopped?: 'skipped' | 'no-worker';
}

/** Flags in a row's result byte: sent or queued, and answered. */
const ASKED = 0x40;
const ANSWERED = 0x80;

/**
 * Searches the rows of a log with regular expressions, in a worker and on demand. If a job takes too long, the worker
 * is terminated. A new worker then gets the job's frames one by one, so that only the frame that hangs is skipped.
 */
export class RegexSearch {
  readonly #log: Log;
  readonly #expressions: readonly RegexSource[];
  readonly #deps: RegexSearchDeps;
  readonly #listeners = new Set<(indexes: readonly number[]) => void>();
  /** By row: the flags ASKED and ANSWERED, and a bit for each matching expression. */
  #rows = new Uint8Array(1024);
  readonly #queue: NumberColumn = uint32();
  #queued = 0;
  /** Finished entries of the queue. */
  #done = 0;
  /** Queue entries before this index are sent one by one. */
  #oneByOneUntil = 0;
  #job: readonly number[] = [];
  /** End of the job in the queue. */
  #jobEnd = 0;
  #worker: RegexWorker | undefined;
  #ready = false;
  #running = false;
  #stopTimer: (() => void) | undefined;
  #unsearched: UnsearchedFrames = { skipped: [], failed: [] };

  /** Accepts at most `FILTER_EXPRESSIONS` expressions. Nothing runs before {@link start}. */
  constructor(log: Log, expressions: readonly RegexSource[], deps: RegexSearchDeps) {
    this.#log = log;
    this.#expressions = expressions;
    this.#deps = deps;
  }

  /** Number of rows that were asked for and have no result yet. */
  get waiting(): number {
    return this.#unsearched.stopped ? 0 : this.#queued - this.#done;
  }

  /** The same object until it changes. */
  get unsearched(): UnsearchedFrames {
    return this.#unsearched;
  }

  /**
   * Returns the row test for an expression. It returns undefined, and queues the row, while the result is unknown.
   * Evicted frames stay unknown until their bytes are back and the test is called again.
   */
  testFor({ source, flags }: RegexSource): (index: number) => boolean | undefined {
    const bit = 1 << this.#expressions.findIndex((one) => one.source === source && one.flags === flags);
    return (index) => {
      const row = this.#rows[index] ?? 0;
      if (row & ANSWERED) return (row & bit) !== 0;
      if (!(row & ASKED) && this.#log.hasBytes(index + 1)) this.#enqueue(index);
      return undefined;
    };
  }

  /** Runs until the returned function is called. Calls `answered` with the rows whose results arrived. */
  start(answered: (indexes: readonly number[]) => void): () => void {
    this.#listeners.add(answered);
    this.#running = true;
    this.#sendNext();
    return () => {
      this.#listeners.delete(answered);
      this.#running = false;
      this.#stopWorker();
      // The unfinished job is sent again on the next start.
      this.#job = [];
    };
  }

  #enqueue(index: number): void {
    if (index >= this.#rows.length) {
      const grown = new Uint8Array(Math.max(2 * this.#rows.length, index + 1));
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#rows[index] = ASKED;
    this.#queue.push(index);
    this.#queued++;
    // Deferred, because the current turn may queue many more rows.
    if (this.#running && this.#job.length === 0 && this.waiting === 1) queueMicrotask(() => this.#sendNext());
  }

  #sendNext(): void {
    if (!this.#running || this.#job.length > 0 || this.waiting === 0) return;
    if (!this.#worker) this.#startWorker();
    if (!this.#ready) return;
    this.#job = this.#portion();
    if (this.#job.length === 0) {
      this.#done = this.#jobEnd;
      this.#notify([]);
      return;
    }
    const frames = this.#job.map((index) => this.#log.bytes(index));
    // Not `columns.bytes.length`, which is the full length of evicted frames too.
    const lengths = Uint32Array.from(frames, ({ length }) => length);
    const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const frame of frames) {
      bytes.set(frame, at);
      at += frame.length;
    }
    this.#worker!.postMessage({ expressions: this.#expressions, bytes, lengths }, [bytes.buffer, lengths.buffer]);
    // If the page itself was blocked, the reply may be queued behind this timer, so give it another turn.
    const { clock } = this.#deps;
    this.#stopTimer = clock.after(REGEX_MS, () => {
      this.#stopTimer = clock.after(LIMITS.regexGraceMs, () => this.#onTimeout());
    });
  }

  /** Returns the next rows to send, or a single one after a hang. Empty if all their bytes were evicted meanwhile. */
  #portion(): number[] {
    const most = this.#done < this.#oneByOneUntil ? 1 : REGEX_FRAMES;
    const indexes: number[] = [];
    let next = this.#done;
    for (let bytes = 0; next < this.#queued && indexes.length < most && bytes < REGEX_BYTES; ) {
      const index = this.#queue.get(next++);
      if (!this.#log.hasBytes(index + 1)) {
        // Allow the row to be queued again.
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
      else this.#addResults(data);
      this.#sendNext();
    };
    worker.onerror = () => {
      this.#stopWorker();
      this.#setUnsearched({ ...this.#unsearched, stopped: 'no-worker' });
    };
  }

  #addResults(masks: Uint8Array): void {
    this.#stopTimer?.();
    const job = this.#job;
    this.#job = [];
    this.#done = this.#jobEnd;
    job.forEach((index, at) => {
      this.#rows[index] = ANSWERED | (masks[at]! & ~REGEX_FAILED);
    });
    const failed = job.filter((_, at) => masks[at]! & REGEX_FAILED).map((index) => index + 1);
    if (failed.length > 0) this.#unsearched = { ...this.#unsearched, failed: [...this.#unsearched.failed, ...failed] };
    this.#notify(job);
  }

  #onTimeout(): void {
    this.#stopWorker();
    const job = this.#job;
    this.#job = [];
    if (job.length > 1) {
      this.#oneByOneUntil = this.#jobEnd;
    } else {
      this.#done = this.#jobEnd;
      this.#rows[job[0]!] = ANSWERED;
      const skipped = [...this.#unsearched.skipped, job[0]! + 1];
      const enough = skipped.length >= REGEX_SKIPS;
      this.#setUnsearched({ ...this.#unsearched, skipped, ...(enough && { stopped: 'skipped' as const }) });
    }
    this.#sendNext();
  }

  #setUnsearched(unsearched: UnsearchedFrames): void {
    this.#unsearched = unsearched;
    this.#notify([]);
  }

  #notify(indexes: readonly number[]): void {
    for (const listener of [...this.#listeners]) listener(indexes);
  }

  #stopWorker(): void {
    this.#stopTimer?.();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = false;
  }
}
