import { expect, test } from 'vitest';
import { timeRangeOf, withTimeRange } from './time-range';

test.each([
  ['', { from: 1_200_000, to: 3_400_000 }, 'time:1.2s..3.4s'],
  ['method:tools/* -ping', { from: 1_200_000 }, 'method:tools/* -ping time:1.2s..'],
  ['ping time:1s..2s echo', { to: 500 }, 'ping echo time:..0.0005s'],
  ['ping time:1s..2s', undefined, 'ping'],
  ['one or two', { from: 0, to: 1_000_000 }, '(one or two) time:0s..1s'],
])('%j with %j is %j', (text, range, expected) => {
  expect(withTimeRange(text, range)).toBe(expected);
  expect(timeRangeOf(expected)).toEqual(range && { from: undefined, to: undefined, ...range });
});

test('rounding keeps all frames of a range', () => {
  expect(withTimeRange('', { from: 1_234_567, to: 2_345_612 })).toBe('time:1.234s..2.346s');
});

test('ignores time terms that the timeline did not write', () => {
  expect(timeRangeOf('time:>2s')).toBeUndefined();
  expect(timeRangeOf('time:1s..2s or ping')).toBeUndefined();
  expect(timeRangeOf('"not closed')).toBeUndefined();
});
