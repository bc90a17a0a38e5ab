import fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallestList } from './smallest-list';

const LENGTH = 900;
const ITEMS = Array.from({ length: LENGTH }, (_, at) => at);

/** Searches, and counts the lists that were tried. Each smaller list that is reported must have failed. */
async function search(stillFails: (items: readonly number[]) => boolean, width = 2, guesses: number[][] = []) {
  let tried = 0;
  const found = await smallestList(
    ITEMS,
    async (items) => {
      tried++;
      return stillFails(items);
    },
    { guesses, width, onSmaller: (items) => expect(stillFails(items)).toBe(true) },
  );
  return { found, tried };
}

test('finds exactly the items that are needed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(LENGTH - 1), { maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      async (needed, width) => {
        const { found, tried } = await search((items) => needed.every((item) => items.includes(item)), width);
        expect(found).toEqual(needed.toSorted((a, b) => a - b));
        expect(tried).toBeLessThan(20 * (needed.length + 1));
      },
    ),
    { numRuns: 200, seed: 19 },
  );
});

test('finds a number of items, whichever they are', async () => {
  const { found, tried } = await search((items) => items.length >= 20);
  expect(found).toHaveLength(20);
  expect(tried).toBeLessThan(120);
});

test('ends with a list that fails although others undo the failure', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(LENGTH - 1), fc.nat(LENGTH - 1), fc.nat(LENGTH - 1), async (sets, resets, shows) => {
      // Fails if an item is before another one, and no third one is between them.
      const fails = (items: readonly number[]) => {
        const [from, to] = [items.indexOf(sets), items.indexOf(shows)];
        const reset = items.indexOf(resets);
        return from >= 0 && to >= from && !(reset > from && reset < to);
      };
      fc.pre(fails(ITEMS));
      expect((await search(fails)).found).toEqual(sets === shows ? [sets] : [sets, shows]);
    }),
    { numRuns: 100, seed: 19 },
  );
});

test('tries the guesses first', async () => {
  const { found, tried } = await search((items) => items.includes(7) && items.includes(800), 2, [[], [800], [7, 800]]);
  expect(found).toEqual([7, 800]);
  expect(tried).toBeLessThan(12);
});

test('rejects with the reason of an abort', async () => {
  const options = { guesses: [], width: 2, onSmaller: () => {} };
  await expect(smallestList(ITEMS, () => Promise.reject(new Error('stopped')), options)).rejects.toThrow('stopped');
});
