import { expect, test } from 'vitest';
import { FOLLOWING, followAfterSort, followFrom, followStopped, NOT_YET } from './use-table-view';

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

test('what a log held when the page came to it is not new', () => {
  expect(followFrom(NOT_YET, 500)).toEqual({ stoppedAt: 500, resumes: false });
  // Said once: what comes later is.
  expect(followFrom(followFrom(NOT_YET, 500), 600).stoppedAt).toBe(500);
  expect(followFrom(FOLLOWING, 500)).toBe(FOLLOWING);
});
