import { Worker } from 'node:worker_threads';
import { newRingMemory, type RingKind, type RingMemory, RingWriter } from './ring';

/** The data that a recording thread is started with. */
export interface ThreadData<T> {
  readonly session: T & { readonly at: string };
  readonly ring: RingMemory;
}

/** A message to the thread: there is something in the ring, or another thing, such as the end. */
export type ToThread<M> = 'wake' | M;

/**
 * A message from the thread: it has dropped a record, why recording stopped, a sentence, that everything is written, or
 * news.
 */
export type FromThread<N = never> =
  | 'dropped'
  | { readonly failed: string }
  | { readonly note: string }
  | { readonly ended: true }
  | { readonly news: N };

/** Bytes that may be unwritten, and for how long, in µs, as far as can be foreseen. Beyond that, others wait. */
const MOST_BYTES = 64 * 1024;
const MOST_US = 10_000;
/** Bytes of the beginning of a line that may be unwritten. */
const ROOM_BYTES = 1024 * 1024;
/** The others wait this long for a line whose recording takes longer, in ms, and pass while there is so much room. */
const LONG_MS = 150;
const LONG_ROOM_BYTES = 1024 * 1024;
/** The end waits so many ms for such a line. */
const LONG_END_MS = 1500;
/** After so many ms without progress, bytes pass without being recorded until the thread has caught up. */
const STUCK_MS = 5000;
/** The same within a long line: some steps take seconds. */
const LONG_STUCK_MS = 60_000;

const LATE = 'The recording lacks the end of the session, because writing it took too long.';
const STUCK = 'The disk has taken nothing for 5 s. Until it does, what passes is missing in the recording.';

/** Memory for the thread’s short-lived objects. Node’s default makes an idle tap several megabytes larger. */
const YOUNG_MB = 2;

/** Starts a thread that records, and hands it what passes, in memory that both share. Never throws. */
export class RecordingFeed<L extends object, N = never> {
  readonly #worker: Worker;
  readonly #ring: RingWriter;
  readonly #ended: Promise<void>;
  /** Those who wait for the thread. */
  readonly #wakes: (() => void)[] = [];
  /** Resolves once the thread runs, or is gone. A slow start is not the disk's fault. */
  readonly #running: Promise<void>;
  #isLate = false;
  #isOff = false;
  readonly #onFailed: (sentence: string) => void;
  /** Called with what the thread reports. */
  onNews: ((news: N) => void) | undefined;

  /**
   * Calls `onFailed` once, with a sentence, when nothing more is recorded. `file` is the thread's in the package. The
   * thread is woken after `wakeMs`; absent: at once.
   */
  constructor(session: object, onFailed: (sentence: string) => void, file: URL, wakeMs?: number) {
    this.#onFailed = onFailed;
    const at = new Date().toISOString();
    const ring = newRingMemory();
    const wake = (): void => this.#worker.postMessage('wake' satisfies ToThread<L>);
    this.#ring = new RingWriter(ring, wakeMs === undefined ? wake : () => void setTimeout(wake, wakeMs));
    this.#worker = new Worker(file, {
      workerData: { session: { ...session, at }, ring } satisfies ThreadData<object>,
      execArgv: [],
      // Its output would end up in that of the server.
      stdout: true,
      stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.unref();
    const fail = (sentence: string): void => {
      if (!this.#isOff) onFailed(sentence);
      this.#isOff = true;
      this.#wakeAll();
    };
    this.#running = new Promise((resolve) => {
      this.#worker.once('message', () => resolve()).once('exit', () => resolve());
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.on('message', (message: FromThread<N>) => {
        if (message === 'dropped') this.#wakeAll();
        else if ('failed' in message) fail(message.failed);
        else if ('note' in message) onFailed(message.note);
        else if ('news' in message) this.onNews?.(message.news);
        else resolve();
      });
      this.#worker.on('error', (error) => {
        fail(`Recording stopped: ${error.message}.`);
        resolve();
      });
      this.#worker.on('exit', () => resolve());
    });
  }

  /** True once nothing more is recorded. */
  get isOff(): boolean {
    return this.#isOff;
  }

  /** True from a lack of room, or a wait in vain, until {@link catchUp}: nothing should be put. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Returns true once, when the thread that was late has taken everything. */
  catchUp(): boolean {
    if (!this.#isLate || this.#ring.used > 0) return false;
    this.#isLate = false;
    return true;
  }

  /** Microseconds since the start of the session. */
  now(): number {
    return this.#ring.now();
  }

  /** Copies a record into the shared memory. Returns false if there is no room. */
  put(kind: RingKind, bytes: Uint8Array, tag?: number): boolean {
    const isPut = this.#ring.put(kind, this.now(), bytes, tag);
    this.#isLate ||= !isPut;
    return isPut;
  }

  /** True if what was put last will be written in a moment: little waits for that, and the last record did not. */
  get keepsUp(): boolean {
    const { used, oldest, lag } = this.#ring;
    return used <= MOST_BYTES && this.now() - oldest <= MOST_US && lag <= MOST_US;
  }

  /** True if there is enough room for bytes that need not be written in a moment. */
  get hasRoom(): boolean {
    return this.#ring.used <= ROOM_BYTES;
  }

  /**
   * Resolves once everything so far is written or nothing more is recorded, after a moment if that is a long line, or
   * when the disk has taken nothing for too long. Then the thread is late.
   */
  async written(): Promise<void> {
    const { end } = this.#ring;
    await this.#running;
    let [before, since] = [this.#ring.progress, performance.now()];
    while (!this.#isOff && !this.#ring.hasDropped(end) && this.#ring.askForDrop()) {
      const isWoken = await this.#woken(LONG_MS);
      const { taken, pauses } = this.#ring.progress;
      if (!isWoken && pauses > 0 && this.#ring.free > LONG_ROOM_BYTES) return;
      if (taken !== before.taken || pauses !== before.pauses) since = performance.now();
      else if (performance.now() - since > (pauses > 0 ? LONG_STUCK_MS : STUCK_MS)) {
        this.#onFailed(STUCK);
        this.#isLate = true;
        return;
      }
      before = { taken, pauses };
    }
  }

  /** Resolves with true once the thread has dropped a record, and with false after `ms`. */
  async #woken(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isWoken = await new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, ms, false);
      this.#wakes.push(() => resolve(true));
    });
    clearTimeout(timer);
    return isWoken;
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }

  /**
   * Ends the recording with the last records. Resolves when it is written, `mostMs` after the thread has begun, or
   * sooner if what is left is a long line.
   */
  async end(last: L, mostMs: number): Promise<void> {
    if (this.#isOff) return;
    this.tell(last);
    const sentence = await Promise.race([this.#ended, this.#running.then(() => this.#late(mostMs))]);
    if (sentence && !this.#isOff) this.#onFailed(sentence);
  }

  async #late(mostMs: number): Promise<string> {
    const isLong = (): boolean => this.#ring.progress.pauses > 0;
    for (let ms = 0; ms < mostMs && !(ms > LONG_END_MS && isLong()); ms += LONG_MS)
      await new Promise((resolve) => setTimeout(resolve, LONG_MS));
    return LATE;
  }

  /** Sends the thread a message, which overtakes what waits in the shared memory. */
  tell(message: L): void {
    this.#worker.postMessage(message satisfies ToThread<L>);
  }
}
