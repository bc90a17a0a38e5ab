import { expect, test } from 'vitest';
import { logTimes } from './times';

const START = new Date(2026, 2, 4, 9, 5, 7, 40);

test('times are relative to the start, or of the day, and a hint has the other', () => {
  const relative = logTimes(START.toISOString(), 'relative');
  expect([relative.shown(2000), relative.other(2000), relative.startMs]).toEqual([
    '+0.002 s',
    '09:05:07.042',
    undefined,
  ]);
  const absolute = logTimes(START.toISOString(), 'absolute');
  expect([absolute.shown(2000), absolute.other(2000), absolute.startMs]).toEqual([
    '09:05:07.042',
    '+0.002 s',
    START.getTime(),
  ]);
});

test.each([undefined, 'x'])('times are relative while the start is unknown: %s', (at) => {
  const { shown, startMs } = logTimes(at, 'absolute');
  expect([shown(2000), startMs]).toEqual(['+0.002 s', undefined]);
});
