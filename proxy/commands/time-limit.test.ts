import { expect, test } from 'vitest';
import { runWithin } from './time-limit';

test('work is stopped in the middle of a pattern that has no end, whatever it catches', () => {
  const work = () => {
    try {
      /^(a+)+$/.test(`${'a'.repeat(60)}!`);
    } catch {}
    throw new Error('it went on');
  };
  expect(runWithin(20, work)).toBe(false);
});

test('work that comes to its end does, and throws what it throws', () => {
  let done = false;
  expect(
    runWithin(10_000, () => {
      done = true;
    }),
  ).toBe(true);
  expect(done).toBe(true);
  expect(() =>
    runWithin(10_000, () => {
      throw new RangeError('mine');
    }),
  ).toThrow(RangeError);
});
