import { expect, test } from 'vitest';
import { FOLLOWING, followAfterSort, followStopped } from './follow';

test('sorted and put in order again, the table follows as it did', () => {
  const sorted = followAfterSort(FOLLOWING, true, 10);
  expect(sorted.stoppedAt).toBe(10);
  const otherwise = followAfterSort(sorted, true, 20);
  expect(otherwise.stoppedAt).toBe(10);
  expect(followAfterSort(otherwise, false, 30)).toEqual(FOLLOWING);
});

test('what did not follow before does not afterwards', () => {
  const stopped = followStopped(FOLLOWING, 5);
  expect(followAfterSort(followAfterSort(stopped, true, 10), false, 20)).toEqual(stopped);
});

test('a message chosen while it is sorted stays in view afterwards', () => {
  const chosen = followStopped(followAfterSort(FOLLOWING, true, 10), 20);
  expect(followAfterSort(chosen, false, 30).stoppedAt).toBe(10);
});
