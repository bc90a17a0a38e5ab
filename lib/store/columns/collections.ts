import { LIMITS } from '@/lib/wire/limits';

/** 32-bit words per block. */
const WORDS = 16;
/** Rows per block, which `at` searches linearly. */
const BLOCK = WORDS * 32;

/**
 * A set of row numbers with fast access to the n-th one: a bit per row and a count per block. Rows may be added and
 * removed anywhere.
 */
export class RowSet {
  #bits = new Uint32Array(WORDS * 64);
  /** Rows in each block. */
  #counts = new Uint32Array(64);
  /** Rows before each block; valid up to `#summed`. */
  #before = new Uint32Array(65);
  #summed = 0;
  #blocks = 0;
  #size = 0;

  get count(): number {
    return this.#size;
  }

  has(row: number): boolean {
    const word = row >>> 5;
    return word < this.#bits.length && (this.#bits[word]! & (1 << (row & 31))) !== 0;
  }

  /** Adds or removes a row. Returns true if that changed the set. */
  set(row: number, present: boolean): boolean {
    if (this.has(row) === present) return false;
    const block = Math.floor(row / BLOCK);
    if (block >= this.#counts.length) this.#grow(block + 1);
    this.#bits[row >>> 5]! ^= 1 << (row & 31);
    const by = present ? 1 : -1;
    this.#counts[block]! += by;
    this.#size += by;
    this.#blocks = Math.max(this.#blocks, block + 1);
    this.#summed = Math.min(this.#summed, block);
    return true;
  }

  /** Returns the row at a position. Throws RangeError beyond the last one. */
  at(position: number): number {
    if (!(position >= 0 && position < this.#size)) throw new RangeError(`The set has no row at position ${position}.`);
    this.#sum();
    const block = this.#blockOf(position);
    let left = position - this.#before[block]!;
    for (let word = block * WORDS; ; word++) {
      const bits = this.#bits[word]!;
      const count = bitCount(bits);
      if (left < count) return word * 32 + nthBit(bits, left);
      left -= count;
    }
  }

  /** Returns the position of a row; -1 if it is not in the set. */
  position(row: number): number {
    if (!this.has(row)) return -1;
    this.#sum();
    const block = Math.floor(row / BLOCK);
    let count = this.#before[block]!;
    for (let word = block * WORDS; word < row >>> 5; word++) count += bitCount(this.#bits[word]!);
    return count + bitCount(this.#bits[row >>> 5]! & ((1 << (row & 31)) - 1));
  }

  /** Returns the block that contains the row at `position`. */
  #blockOf(position: number): number {
    let low = 0;
    let high = this.#blocks - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#before[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #sum(): void {
    for (; this.#summed < this.#blocks; this.#summed++) {
      this.#before[this.#summed + 1] = this.#before[this.#summed]! + this.#counts[this.#summed]!;
    }
  }

  #grow(blocks: number): void {
    const length = Math.max(blocks, 2 * this.#counts.length);
    this.#bits = grown(this.#bits, length * WORDS);
    this.#counts = grown(this.#counts, length);
    this.#before = grown(this.#before, length + 1);
  }
}

function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}

/** Returns the number of set bits. */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the index of the set bit that has `n` set bits below it. */
function nthBit(word: number, n: number): number {
  let bits = word;
  for (let left = n; left > 0; left--) bits &= bits - 1;
  return 31 - Math.clz32(bits & -bits);
}

/** Rows per chunk of a sparse column: 16 KiB. */
const CHUNK_BITS = 12;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

/** A column of unsigned 32-bit numbers that are mostly 0. Chunks of zeros cost nothing. */
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

/** A Map with at most `LIMITS.rulesMemory` entries. The oldest entry is dropped first. */
export class RecentMap<K, V> extends Map<K, V> {
  /** Kept between calls: a new iterator would step over all deleted entries again. */
  #oldest: Iterator<K> | undefined;

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > LIMITS.rulesMemory) {
      this.#oldest ??= this.keys();
      this.delete(this.#oldest.next().value as K);
    }
    return this;
  }
}

/** Groups values by a key, in the order of the first of each. */
export function groupBy<K, T>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
