import { NO_LINE } from '../recording-reader';

/** Lines per chunk of offsets, as a power of two. Growing adds a chunk, so old offsets are never copied. */
const CHUNK_BITS = 12;
const CHUNK_LINES = 1 << CHUNK_BITS;
const MASK = CHUNK_LINES - 1;

const NONE: readonly number[] = [];

/**
 * The offsets of frames' lines in a file, and the lengths of their entries (lib/wire/batch.ts): twelve bytes for each
 * frame. Frames count from 1.
 */
export class LineOffsets {
  readonly #at: Float64Array[] = [];
  readonly #lengths: Uint32Array[] = [];
  readonly #blobs = new Map<number, readonly number[]>();
  #count = 0;
  #inFile = 0;

  get count(): number {
    return this.#count;
  }

  /** Number of frames that have a line. */
  get inFile(): number {
    return this.#inFile;
  }

  /** Adds the next frame, with the offsets of its blobs' lines. */
  addLine(at: number, length: number, blobs: readonly number[] = NONE): void {
    const index = this.#count++;
    if (blobs.length > 0) this.#blobs.set(index + 1, blobs);
    if (at !== NO_LINE) this.#inFile++;
    if ((index & MASK) === 0) {
      this.#at.push(new Float64Array(CHUNK_LINES));
      this.#lengths.push(new Uint32Array(CHUNK_LINES));
    }
    this.#at[index >>> CHUNK_BITS]![index & MASK] = at;
    this.#lengths[index >>> CHUNK_BITS]![index & MASK] = length;
  }

  /** Returns the offset of frame `seq`'s line, or NO_LINE. */
  at(seq: number): number {
    return this.#at[(seq - 1) >>> CHUNK_BITS]![(seq - 1) & MASK]!;
  }

  /** Returns true if frame `seq` has a line. */
  has(seq: number): boolean {
    return seq <= this.#count && this.at(seq) !== NO_LINE;
  }

  /** Returns the offsets of the blobs that the frame refers to. */
  blobs(seq: number): readonly number[] {
    return this.#blobs.get(seq) ?? NONE;
  }

  /** Returns the length of frame `seq`'s entry. */
  length(seq: number): number {
    return this.#lengths[(seq - 1) >>> CHUNK_BITS]![(seq - 1) & MASK]!;
  }
}
