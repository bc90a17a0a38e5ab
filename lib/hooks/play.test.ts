import { expect, test } from 'vitest';
import { pauseAfter, playedTo } from './play';

/** Frame times in µs. */
const TIMES = [0, 100_000, 100_000, 300_000, 90_000_000];
const columns = { time: (index: number) => TIMES[index]! };

test('plays frames at their recorded pace or faster, and shortens silence', () => {
  expect([1, 2, 3, 4].map((seq) => pauseAfter(columns, seq, '×1'))).toEqual([100, 0, 200, 1000]);
  expect(pauseAfter(columns, 1, '×4')).toBe(25);
});

test('finds the frame at a time, at most the last', () => {
  expect(playedTo(columns, { seq: 1, ms: 99 }, 5, '×1')).toEqual({ seq: 1, ms: 99 });
  expect(playedTo(columns, { seq: 1, ms: 150 }, 5, '×1')).toEqual({ seq: 3, ms: 50 });
  expect(playedTo(columns, { seq: 1, ms: 150 }, 2, '×1')).toEqual({ seq: 2, ms: 0 });
  expect(playedTo(columns, { seq: 4, ms: 5000 }, 5, '×1')).toEqual({ seq: 5, ms: 0 });
});
