const CHUNK_BITS = 12;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

/** A column of unsigned 32-bit numbers of which few are not 0: stretches without any cost nothing, not even when they are appended. */
export class SparseColumn {
  readonly #chunks = new Map<number, Uint32Array>();

  get(index: number): number {
    return this.#chunks.get(index >>> CHUNK_BITS)?.[index & MASK] ?? 0;
  }

  set(index: number, value: number): void {
    const at = index >>> CHUNK_BITS;
    let chunk = this.#chunks.get(at);
    if (!chunk) {
      chunk = new Uint32Array(CHUNK);
      this.#chunks.set(at, chunk);
    }
    chunk[index & MASK] = value;
  }
}
