type Bytes = Uint8Array<ArrayBuffer>;

/** Joins byte arrays into a new one, or into one that `memory` returns for the number of bytes. */
export function joinBytes(pieces: readonly Uint8Array[], memory?: (bytes: number) => Bytes): Bytes {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const whole = memory?.(bytes) ?? new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Returns `bytes[start, end)` as a view. Faster than `subarray`, which makes a Buffer of a Buffer. */
export function bytesView(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
}

/** Numbers in a chunk, as a power of two. Larger chunks waste memory on short columns. */
const CHUNK_BITS = 14;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

interface NumberArray {
  [index: number]: number;
}

/** A column of numbers that grows by chunks, so that growing copies nothing. */
export class NumberColumn {
  readonly #make: (length: number) => NumberArray;
  readonly #chunks: NumberArray[] = [];
  #length = 0;

  /** `make` creates a chunk, and so determines the width of a number: `(n) => new Float64Array(n)`. */
  constructor(make: (length: number) => NumberArray) {
    this.#make = make;
  }

  push(value: number): void {
    const at = this.#length++;
    if ((at & MASK) === 0) this.#chunks.push(this.#make(CHUNK));
    this.#chunks[at >>> CHUNK_BITS]![at & MASK] = value;
  }

  get(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]![index & MASK]!;
  }

  set(index: number, value: number): void {
    this.#chunks[index >>> CHUNK_BITS]![index & MASK] = value;
  }
}

export const float64 = (): NumberColumn => new NumberColumn((length) => new Float64Array(length));
export const uint32 = (): NumberColumn => new NumberColumn((length) => new Uint32Array(length));
export const uint8 = (): NumberColumn => new NumberColumn((length) => new Uint8Array(length));
