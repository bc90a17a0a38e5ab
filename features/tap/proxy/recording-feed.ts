import { Worker } from 'node:worker_threads';
import { newRingMemory, type RingKind, type RingMemory, RingWriter } from './ring';

/** The data that a recording thread is started with. */
export interface ThreadData<T> {
  readonly session: T & { readonly at: string };
  readonly ring: RingMemory;
}

/** A message to the thread: there is something in the ring, or another thing, such as the end. */
export type ToThread<M> = 'wake' | M;

/** A message from the thread: why recording stopped, a sentence, that everything is written, or news. */
export type FromThread<N = never> =
  | { readonly failed: string }
  | { readonly note: string }
  | { readonly ended: true }
  | { readonly news: N };

/** Room in the ring below which nothing more should be passed for a moment. */
const ROOM_BYTES = 512 * 1024;
/** How long that takes at most, in ms. After that, bytes pass without being recorded until the thread has caught up. */
const WAIT_MS = 1000;
/** How often the thread is looked at meanwhile, in ms. */
const LOOK_MS = 2;

const LATE = 'The recording lacks the end of the session, because writing it took too long.';

/** Memory for the thread’s short-lived objects. Node’s default makes an idle tap several megabytes larger. */
const YOUNG_MB = 2;

/** Starts a thread that records, and hands it what passes, in memory that both share. Never throws. */
export class RecordingFeed<L extends object, N = never> {
  readonly #worker: Worker;
  readonly #ring: RingWriter;
  readonly #zero = performance.now();
  readonly #ended: Promise<void>;
  #waiting: Promise<void> | undefined;
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
    };
    this.#ended = new Promise((resolve) => {
      this.#worker.on('message', (message: FromThread<N>) => {
        if ('failed' in message) fail(message.failed);
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

  /** True if the thread has taken everything. */
  get isTaken(): boolean {
    return this.#ring.used === 0;
  }

  /** Microseconds since the start of the session. */
  now(): number {
    return Math.round((performance.now() - this.#zero) * 1000);
  }

  /** Copies a record into the shared memory. Returns false if there is no room. */
  put(kind: RingKind, bytes: Uint8Array, tag?: number): boolean {
    return this.#ring.put(kind, this.now(), bytes, tag);
  }

  /**
   * Returns undefined if there is room for what passes next. Otherwise returns a promise that resolves when there is,
   * or after a while, when it has called `onLate`.
   */
  room(onLate: () => void): Promise<void> | undefined {
    if (this.#isOff || this.#ring.free >= ROOM_BYTES) return undefined;
    this.#waiting ??= this.#wait(onLate).finally(() => {
      this.#waiting = undefined;
    });
    return this.#waiting;
  }

  async #wait(onLate: () => void): Promise<void> {
    const until = performance.now() + WAIT_MS;
    while (!this.#isOff && this.#ring.free < 2 * ROOM_BYTES) {
      if (performance.now() > until) return onLate();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Ends the recording with the last records. Resolves when it is written, or after `mostMs`. */
  async end(last: L, mostMs: number): Promise<void> {
    if (this.#isOff) return;
    this.tell(last);
    const late = new Promise<string>((resolve) => setTimeout(resolve, mostMs, LATE));
    const sentence = await Promise.race([this.#ended, late]);
    if (sentence && !this.#isOff) this.#onFailed(sentence);
  }

  /** Sends the thread a message, which overtakes what waits in the shared memory. */
  tell(message: L): void {
    this.#worker.postMessage(message satisfies ToThread<L>);
  }
}
