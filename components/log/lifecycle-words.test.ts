import { expect, test } from 'vitest';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { lifecycleWords } from './lifecycle-words';

test.each([
  [{ event: 'exit', code: 1, signal: null }, 'The server exited with code 1.'],
  [{ event: 'exit', code: null, signal: 'SIGKILL' }, 'The server exited by SIGKILL.'],
  [{ event: 'rung', rung: 'SIGTERM' }, 'SIGTERM was sent.'],
  [{ event: 'closing', reason: 'user' }, 'The connection is being closed: you disconnected.'],
  [{ event: 'timeout', id: '7', method: 'ping', afterMs: 500 }, 'No answer to ping (id "7") within 500 ms.'],
  [{ event: 'input', id: 7, method: 'tools/call', phase: 'given', key: 'a' }, '"a" was answered (tools/call, id 7).'],
  [
    { event: 'roots', roots: [{ uri: 'file:///a' }, { uri: 'file:///b' }] },
    'The server is told of these 2 roots: file:///a, file:///b',
  ],
] as [LifecycleEvent, string][])('%j', (event, words) => expect(lifecycleWords(event)).toBe(words));

test('roots of a log that is not ours are no crash', () => {
  const odd = (roots: unknown) => lifecycleWords({ event: 'roots', roots } as LifecycleEvent);
  expect([odd(undefined), odd([null, { uri: 7 }])]).toEqual(Array(2).fill('The server is told of no roots.'));
});

test('an event of a later version is no crash', () => {
  expect(lifecycleWords({ event: 'constructor' } as unknown as LifecycleEvent)).toBeUndefined();
});
