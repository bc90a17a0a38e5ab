import { describe, expect, test } from 'vitest';
import {
  countOf,
  formatBytes,
  formatClock,
  formatClockMs,
  formatCount,
  formatDate,
  formatDuration,
  formatElapsed,
  formatLength,
  formatTime,
} from './format';

test.each([
  [0, '0 B'],
  [84, '84 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [99_949, '99.9 KB'],
  [99_950, '100 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [12_400_000, '12.4 MB'],
  [5e15, '5000 TB'],
])('%d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

describe('durations, from microseconds', () => {
  test.each([
    [0, '0 µs'],
    [640.4, '640 µs'],
    [999.6, '1.0 ms'],
    [99_940, '99.9 ms'],
    [99_960, '100 ms'],
    [999_600, '1.00 s'],
    [2_310_000, '2.31 s'],
    [59_996_000, '1 min 00 s'],
    [59_995_000, '1 min 00 s'],
    [185_000_000, '3 min 05 s'],
  ])('%d is %s', (us, text) => expect(formatDuration(us)).toBe(text));
});

describe('times since the start', () => {
  test.each([
    [0, '+0.000 s'],
    [4_210_999, '+4.210 s'],
    [59_999_999, '+59.999 s'],
    [60_000_000, '+1:00.000'],
    [3_723_004_000, '+1:02:03.004'],
  ])('%d is %s', (us, text) => expect(formatTime(us)).toBe(text));
});

test('counts have separators', () => expect(formatCount(31_882)).toBe('31,882'));

describe('lengths of recordings', () => {
  test.each([
    [0, '0.0 s'],
    [420_000, '0.4 s'],
    [185_000_000, '3:05'],
    [7_385_000_000, '2:03:05'],
  ])('%d µs', (us, text) => expect(formatLength(us)).toBe(text));
});

test.each([
  [0, '0 frames'],
  [1, '1 frame'],
  [31_882, '31,882 frames'],
])('%d with its noun is %s', (count, text) => expect(countOf(count, 'frame')).toBe(text));

describe('times of day are local', () => {
  const at = new Date(2026, 2, 4, 9, 5, 7, 42);

  test.each([at.getTime(), at.toISOString()])('%s', (time) => {
    expect(formatClock(time)).toBe('09:05:07');
    expect(formatDate(time)).toBe('2026-03-04 09:05:07');
  });

  test('to the millisecond', () => expect(formatClockMs(at.getTime() + 0.9)).toBe('09:05:07.042'));

  test('are empty for invalid times', () => {
    expect([formatClock('x'), formatClockMs(Number.NaN), formatDate('')]).toEqual(['', '', '']);
  });
});

test.each([
  [999_999, ''],
  [1_000_000, '1 s'],
  [59_999_999, '59 s'],
  [185_000_000, '3 min 05 s'],
])('%d µs so far is %j', (us, text) => expect(formatElapsed(us)).toBe(text));
