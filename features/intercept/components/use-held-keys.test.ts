import { expect, test } from 'vitest';
import type { Held } from '@/lib/store/state/interception-state';
import { neighbourOf, responseTo } from './use-held-keys';

const held = (hold: number): Held => ({
  hold,
  rule: 'r',
  direction: 'to-server',
  kind: 'request',
  bytes: 1,
  seq: hold,
  since: 0,
});
const waiting = [held(2), held(4), held(6)];

test.each([
  [undefined, 1, 2],
  [undefined, -1, 6],
  [2, 1, 4],
  [4, -1, 2],
  [6, 1, 2],
  [2, -1, 6],
  // It waits no longer.
  [3, 1, 4],
  [5, -1, 4],
  [9, 1, 2],
] as const)('from hold %s by %s to %s', (from, by, to) => {
  expect(neighbourOf(waiting, from, by)?.hold).toBe(to);
});

test('nothing waits', () => {
  expect(neighbourOf([], 1, 1)).toBeUndefined();
});

test('the held response to a request has its id, and goes the other way', () => {
  const request: Held = { ...held(1), id: 7 };
  const response: Held = { ...held(3), kind: 'response', direction: 'to-client', id: 7 };
  const others: readonly Held[] = [
    { ...held(2), id: 7 },
    { ...response, id: 8 },
    { ...response, direction: 'to-server' },
  ];
  expect(responseTo(request, others)).toBeUndefined();
  expect(responseTo(request, [...others, response])).toBe(response);
  expect(responseTo(response, [...others, response])).toBeUndefined();
});
