import { expect, test } from 'vitest';
import { OpenRequests } from './open-requests';

test('answers the oldest pending request, then the oldest that was given up', () => {
  const open = new OpenRequests();
  for (const seq of [1, 2, 3]) open.addRequest('a', seq);
  expect(open.giveUp('a')).toBe(1);
  expect(open.get('a')).toMatchObject({ oldestPending: 2, nextToAnswer: 2 });
  expect([open.answer('a'), open.answer('a')]).toEqual([2, 3]);
  expect(open.get('a')).toMatchObject({ oldestPending: undefined, nextToAnswer: 1 });
  expect([open.answer('a'), open.answer('a')]).toEqual([1, undefined]);
  expect([...open.all()]).toEqual([]);
  expect(open.giveUp('a')).toBeUndefined();
});

test('gives up all that are pending, once, and still answers them', () => {
  const open = new OpenRequests();
  open.addRequest(1, 1);
  open.addRequest('1', 2);
  open.addRequest(1, 3);
  expect(open.giveUpAll()).toEqual([1, 3, 2]);
  expect(open.giveUpAll()).toEqual([]);
  expect([open.answer('1'), open.answer(1), open.answer(1)]).toEqual([2, 1, 3]);
});
