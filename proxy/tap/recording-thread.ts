import { Worker } from 'node:worker_threads';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/** The stream of the server that bytes have passed through. */
export type Passed = 'stdin' | 'stdout' | 'stderr';

/** The facts of a tapped session that its recording needs. */
export interface TapSession {
  readonly version: string;
  /** Folder of recordings. */
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The server's variables. Only their names are recorded; the values tell secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly name?: string | undefined;
  readonly host?: string | undefined;
  /** Identifies the session. */
  readonly session: string;
  /** Its start, from which all times count; ISO 8601. */
  readonly at: string;
  readonly mostBytes: number;
  readonly mostMs: number;
}

/** The data that the thread is started with. */
export interface ThreadData {
  readonly session: TapSession;
  /** Bytes that the thread has taken, modulo 2³². */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** A message to the thread. Times are in µs since the start of the session. */
export type ToThread =
  | readonly [is: 'passed', stream: Passed, time: number, bytes: Uint8Array]
  | readonly [is: 'missed', messages: number]
  | readonly [is: 'event', event: LifecycleEvent]
  | readonly [is: 'end', time: number, events: readonly LifecycleEvent[]];

/** A message from the thread: why recording stopped, or that everything is written. */
export type FromThread = { readonly failed: string } | { readonly ended: true };

/** Bytes on their way to the thread. Beyond that, nothing is read from host and server for a moment. */
const UNTAKEN_BYTES = 8 * 1024 * 1024;
/** How long they wait at most, in ms. After that, bytes pass without being recorded until the thread has caught up. */
const WAIT_MS = 1000;
/** How often the thread is looked at meanwhile, in ms. */
const LOOK_MS = 2;

/** Memory for the thread’s short-lived objects. Node’s default makes an idle tap several megabytes larger. */
const YOUNG_MB = 2;
/** The thread's file in the package. */
const WORKER = new URL('./tap-worker.js', import.meta.url);

/** Hands copies of what has passed to the thread that records it. Never throws. */
export class RecordingThread {
  readonly #worker: Worker;
  readonly #taken = new Int32Array(new SharedArrayBuffer(4));
  readonly #zero = performance.now();
  readonly #ended: Promise<void>;
  #posted = 0;
  /** Messages that passed without being recorded since the thread fell behind. */
  #missed = 0;
  /** True after a wait in vain, until the thread has taken everything. */
  #isLate = false;
  #waiting: Promise<void> | undefined;
  #isOff = false;

  /** Calls `onFailed` once, with a sentence, when nothing more is recorded. `file`: another one for tests. */
  constructor(session: Omit<TapSession, 'at'>, onFailed: (sentence: string) => void, file = WORKER) {
    const at = new Date().toISOString();
    this.#worker = new Worker(file, {
      workerData: { session: { ...session, at }, taken: this.#taken } satisfies ThreadData,
      execArgv: [],
      // Its output would end up in that of the server.
      ...{ stdout: true, stderr: true },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.unref();
    const fail = (sentence: string): void => {
      if (!this.#isOff) onFailed(sentence);
      this.#isOff = true;
    };
    this.#ended = new Promise((resolve) => {
      this.#worker.on('message', (message: FromThread) => {
        if ('failed' in message) fail(message.failed);
        else resolve();
      });
      this.#worker.on('error', (error) => {
        fail(`Recording stopped: ${error.message}.`);
        resolve();
      });
      this.#worker.on('exit', () => resolve());
    });
  }

  /** Records a copy of bytes that have passed. Returns a promise if the next ones should wait for it. */
  onPassed(stream: Passed, chunk: Buffer): Promise<void> | undefined {
    if (this.#isOff) return undefined;
    if (this.#isLate && this.#untaken > 0) {
      this.#missed += linesIn(chunk);
      return undefined;
    }
    this.#isLate = false;
    if (this.#missed > 0) this.#post(['missed', this.#missed]);
    this.#missed = 0;
    const copy = Uint8Array.from(chunk);
    this.#posted = (this.#posted + copy.length) | 0;
    this.#post(['passed', stream, this.#now(), copy], [copy.buffer]);
    if (this.#untaken <= UNTAKEN_BYTES) return undefined;
    this.#waiting ??= this.#wait().finally(() => {
      this.#waiting = undefined;
    });
    return this.#waiting;
  }

  get #untaken(): number {
    return (this.#posted - Atomics.load(this.#taken, 0)) | 0;
  }

  /** Resolves when the thread has taken half of what is on its way, or after a while. */
  async #wait(): Promise<void> {
    const until = performance.now() + WAIT_MS;
    while (!this.#isOff && this.#untaken > UNTAKEN_BYTES / 2) {
      if (performance.now() > until) {
        this.#isLate = true;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  logEvent(event: LifecycleEvent): void {
    this.#post(['event', event]);
  }

  /** Adds the last events and ends the recording. Resolves when it is written, or after `mostMs`. */
  async end(events: readonly LifecycleEvent[], mostMs: number): Promise<void> {
    if (this.#isOff) return;
    if (this.#missed > 0) this.#post(['missed', this.#missed]);
    this.#post(['end', this.#now(), events]);
    await Promise.race([this.#ended, new Promise((resolve) => setTimeout(resolve, mostMs))]);
  }

  #post(message: ToThread, transferred: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transferred);
  }

  #now(): number {
    return Math.round((performance.now() - this.#zero) * 1000);
  }
}

/** Counts the messages that end in a chunk, and at least one. */
function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
  return Math.max(1, lines);
}
