import { NOWHERE } from '@/lib/recording/recording-reader';

const CHUNK_BITS = 12;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

const NONE: readonly number[] = [];

/** Where in a file the lines of a log's frames begin, and how long the frames are: twelve bytes each. Numbered as frames are, from 1. */
export class LinePlaces {
  readonly #at: Float64Array[] = [];
  readonly #lengths: Uint32Array[] = [];
  readonly #blobs = new Map<number, readonly number[]>();
  #count = 0;
  #inFile = 0;

  get count(): number {
    return this.#count;
  }

  /** How many of them have a line. */
  get inFile(): number {
    return this.#inFile;
  }

  /** Of the next frame, and where the lines of the blobs begin that it refers to. */
  push(at: number, length: number, blobs: readonly number[] = NONE): void {
    const index = this.#count++;
    if (blobs.length > 0) this.#blobs.set(index + 1, blobs);
    if (at !== NOWHERE) this.#inFile++;
    if ((index & MASK) === 0) {
      this.#at.push(new Float64Array(CHUNK));
      this.#lengths.push(new Uint32Array(CHUNK));
    }
    this.#at[index >>> CHUNK_BITS]![index & MASK] = at;
    this.#lengths[index >>> CHUNK_BITS]![index & MASK] = length;
  }

  /** Where the line of frame `seq` begins; NOWHERE if it has none. */
  at(seq: number): number {
    return this.#at[(seq - 1) >>> CHUNK_BITS]![(seq - 1) & MASK]!;
  }

  /** Whether frame `seq` has a line. */
  has(seq: number): boolean {
    return seq <= this.#count && this.at(seq) !== NOWHERE;
  }

  /** Where the lines of the blobs begin that it refers to. */
  blobs(seq: number): readonly number[] {
    return this.#blobs.get(seq) ?? NONE;
  }

  /** Bytes of frame `seq`. */
  length(seq: number): number {
    return this.#lengths[(seq - 1) >>> CHUNK_BITS]![(seq - 1) & MASK]!;
  }
}
