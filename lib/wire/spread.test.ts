import { expect, test } from 'vitest';
import { durationsText, spreadOf } from './spread';

test('gives exact quantiles, each of them one of the numbers', () => {
  expect(spreadOf([])).toBeUndefined();
  expect(spreadOf([7])).toEqual({ min: 7, median: 7, p95: 7, max: 7, singles: [7] });
  expect(spreadOf([4, 2, 3, 1])?.singles).toEqual([4, 2, 3, 1]);
  expect(spreadOf([5, 4, 2, 3, 1])?.singles).toBeUndefined();
  expect(spreadOf(Array.from({ length: 100 }, (_, n) => 100 - n))).toEqual({ min: 1, median: 50, p95: 95, max: 100 });
});

test.each([
  [{ p50: undefined, p95: undefined }, ''],
  [{ p50: 12_000, p95: 140_000 }, 'p50 12.0 ms, p95 140 ms'],
  [{ singles: [12_000, 900], p50: 900, p95: 12_000 }, '12.0 ms, 900 µs'],
])('shows the durations %j', (figures, text) => {
  expect(durationsText(figures)).toBe(text);
});
