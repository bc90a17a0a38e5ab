import { expect, test } from 'vitest';
import { isInRange, readRange } from '../language/number-range';

const UNITS = { '': 1, ms: 1000, s: 1e6, m: 60e6 };

test.each<[string, number[], number[]]>([
  ['>5', [5.1, 6], [5, 4]],
  ['>=5', [5, 6], [4.9]],
  ['<5', [4], [5]],
  ['<=5', [5], [5.1]],
  ['5..7', [5, 6, 7], [4.9, 7.1]],
  ['5..', [5, 1e12], [4]],
  ['..5', [0, 5], [6]],
  ['5', [5, 5.9], [4.9, 6]],
  ['12ms', [12_000, 12_999], [11_999, 13_000]],
  ['1.5ms', [1500, 1599], [1600, 1499]],
  ['1m30s', [90e6, 90.5e6], [91e6, 89e6]],
  ['1.2S..3.4S', [1.2e6, 3.4e6], [3_400_001]],
])('%s', (text, inside, outside) => {
  const range = readRange(text, UNITS)!;
  expect(inside.filter((value) => !isInRange(range, value))).toEqual([]);
  expect(outside.filter((value) => isInRange(range, value))).toEqual([]);
  expect(isInRange(range, Number.NaN)).toBe(false);
});

test.each(['', '>', '..', 'x', '5x', '5 ms', '-5', '1.ms', '.5', '5...7', '5..7..9', '1e3', '5constructor'])(
  '%j is invalid',
  (text) => {
    expect(readRange(text, UNITS)).toBeUndefined();
  },
);
