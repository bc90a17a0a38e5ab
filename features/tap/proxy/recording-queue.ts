import { freeMemory } from '@/proxy/connection/free-memory';
import { SpillFile } from '@/proxy/files/spill-file';
import { type RingReader, type RingRecord, recordsIn } from './ring';

/** Records a piece. Returns a promise if that takes long; it calls `pause` in between. Never rejects. */
type RecordPiece = (record: RingRecord, pause: () => Promise<void>) => Promise<void> | undefined;

/** Bytes in the ring beyond which there is a flood: they are stored as they are, to be recorded later. */
const FLOOD_BYTES = 256 * 1024;
/** Bytes that are stored at a time, so that there is soon room in the ring again. */
const STORED_BYTES = 1024 * 1024;
/** Bytes that are read back and recorded at a time. */
const BLOCK_BYTES = 512 * 1024;
/** How often the ring is emptied in a flood, in ms. */
const LOOK_MS = 4;
/** Bytes since the last look at most, if the flood is over. */
const QUIET_BYTES = 128 * 1024;
/** In a flood that goes on, a block is recorded this often, in ms: host and server need the processor more. */
const REST_MS = 1000;

/**
 * Takes what has passed out of the ring, in order. What comes one by one is recorded at once. A flood comes faster than
 * it can be cut, redacted and encoded, so it goes to a file without a name, and is recorded when there is time.
 */
export class RecordingQueue {
  readonly #ring: RingReader;
  readonly #record: RecordPiece;
  readonly #onFailed: (sentence: string) => void;
  readonly #keepsBytes: boolean;
  #file: SpillFile | undefined;
  /** Offsets in the file of the bytes that are stored and not yet recorded. */
  #from = 0;
  #to = 0;
  #working: Promise<void> | undefined;
  #isEnding = false;
  #failed = false;

  /** `keepsBytes`: `record` keeps bytes until a later record, so their memory can't be freed at once. */
  constructor(ring: RingReader, record: RecordPiece, onFailed: (sentence: string) => void, keepsBytes = false) {
    this.#ring = ring;
    this.#keepsBytes = keepsBytes;
    this.#record = record;
    this.#onFailed = onFailed;
  }

  /** True if a flood waits to be recorded. */
  get isBehind(): boolean {
    return this.#to - this.#from + this.#ring.used > FLOOD_BYTES;
  }

  /** Call this when there is something in the ring. */
  wake(): void {
    if (this.#working) return;
    const waiting = this.#recordSome();
    if (!waiting) return;
    this.#working = this.#workOn(waiting).finally(() => {
      this.#working = undefined;
    });
  }

  /** Resolves once everything is recorded. Never rejects. */
  async end(): Promise<void> {
    this.#isEnding = true;
    do {
      this.wake();
      await this.#working;
    } while (this.#ring.used > 0);
    await this.#file?.close();
  }

  async #workOn(waiting: Promise<void>): Promise<void> {
    for (let next: Promise<void> | undefined = waiting; next; next = this.#recordSome()) await next;
  }

  /** Returns a promise if more is to be done after it, and undefined if everything is recorded. */
  #recordSome(): Promise<void> | undefined {
    do {
      if (this.#failed) this.#ring.take(this.#ring.used);
      while (this.#from < this.#to || this.#ring.used > 0) {
        if (this.#from < this.#to || this.#ring.used > FLOOD_BYTES) return this.#recordFlood();
        const recorded = this.#record(this.#ring.takeRecord(), this.#pause);
        if (recorded) return recorded;
      }
    } while (!this.#ring.sleep());
    return undefined;
  }

  /** Stores a flood, and records what is stored. */
  async #recordFlood(): Promise<void> {
    try {
      let restUntil = performance.now() + REST_MS;
      do {
        const before = this.#to;
        await this.#store();
        const isFlood = this.#to - before > QUIET_BYTES && !this.#isEnding;
        if (!isFlood || performance.now() >= restUntil) {
          await this.#recordBlock();
          restUntil = performance.now() + REST_MS;
        }
        if (isFlood) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      } while (this.#from < this.#to);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Moves what is in the ring now to the file. */
  async #store(): Promise<void> {
    for (const piece of this.#ring.pieces()) {
      for (let at = 0; at < piece.length; at += STORED_BYTES) {
        const part = piece.subarray(at, at + STORED_BYTES);
        this.#file ??= await SpillFile.open();
        this.#file.appendNow(part);
        this.#to += part.length;
        this.#ring.take(part.length);
      }
    }
  }

  async #recordBlock(): Promise<void> {
    const block = await this.#file!.read(this.#from, Math.min(BLOCK_BYTES, this.#to - this.#from));
    const { records, bytes } = recordsIn(block);
    for (const record of records) await this.#record(record, this.#pause);
    this.#from += bytes;
    if (!this.#keepsBytes) freeMemory(block);
  }

  /** Lets others work, and keeps the ring empty in the meantime, if that takes long. */
  readonly #pause = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#ring.used > FLOOD_BYTES && !this.#failed) await this.#store().catch((error) => this.#fail(error));
  };

  #fail(error: unknown): void {
    this.#from = this.#to;
    if (this.#failed) return;
    this.#failed = true;
    this.#onFailed(`Recording stopped, because too much waits for the disk: ${(error as Error).message}.`);
  }
}
