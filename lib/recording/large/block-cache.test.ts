import { describe, expect, test } from 'vitest';
import { inBlocks } from './block-cache';

const BLOCK = 256 * 1024;

function counted(size: number) {
  const bytes = Uint8Array.from({ length: size }, (_, index) => index % 251);
  const reads: (readonly [number, number])[] = [];
  let fails = false;
  const file = inBlocks({
    size,
    read: async (from, to) => {
      reads.push([from, to]);
      if (fails) throw new Error('offline');
      return bytes.slice(from, to);
    },
    close: async () => {},
  });
  return { bytes, reads, file, fail: (on: boolean) => (fails = on) };
}

describe('reading in blocks', () => {
  test('gives the same bytes, and asks once for what is near', async () => {
    const { bytes, reads, file } = counted(3 * BLOCK + 10);
    expect(await file.read(5, 100)).toEqual(bytes.slice(5, 100));
    expect(await file.read(200, 300)).toEqual(bytes.slice(200, 300));
    expect(reads).toEqual([[0, BLOCK]]);
    expect(await file.read(BLOCK - 1, 3 * BLOCK + 10)).toEqual(bytes.slice(BLOCK - 1));
    expect(reads.slice(1)).toEqual([[BLOCK, 3 * BLOCK + 10]]);
  });

  test('two readers of a block share its request', async () => {
    const { reads, file } = counted(BLOCK);
    await Promise.all([file.read(0, 10), file.read(10, 20)]);
    expect(reads).toHaveLength(1);
  });

  test('holds at most 64 blocks, and drops those that were used least lately', async () => {
    const { reads, file } = counted(66 * BLOCK);
    for (let block = 0; block < 65; block++) await file.read(block * BLOCK, block * BLOCK + 1);
    await file.read(64 * BLOCK, 64 * BLOCK + 1);
    expect(reads).toHaveLength(65);
    await file.read(0, 1);
    expect(reads).toHaveLength(66);
  });

  test('a block that failed is asked for again', async () => {
    const { bytes, file, fail } = counted(BLOCK);
    fail(true);
    await expect(file.read(0, 10)).rejects.toThrow('offline');
    fail(false);
    expect(await file.read(0, 10)).toEqual(bytes.slice(0, 10));
  });
});
