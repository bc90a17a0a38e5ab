import { expect, test } from 'vitest';
import { Waiting } from './waiting';

test('an answer is for the oldest that still waits, then for the oldest that was given up', () => {
  const waiting = new Waiting();
  for (const seq of [1, 2, 3]) waiting.add(seq);
  expect(waiting.end()).toBe(1);
  expect([waiting.answer(), waiting.answer(), waiting.answer(), waiting.answer()]).toEqual([2, 3, 1, undefined]);
  expect(waiting.isEmpty).toBe(true);
  expect(waiting.end()).toBeUndefined();
});
