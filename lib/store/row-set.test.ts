import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowSet } from './row-set';

test('is a sorted set, whatever is put in and taken out', () => {
  const step = fc.tuple(fc.nat(5000), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const rows = new RowSet();
      const model = new Set<number>();
      for (const [row, present] of steps) {
        expect(rows.set(row, present)).toBe(model.has(row) !== present);
        if (present) model.add(row);
        else model.delete(row);
        // Asked in between, so that what it keeps in mind has to stay right.
        if (model.size > 0) expect(model.has(rows.at(model.size - 1))).toBe(true);
      }
      const sorted = [...model].sort((a, b) => a - b);
      expect(rows.size).toBe(sorted.length);
      expect(sorted.map((_, position) => rows.at(position))).toEqual(sorted);
      expect(sorted.map((row) => rows.position(row))).toEqual(sorted.map((_, position) => position));
    }),
  );
});

test('grows to a million rows', () => {
  const rows = new RowSet();
  for (let row = 0; row < 1_000_000; row += 3) rows.set(row, true);
  expect(rows.at(333_333)).toBe(999_999);
  expect(rows.position(999_999)).toBe(333_333);
  expect(rows.position(1)).toBe(-1);
  expect(rows.position(5_000_000)).toBe(-1);
  expect(() => rows.at(333_334)).toThrow(RangeError);
});
