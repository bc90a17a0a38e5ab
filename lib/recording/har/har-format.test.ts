import { expect, test } from 'vitest';
import { harDate, readHarDate } from './har-format';

test.each([
  [1_769_860_800_123.456, '2026-01-31T12:00:00.123456Z'],
  [1_769_860_800_123, '2026-01-31T12:00:00.123Z'],
  [1_769_860_800_000.007, '2026-01-31T12:00:00.000007Z'],
  [9e15, '+275760-09-13T00:00:00.000Z'],
])('%d is %s and back', (ms, text) => {
  expect(harDate(ms)).toBe(text);
  expect(readHarDate(text)).toBeCloseTo(Math.min(ms, 8.64e15), 3);
});

test.each([
  ['2026-01-31T13:00:00.1235+01:00', 1_769_860_800_123.5],
  ['2026-01-31T12:00:00Z', 1_769_860_800_000],
])('parses %s as %d', (text, ms) => {
  expect(readHarDate(text)).toBeCloseTo(ms, 3);
});

test('returns NaN for an invalid date', () => {
  expect(readHarDate('never')).toBeNaN();
});
