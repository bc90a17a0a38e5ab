import { deflateRaw, deflateRawSync } from 'node:zlib';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import type { IndexPlace } from '@/lib/recording/format';
import { encodeChunk, type IndexedFrame } from '@/lib/recording/index-chunk';
import { encodeIndexLine } from '@/lib/recording/index-line';
import { Skimmer } from '@/lib/recording/skimmer';
import { LIMITS } from '@/lib/wire/limits';

/** A frame as it was written. */
export interface WrittenFrame {
  readonly frame: FrameToRecord;
  /** Where its line begins. */
  readonly at: number;
  readonly blobsAt: readonly number[];
  /** It stands in its line as JSON. */
  readonly isJson: boolean;
}

interface Chunk {
  readonly n: number;
  readonly frames: number;
  readonly bytes: Uint8Array;
}

/** Quick, and not much larger than the smallest. */
const LEVEL = { level: 1 };

/**
 * Makes a recording's indexes, a few thousand frames each. It looks into frames once whoever wrote them has gone on, and compresses on
 * another thread, so a message waits for nothing of it; a short recording has none.
 */
export class IndexWriter {
  readonly #write: (line: Uint8Array) => number | undefined;
  readonly #framesEach: number;
  readonly #skimmer = new Skimmer();
  #unseen: WrittenFrame[] = [];
  #seen: IndexedFrame[] = [];
  /** Made and not yet written, oldest first. */
  #chunks: Chunk[] = [];
  readonly #places: IndexPlace[] = [];
  #next = 1;
  #scheduled = false;
  #over = false;

  /** `write` adds a line to the file and tells where it begins; undefined if it can't be. `framesEach`: of one index. */
  constructor(write: (line: Uint8Array) => number | undefined, framesEach: number) {
    this.#write = write;
    this.#framesEach = framesEach;
  }

  /** The next frame. Its bytes must stay as they are for a moment. */
  add(written: WrittenFrame): void {
    if (this.#over) return;
    this.#unseen.push(written);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#orStop(() => this.#look());
    });
  }

  /** Writes what is left. Where the indexes are; undefined for too few frames, or too many. */
  end(): readonly IndexPlace[] | undefined {
    this.#orStop(() => {
      this.#look();
      const isLong = this.#places.length + this.#chunks.length > 0;
      if (isLong && this.#seen.length > 0) this.#makeChunk();
      for (const chunk of this.#chunks.splice(0)) this.#put(chunk, deflateRawSync(chunk.bytes, LEVEL));
    });
    const isWhole = !this.#over && this.#places.length > 0;
    this.stop();
    return isWhole ? this.#places : undefined;
  }

  /** There is to be no more of it. */
  stop(): void {
    this.#over = true;
    this.#unseen = [];
    this.#seen = [];
    this.#chunks = [];
  }

  /** A recording without indexes is as good, if slower to open: nobody else is to hear that there was no memory for one, say. */
  #orStop(work: () => void): void {
    try {
      work();
    } catch {
      this.stop();
    }
  }

  #look(): void {
    for (const { frame, at, blobsAt, isJson } of this.#unseen.splice(0)) {
      const { time, channel, direction, flags, bytes } = frame;
      const skim = this.#skimmer.skim(frame, isJson);
      // Of the segment that it lies in, the rest is not to be kept.
      const whole = bytes.length <= LIMITS.indexedBytes ? bytes.slice() : undefined;
      const entry = skim ?? whole;
      const [length, isSkim] = [bytes.length, skim !== undefined];
      this.#seen.push({ time, channel, direction, flags, at, blobsAt, length, entry, isSkim });
      if (this.#seen.length === this.#framesEach) this.#makeChunk();
    }
  }

  #makeChunk(): void {
    const frames = this.#seen.length;
    const chunk: Chunk = { n: this.#next, frames, bytes: encodeChunk(this.#seen) };
    this.#next += frames;
    this.#seen = [];
    this.#chunks.push(chunk);
    if (this.#chunks.length === 1) this.#compress(chunk);
  }

  #compress(chunk: Chunk): void {
    deflateRaw(chunk.bytes, LEVEL, (error, deflated) => {
      // The end may have been quicker.
      if (this.#chunks[0] !== chunk) return;
      this.#chunks.shift();
      if (error) this.stop();
      else this.#put(chunk, deflated);
      this.#orStop(() => {
        if (this.#chunks[0]) this.#compress(this.#chunks[0]);
      });
    });
  }

  #put({ n, frames }: Chunk, deflated: Uint8Array): void {
    if (this.#over) return;
    const line = encodeIndexLine(n, frames, deflated);
    const at = this.#places.length < LIMITS.indexes ? this.#write(line) : undefined;
    if (at === undefined) this.stop();
    else this.#places.push([at, line.length]);
  }
}
