import { LIMITS } from '@/lib/wire/limits';

interface Kept<T> {
  readonly name: string;
  readonly length: number;
  readonly value: T;
}

/**
 * The blobs that a frame may refer to: the newest before it, `LIMITS.blobs` of them and `LIMITS.blobsBytes` together. Writers
 * and readers have the same, so that a stream is written and read in bounded memory.
 */
export class BlobWindow<T> {
  /** Oldest first. */
  #kept: Kept<T>[] = [];
  #bytes = 0;

  /** The next blob, of `length` bytes. */
  add(name: string, length: number, value: T): void {
    this.#kept.push({ name, length, value });
    this.#bytes += length;
    while (this.#kept.length > LIMITS.blobs || this.#bytes > LIMITS.blobsBytes) {
      this.#bytes -= this.#kept.shift()!.length;
    }
  }

  /** The newest of this name. */
  get(name: string): T | undefined {
    return this.#kept.findLast((kept) => kept.name === name)?.value;
  }

  /** The name of this value, if it is still here when `count` more have come, of `bytes` together. */
  lasting(value: T, count: number, bytes: number): string | undefined {
    let [blobs, sum] = [count, bytes];
    for (let at = this.#kept.length - 1; at >= 0; at--) {
      const kept = this.#kept[at]!;
      sum += kept.length;
      if (++blobs > LIMITS.blobs || sum > LIMITS.blobsBytes) return undefined;
      if (kept.value === value) return kept.name;
    }
    return undefined;
  }
}
