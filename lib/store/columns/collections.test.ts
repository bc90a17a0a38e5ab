import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { RecentMap, RowSet } from './collections';

test('a RowSet is sorted after any insertions and removals', () => {
  const step = fc.tuple(fc.nat(5000), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const rows = new RowSet();
      const model = new Set<number>();
      for (const [row, present] of steps) {
        expect(rows.set(row, present)).toBe(model.has(row) !== present);
        if (present) model.add(row);
        else model.delete(row);
        // Read in between, to check that cached sums stay correct.
        if (model.size > 0) expect(model.has(rows.at(model.size - 1))).toBe(true);
      }
      const sorted = [...model].sort((a, b) => a - b);
      expect(rows.count).toBe(sorted.length);
      expect(sorted.map((_, position) => rows.at(position))).toEqual(sorted);
      expect(sorted.map((row) => rows.position(row))).toEqual(sorted.map((_, position) => position));
    }),
  );
});

test('a RowSet grows to a million rows', () => {
  const rows = new RowSet();
  for (let row = 0; row < 1_000_000; row += 3) rows.set(row, true);
  expect(rows.at(333_333)).toBe(999_999);
  expect(rows.position(999_999)).toBe(333_333);
  expect(rows.position(1)).toBe(-1);
  expect(rows.position(5_000_000)).toBe(-1);
  expect(() => rows.at(333_334)).toThrow(RangeError);
});

test('a RecentMap drops the oldest entry, even after others were set again or deleted', () => {
  const map = new RecentMap<number, string>();
  for (let key = 0; key < LIMITS.rulesMemory; key++) map.set(key, 'first');
  map.set(0, 'again');
  map.delete(3);
  for (let key = 0; key < 5; key++) map.set(-1 - key, 'more');
  expect(map.size).toBe(LIMITS.rulesMemory);
  expect([0, 1, 2, 3, 4, 5, 6].filter((key) => map.has(key))).toEqual([0, 6]);
  for (let key = 0; key < 3 * LIMITS.rulesMemory; key++) map.set(1_000_000 + key, 'later');
  expect(map.size).toBe(LIMITS.rulesMemory);
  expect([...map.values()].every((value) => value === 'later')).toBe(true);
});
