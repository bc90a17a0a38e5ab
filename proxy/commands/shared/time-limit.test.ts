import { expect, test } from 'vitest';
import { runWithin } from './time-limit';

test('stops work within an endless pattern, whatever it catches', () => {
  const work = () => {
    try {
      /^(a+)+$/.test(`${'a'.repeat(60)}!`);
    } catch {}
    throw new Error('it went on');
  };
  expect(runWithin(20, work)).toBe(false);
});

test('lets other work finish, and throws what it throws', () => {
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
