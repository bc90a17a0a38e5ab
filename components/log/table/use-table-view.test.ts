import { expect, test } from 'vitest';
import { FOLLOWING, followAfterSort, followFrom, followStopped, NOT_YET } from './use-table-view';

test('resumes following after a sort', () => {
  const sorted = followAfterSort(FOLLOWING, true, 10);
  expect(sorted.stoppedAt).toBe(10);
  const otherwise = followAfterSort(sorted, true, 20);
  expect(otherwise.stoppedAt).toBe(10);
  expect(followAfterSort(otherwise, false, 30)).toEqual(FOLLOWING);
});

test('does not start following after a sort', () => {
  const stopped = followStopped(FOLLOWING, 5);
  expect(followAfterSort(followAfterSort(stopped, true, 10), false, 20)).toEqual(stopped);
});

test('does not resume if a message was selected while sorted', () => {
  const chosen = followStopped(followAfterSort(FOLLOWING, true, 10), 20);
  expect(followAfterSort(chosen, false, 30).stoppedAt).toBe(10);
});

test('does not count frames that existed when the page opened as new', () => {
  expect(followFrom(NOT_YET, 500)).toEqual({ stoppedAt: 500, resumes: false });
  // Applied only once: later frames are new.
  expect(followFrom(followFrom(NOT_YET, 500), 600).stoppedAt).toBe(500);
  expect(followFrom(FOLLOWING, 500)).toBe(FOLLOWING);
});
