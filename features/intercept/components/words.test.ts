import { expect, test } from 'vitest';
import { givenUpWords, heldName, waitWords } from '@/components/exchange/held-words';
import { actionWords, countWords } from './rule-words';

test.each([
  [{ kind: 'request', method: 'tools/call' }, 'tools/call'],
  [{ kind: 'response', method: 'tools/call' }, 'response to tools/call'],
  [{ kind: 'error', method: 'tools/call' }, 'error response to tools/call'],
  [{ kind: 'response' }, 'response'],
  [{ kind: 'notification', method: 'notifications/message' }, 'notifications/message'],
  [{ kind: 'batch', method: 'ping' }, 'batch'],
  [{ kind: 'junk' }, 'not a message'],
  [{}, 'message'],
] as const)('%j is called %s', (held, name) => {
  expect(heldName(held)).toBe(name);
});

test('a hold says how long it lasts, a delay how long it still lasts', () => {
  expect(waitWords({ since: 1_000_000 }, 4_500_000)).toBe('3 s');
  expect(waitWords({ since: 1_000_000, ms: 5000 }, 4_500_000)).toBe('1 s left');
  expect(waitWords({ since: 1_000_000, ms: 1000 }, 4_500_000)).toBe('0 s left');
});

test.each([
  ['request', 'to-server', 'The client cancelled this request 2 s ago: Timed out'],
  ['response', 'to-client', 'The client cancelled this request 2 s ago: Timed out'],
  ['request', 'to-client', 'The server cancelled this request 2 s ago: Timed out'],
] as const)('says who cancelled the request of a held %s %s', (kind, direction, words) => {
  const givenUp = { seq: 1, since: 1_000_000, reason: 'Timed out' };
  expect(givenUpWords({ kind, direction, givenUp }, 3_500_000)).toBe(words);
});

test('counts and actions in words', () => {
  expect(countWords({})).toBe('');
  expect(countWords({ every: 3, after: 1, times: 1 })).toBe('every 3rd, after the first one, once');
  expect(countWords({ every: 12, after: 4, times: 2 })).toBe('every 12th, after the first 4, at most 2 times');
  expect(countWords({ every: 22 })).toBe('every 22nd');
  expect(actionWords({ do: 'delay', ms: 3000 })).toBe('delay 3.00 s');
  expect(actionWords({ do: 'error', code: -32603, message: '' })).toBe('answer with error -32603');
});
