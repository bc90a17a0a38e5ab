import { expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { asked, got, happened, logOf, sent } from '@/lib/store/test-frames';
import { overOf } from './question-over';

const ASKS = got({ jsonrpc: '2.0', id: 's1', method: 'sampling/createMessage', params: {} });
const WITHDRAWS = got({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 's1' } });
const CALLS = asked(1, 'tools/call', { name: 'ask' });

/** Returns what is said about the newest closed question of a log. */
function said(log: Log, isOpen = true) {
  return overOf(log, log.state.inbox.closed[0]!, isOpen);
}

test('a question that waits is not over', () => {
  const log = logOf(CALLS, ASKS);
  expect(overOf(log, log.state.inbox.waiting[0]!, true)).toBeUndefined();
});

test('a server that withdraws its question may still get the answer, while it is connected', () => {
  const log = logOf(CALLS, ASKS, WITHDRAWS);
  const sentence = 'The server withdrew this question after 1.0 ms';
  expect(said(log)).toEqual({ sentence, canSend: true, isSudden: true });
  expect(said(log, false)).toEqual({ sentence, canSend: false, isSudden: true });
});

test('the time is in whole seconds', () => {
  const log = new Log('c1');
  const frames = [CALLS, ASKS, WITHDRAWS].map((frame, index) => ({
    ...frame,
    seq: index + 1,
    time: index * 5_998_000,
  }));
  log.append(frames);
  expect(said(log)!.sentence).toBe('The server withdrew this question after 6 s');
});

test.each([
  ['The connection ended 1.0 ms after this question', happened({ event: 'exit', code: 1, signal: null }), true],
  ['This question was answered elsewhere after 1.0 ms', sent({ jsonrpc: '2.0', id: 's1', result: {} }), false],
  [
    'mcp-inspect answered with an error after 1.0 ms',
    sent({ jsonrpc: '2.0', id: 's1', error: { code: -1, message: 'no' } }),
    false,
  ],
] as const)('%s', (sentence, end, isSudden) => {
  expect(said(logOf(CALLS, ASKS, end))).toEqual({ sentence, canSend: false, isSudden });
});
