import { expect, test } from 'vitest';
import { answered, asked, complained, got, logOf } from '@/lib/store/test-frames';
import { callOf, newestRound } from './chosen-call';

const call = (id: number, name: string, more = {}) => asked(id, 'tools/call', { name, ...more });

test('finds the call of a request, a response and a log message, only of the same tool', () => {
  const log = logOf(
    call(1, 'a'),
    got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }),
    complained('reading'),
    answered(1, { content: [] }),
    call(2, 'b'),
  );
  expect([1, 2, 3, 4, 5, 6].map((seq) => callOf(log, seq, 'tools/call', 'a'))).toEqual([
    1,
    1,
    undefined,
    1,
    undefined,
    undefined,
  ]);
  expect(callOf(log, 1, 'prompts/get', 'a')).toBeUndefined();
});

test('shows the newest round of a call that was sent again with input', () => {
  const log = logOf(
    call(1, 'a'),
    answered(1, { resultType: 'input_required', requestState: 's', inputRequests: {} }),
    call(2, 'a', { requestState: 's', inputResponses: {} }),
    answered(2, { content: [] }),
    call(3, 'a'),
  );
  expect([1, 2, 3, 4].map((seq) => callOf(log, seq, 'tools/call', 'a'))).toEqual([1, 1, 1, 1]);
  expect(newestRound(log, 1)).toBe(3);
  expect(newestRound(log, 5)).toBe(5);
});
