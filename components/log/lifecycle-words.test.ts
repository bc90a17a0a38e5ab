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
  [
    { event: 'session-lost', reason: 'The server answered a POST in this session with HTTP 404.' },
    'The server answered a POST in this session with HTTP 404. The server has forgotten the session, so a new one is opened.',
  ],
  [{ event: 'session-lost' }, 'The server has forgotten the session, so a new one is opened.'],
  [{ event: 'reachable', attempts: 1 }, 'The server is reachable again, after 1 attempt.'],
  [{ event: 'missing', frames: 1 }, '1 frame is missing here.'],
  [{ event: 'missing', frames: 1, lines: 1, line: 14 }, 'Line 14 is damaged: 1 frame is missing here.'],
  [
    { event: 'missing', frames: 3000, lines: 2, line: 14 },
    '2 lines from line 14 on are damaged: 3,000 frames are missing here.',
  ],
  [
    { event: 'missing', frames: 2, lines: 1, line: 14, unknown: true },
    'Line 14 is of a kind that is not known here: 2 frames are missing here.',
  ],
  [
    { event: 'missing', frames: 1e9, folded: true },
    '1,000,000,000 frames are missing here. From here on, numbers are lower than in the file.',
  ],
  [{ event: 'missing' }, 'This frame is missing as well.'],
] as [LifecycleEvent, string][])('%j', (event, words) => expect(lifecycleWords(event)).toBe(words));

test('roots of a log that is not ours are no crash', () => {
  const odd = (roots: unknown) => lifecycleWords({ event: 'roots', roots } as LifecycleEvent);
  expect([odd(undefined), odd([null, { uri: 7 }])]).toEqual(Array(2).fill('The server is told of no roots.'));
});

test('an event of a later version is no crash', () => {
  expect(lifecycleWords({ event: 'constructor' } as unknown as LifecycleEvent)).toBeUndefined();
});
