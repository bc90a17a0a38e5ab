const CHUNK_BITS = 12;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

/** Where in a file the lines of a log's frames begin, and how long the frames are: twelve bytes each. Numbered as frames are, from 1. */
export class LinePlaces {
  readonly #at: Float64Array[] = [];
  readonly #lengths: Uint32Array[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Of the next frame. */
  push(at: number, length: number): void {
    const index = this.#count++;
    if ((index & MASK) === 0) {
      this.#at.push(new Float64Array(CHUNK));
      this.#lengths.push(new Uint32Array(CHUNK));
    }
    this.#at[index >>> CHUNK_BITS]![index & MASK] = at;
    this.#lengths[index >>> CHUNK_BITS]![index & MASK] = length;
  }

  /** Where the line of frame `seq` begins. */
  at(seq: number): number {
    return this.#at[(seq - 1) >>> CHUNK_BITS]![(seq - 1) & MASK]!;
  }

  /** Bytes of frame `seq`. */
  length(seq: number): number {
    return this.#lengths[(seq - 1) >>> CHUNK_BITS]![(seq - 1) & MASK]!;
  }
}
