/** The pieces one after the other, in a buffer of their own. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const CHUNK_BITS = 14;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

interface NumberArray {
  [index: number]: number;
}

/** An append-only column of numbers that grows by chunks: what is stored is never copied, and costs only its own bytes. */
export class Column {
  readonly #make: (length: number) => NumberArray;
  readonly #chunks: NumberArray[] = [];
  #length = 0;

  /** `make` decides the width: `(n) => new Float64Array(n)`. */
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

/** Column makers by width. */
export const float64 = (): Column => new Column((length) => new Float64Array(length));
export const uint32 = (): Column => new Column((length) => new Uint32Array(length));
export const uint8 = (): Column => new Column((length) => new Uint8Array(length));
