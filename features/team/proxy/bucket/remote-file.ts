import { inBlocks } from '@/lib/recording/large/block-cache';
import type { RandomAccess } from '@/lib/recording/large/random-access';
import type { ObjectStore, StoredObject } from './object-store';

/** An object in the bucket as a file that is read in blocks. */
export interface BucketFile extends RandomAccess {
  /** Bytes requested from the store so far. */
  readonly requestedBytes: number;
}

/**
 * Returns an object as a file. Every request names the ETag, so that an object that was replaced is refused, never
 * mixed. Reads reject with a StoreError.
 */
export function remoteFile(store: Pick<ObjectStore, 'read'>, { key, bytes: size, etag }: StoredObject): BucketFile {
  const closed = new AbortController();
  let requestedBytes = 0;
  const file = inBlocks({
    size,
    read: async (from, to) => {
      requestedBytes += to - from;
      const { signal } = closed;
      const bytes = await store.read(key, { range: [from, to], signal, ...(etag !== '' && { etag }) });
      return new Uint8Array(bytes);
    },
    close: async () => closed.abort(),
  });
  return {
    ...file,
    get requestedBytes() {
      return requestedBytes;
    },
  };
}

/** Bytes of index that are read before a person is asked: with both ends of the file and a message, below 3 MB. */
const FIRST_INDEX_BYTES = 1_000_000;

/** How much of a remote index may be read. One index is always allowed, so that there is something to see. */
export class ReadingBudget {
  #left: number;
  #isFirst = true;
  readonly #waiting: (() => void)[] = [];

  constructor(bytes: number = FIRST_INDEX_BYTES) {
    this.#left = bytes;
  }

  /** Resolves once this many bytes may be read. Calls `onWaiting` first if a person has to allow that. */
  async mayRead(bytes: number, onWaiting: () => void): Promise<void> {
    this.#left -= bytes;
    const isAllowed = this.#left >= 0 || this.#isFirst;
    this.#isFirst = false;
    if (isAllowed) return;
    onWaiting();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Allows the rest. */
  allowAll(): void {
    this.#left = Number.POSITIVE_INFINITY;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
