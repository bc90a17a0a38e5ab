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

test('work with a limit of its own within other work ends alone', () => {
  const order: string[] = [];
  const isDone = runWithin(10_000, () => {
    expect(runWithin(20, () => void /^(a+)+$/.test(`${'a'.repeat(60)}!`))).toBe(false);
    runWithin(10_000, () => void order.push('inner'));
    order.push('outer');
  });
  expect([isDone, order]).toEqual([true, ['inner', 'outer']]);
});
