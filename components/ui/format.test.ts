import { describe, expect, test } from 'vitest';
import { formatCount, formatDuration, formatTime } from './format';

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
