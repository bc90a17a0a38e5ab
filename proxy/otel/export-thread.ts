import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Frame } from '@/lib/wire/frame';
import type { RecordedPart } from './exchange-reader';
import type { Exported } from './exporter';
import type { OtlpSettings } from './otlp-settings';
import { type PackedFrames, packFrames } from './packed-frames';

/** Maximum unread bytes. Frames beyond it are dropped. */
export const WAITING_BYTES = 32 * 1024 * 1024;
/** Frames are handed over after this many milliseconds, or bytes: waking the thread takes the processor. */
export const HAND_OVER_MS = 100;
const HAND_OVER_BYTES = 256 * 1024;
/** Bytes that a frame costs beside its own. */
const FRAME_BYTES = 64;
/** The thread's file in the package. */
const WORKER = new URL('./export-worker.js', import.meta.url);
/** Milliseconds beyond the time for the end in which the thread must answer. It may only just have started. */
const GRACE_MS = 2000;

/** The data that the thread is started with. */
export interface ExportThreadData {
  readonly settings: OtlpSettings;
  readonly version: string;
  readonly instance: string;
  readonly allowLocal: boolean;
}

/** A message to the thread. `log` numbers the logs. */
export type ToExportThread =
  | { readonly is: 'begin'; readonly log: number; readonly part: RecordedPart; readonly secrets: readonly string[] }
  | { readonly is: 'frames'; readonly log: number; readonly frames: PackedFrames; readonly cost: number }
  | { readonly is: 'secrets'; readonly log: number; readonly given: boolean; readonly values: readonly string[] }
  | {
      readonly is: 'part';
      readonly log: number;
      readonly part: RecordedPart;
      readonly seq: number;
      readonly number: number;
    }
  | { readonly is: 'rest'; readonly log: number }
  | { readonly is: 'end-log'; readonly log: number }
  | { readonly is: 'end'; readonly mostMs: number };

/** A message from the thread. */
export type FromExportThread =
  | { readonly is: 'read'; readonly cost: number }
  | { readonly is: 'note'; readonly sentence: string }
  | { readonly is: 'ended'; readonly exported: Exported };

/** Takes the frames of one log. */
export interface ExportFeed {
  /** Takes frames, or drops them if the thread is too far behind. Their bytes are copied. */
  add(frames: readonly Frame[]): void;
  /** Begins another recording. The next frame, `seq` in the log, has the number `number` there. */
  beginPart(part: RecordedPart, seq: number, number: number): void;
  /** Takes values that must not be exported, for the frames that follow. */
  addGivenSecrets(values: readonly string[]): void;
  addMaskedSecrets(values: readonly string[]): void;
  /** Says that the log may stay quiet for long. */
  rest(): void;
  end(): void;
}

/** Settings of an {@link ExportThread}. `worker`: another file for tests. */
export interface ExportThreadParts {
  readonly version: string;
  readonly allowLocal?: boolean;
  note(sentence: string): void;
  readonly worker?: URL;
}

/**
 * Exports logs on a thread of its own, so that who passes messages on pays only for a copy of each. Nothing throws.
 */
export class ExportThread {
  readonly #worker: Worker;
  readonly #ended: Promise<Exported | undefined>;
  readonly #note: (sentence: string) => void;
  #logs = 0;
  #waiting = 0;
  #missed = 0;
  /** Frames that are not handed over yet. */
  #held: { readonly log: number; readonly frames: Frame[]; cost: number } | undefined;
  #callOff: (() => void) | undefined;
  #isOver = false;
  /** Called when the thread has read what it was given. */
  #onRoom: (() => void)[] = [];

