import { Worker } from 'node:worker_threads';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { Gaps, type Missed } from './gaps';
import { newRingMemory, type Passed, type RingKind, type RingMemory, RingWriter } from './ring';

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
  readonly ring: RingMemory;
}

/** The last things to record: what is missing at the end, and events. `time` is in µs since the start. */
export interface LastRecords {
  readonly time: number;
  readonly missed: readonly Missed[];
  readonly events: readonly LifecycleEvent[];
}

/** A message to the thread: there is something in the ring, or the end. */
export type ToThread = 'wake' | LastRecords;

/** A message from the thread: why recording stopped, or that everything is written. */
export type FromThread = { readonly failed: string } | { readonly ended: true };

/** Room in the ring below which nothing is read from host and server for a moment. */
const ROOM_BYTES = 512 * 1024;
/** Bytes of a record at most, so that it is never most of the ring. */
const RECORD_BYTES = 128 * 1024;
/** How long they wait at most, in ms. After that, bytes pass without being recorded until the thread has caught up. */
const WAIT_MS = 1000;
/** How often the thread is looked at meanwhile, in ms. */
const LOOK_MS = 2;

const LATE = 'The recording lacks the end of the session, because writing it took too long.';

/** Memory for the thread’s short-lived objects. Node’s default makes an idle tap several megabytes larger. */
const YOUNG_MB = 2;
/** The thread's file in the package. */
const WORKER = new URL('./tap-worker.js', import.meta.url);

/** Hands copies of what has passed to the thread that records it. Never throws. */
export class RecordingThread {
  readonly #worker: Worker;
  readonly #ring: RingWriter;
  readonly #zero = performance.now();
  readonly #ended: Promise<void>;
  readonly #gaps = new Gaps();
  /** True after a wait in vain, until the thread has taken everything. */
  #isLate = false;
  #waiting: Promise<void> | undefined;
  #isOff = false;
  readonly #onFailed: (sentence: string) => void;

  /** Calls `onFailed` once, with a sentence, when nothing more is recorded. `file`: another one for tests. */
  constructor(session: Omit<TapSession, 'at'>, onFailed: (sentence: string) => void, file = WORKER) {
    this.#onFailed = onFailed;
    const at = new Date().toISOString();
    const ring = newRingMemory();
    this.#ring = new RingWriter(ring, () => this.#post('wake'));
    this.#worker = new Worker(file, {
      workerData: { session: { ...session, at }, ring } satisfies ThreadData,
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

  /** Records a copy of bytes that are being passed on. Returns a promise if the next ones should wait for it. */
  onPassing(stream: Passed, passed: Buffer): Promise<void> | undefined {
    if (this.#isOff) return undefined;
    if (this.#isLate && this.#ring.used === 0) {
      this.#isLate = false;
      for (const gap of this.#gaps.take()) this.#put('missed', Buffer.from(JSON.stringify(gap)));
    }
    const chunk = this.#gaps.withoutEnd(stream, passed);
    if (this.#isLate) return void this.#gaps.miss(stream, chunk);
    for (let at = 0; at < chunk.length; at += RECORD_BYTES) {
      const piece = chunk.length <= RECORD_BYTES ? chunk : chunk.subarray(at, at + RECORD_BYTES);
      if (this.#put(stream, piece)) continue;
      this.#isLate = true;
      return void this.#gaps.miss(stream, chunk.subarray(at));
    }
    if (this.#ring.free >= ROOM_BYTES) return undefined;
    this.#waiting ??= this.#wait().finally(() => {
      this.#waiting = undefined;
    });
    return this.#waiting;
  }

  #put(kind: RingKind, bytes: Uint8Array): boolean {
    return this.#ring.put(kind, this.#now(), bytes);
  }

  /** Resolves when the thread has made some room, or after a while. */
  async #wait(): Promise<void> {
    const until = performance.now() + WAIT_MS;
    while (!this.#isOff && this.#ring.free < 2 * ROOM_BYTES) {
      if (performance.now() > until) {
        this.#isLate = true;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  logEvent(event: LifecycleEvent): void {
    if (this.#isOff || this.#put('event', Buffer.from(JSON.stringify(event)))) return;
    this.#isLate = true;
    this.#gaps.missEvent();
  }

  /** Adds the last events and ends the recording. Resolves when it is written, or after `mostMs`. */
  async end(events: readonly LifecycleEvent[], mostMs: number): Promise<void> {
    if (this.#isOff) return;
    this.#post({ time: this.#now(), missed: this.#gaps.take(), events });
    const late = new Promise<string>((resolve) => setTimeout(resolve, mostMs, LATE));
    const sentence = await Promise.race([this.#ended, late]);
    if (sentence && !this.#isOff) this.#onFailed(sentence);
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #now(): number {
    return Math.round((performance.now() - this.#zero) * 1000);
  }
}
