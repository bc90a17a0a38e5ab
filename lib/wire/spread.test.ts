import { expect, test } from 'vitest';
import { spreadOf } from './spread';

test('gives exact quantiles, each of them one of the numbers', () => {
  expect(spreadOf([])).toBeUndefined();
  expect(spreadOf([7])).toEqual({ min: 7, median: 7, p95: 7, max: 7 });
  expect(spreadOf(Array.from({ length: 100 }, (_, n) => 100 - n))).toEqual({ min: 1, median: 50, p95: 95, max: 100 });
});