  constructor(settings: OtlpSettings, { version, allowLocal = false, note, worker = WORKER }: ExportThreadParts) {
    const workerData: ExportThreadData = { settings, version, instance: randomUUID(), allowLocal };
    this.#note = note;
    this.#worker = new Worker(worker, { workerData, execArgv: [] });
    this.#ended = new Promise((resolve) => {
      this.#worker.on('message', (message: FromExportThread) => {
        if (message.is === 'read') this.#onRead(message.cost);
        else if (message.is === 'note') note(message.sentence);
        else resolve(message.exported);
      });
      this.#worker.on('error', (error) => note(`Spans are no longer exported: ${error.message}.`));
      this.#worker.on('exit', () => {
        this.#isOver = true;
        this.#onRead(this.#waiting);
        resolve(undefined);
      });
    });
    // Only `end` waits for it.
    this.#worker.unref();
  }

  /** Begins a log. */
  begin(part: RecordedPart, secrets: readonly string[]): ExportFeed {
    const log = ++this.#logs;
    this.#tell({ is: 'begin', log, part, secrets });
    return {
      add: (frames) => this.#add(log, frames),
      beginPart: (part, seq, number) => this.#tell({ is: 'part', log, part, seq, number }),
      addGivenSecrets: (values) => this.#tell({ is: 'secrets', log, given: true, values }),
      addMaskedSecrets: (values) => this.#tell({ is: 'secrets', log, given: false, values }),
      rest: () => this.#tell({ is: 'rest', log }),
      end: () => this.#tell({ is: 'end-log', log }),
    };
  }

  /** Returns undefined if the thread keeps up. Otherwise resolves once it has read what it was given. */
  room(): Promise<void> | undefined {
    this.#handOver();
    if (this.#waiting === 0 || this.#isOver) return undefined;
    return new Promise((resolve) => this.#onRoom.push(resolve));
  }

  /** Sends what is left within `mostMs`. Says what could not be exported. Never rejects. */
  async end(mostMs: number): Promise<void> {
    if (!this.#isOver) {
      this.#worker.ref();
      this.#tell({ is: 'end', mostMs });
      let isLate = true;
      const late = new Promise<void>((resolve) => setTimeout(resolve, mostMs + GRACE_MS).unref());
      await Promise.race([
        this.#ended.then(() => {
          isLate = false;
        }),
        late,
      ]);
      if (isLate) this.#note('The newest spans may not have been exported, because that took too long.');
      await this.#worker.terminate();
    }
    if (this.#missed > 0) this.#note(`${this.#missed} messages were not exported, because they came too fast.`);
  }

  #add(log: number, frames: readonly Frame[]): void {
    if (frames.length === 0 || this.#isOver) return;
    const cost = frames.reduce((sum, { bytes }) => sum + bytes.length + FRAME_BYTES, 0);
    // The numbers of the next frames tell the thread that these are missing.
    if (this.#waiting > 0 && this.#waiting + cost > WAITING_BYTES) {
      this.#missed += frames.length;
      return;
    }
    this.#waiting += cost;
    if (this.#held?.log !== log) this.#handOver();
    this.#held ??= { log, frames: [], cost: 0 };
    for (const frame of frames) this.#held.frames.push({ ...frame, bytes: frame.bytes.slice() });
    this.#held.cost += cost;
    if (this.#held.cost >= HAND_OVER_BYTES) this.#handOver();
    else this.#callOff ??= later(() => this.#handOver());
  }

  #handOver(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    const { log, frames, cost } = held;
    const packed = packFrames(frames);
    this.#worker.postMessage({ is: 'frames', log, frames: packed, cost } satisfies ToExportThread, [
      packed.table.buffer,
      packed.bytes.buffer,
    ]);
  }

  #onRead(cost: number): void {
    this.#waiting -= cost;
    if (this.#waiting > 0) return;
    for (const resolve of this.#onRoom.splice(0)) resolve();
  }

  #tell(message: ToExportThread): void {
    this.#handOver();
    if (!this.#isOver) this.#worker.postMessage(message);
  }
}

/** Calls `act` after {@link HAND_OVER_MS}, if this process still runs. */
function later(act: () => void): () => void {
  const timer = setTimeout(act, HAND_OVER_MS).unref();
  return () => clearTimeout(timer);
}
