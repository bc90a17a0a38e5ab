import { joinBytes } from '@/lib/json/typed-arrays';
import type { RandomAccess } from './random-access';

/** Bytes of a block: a few hundred lines, so that scrolling asks for one block at a time. */
const BLOCK_BYTES = 256 * 1024;
/** Blocks that are held, 16 MiB in all. */
const BLOCKS_HELD = 64;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Reads a file in blocks and holds those that were used last, for files where each read is a request. Blocks next to
 * each other are read together. Rejects as the file does; a failed block is read again when it is next needed.
 */
export function inBlocks(file: RandomAccess): RandomAccess {
  const held = new Map<number, Promise<Bytes>>();
  const { size } = file;

  /** Reads the blocks `[first, end)` with one request. */
  const readBlocks = (first: number, end: number): void => {
    const whole = file.read(first * BLOCK_BYTES, Math.min(size, end * BLOCK_BYTES));
    for (let block = first; block < end; block++) {
      const at = (block - first) * BLOCK_BYTES;
      const part = whole.then((bytes) => bytes.slice(at, at + BLOCK_BYTES));
      held.set(block, part);
      part.catch(() => held.get(block) === part && held.delete(block));
    }
  };

  return {
    size,
    read: async (from, to) => {
      const [first, end] = [Math.floor(from / BLOCK_BYTES), Math.ceil(to / BLOCK_BYTES)];
      // A read that is larger than what is held, such as that of a whole index, would evict its own blocks.
      if (end - first > BLOCKS_HELD) return file.read(from, to);
      for (let block = first; block < end; block++) {
        const part = held.get(block);
        if (part) {
          held.delete(block);
          held.set(block, part);
          continue;
        }
        let missing = block + 1;
        while (missing < end && !held.has(missing)) missing++;
        readBlocks(block, missing);
        block = missing - 1;
      }
      const parts = Array.from({ length: end - first }, (_, index) => held.get(first + index)!);
      for (const block of held.keys()) {
        if (held.size <= BLOCKS_HELD) break;
        held.delete(block);
      }
      const bytes = joinBytes(await Promise.all(parts));
      return bytes.slice(from - first * BLOCK_BYTES, to - first * BLOCK_BYTES);
    },
    close: () => {
      held.clear();
      return file.close();
    },
  };
}
