import { expect, test } from 'vitest';
import { compilePassing } from '@/features/intercept/lib/passing-filter';
import { asked, got, logOf } from '@/lib/store/test-frames';
import { ruleLike } from './rule-like';

const log = logOf(
  asked(1, 'tools/call', { name: 'echo' }),
  got({ jsonrpc: '2.0', id: 1, result: {} }),
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } }),
  asked(2, 'tools/list'),
  got({ jsonrpc: '2.0', id: 9, result: {} }),
);

test.each([
  [1, { name: 'Hold tools/call echo', direction: 'to-server', when: 'method:tools/call tool:echo' }],
  [2, { name: 'Hold responses to tools/call echo', direction: 'to-client', when: 'method:tools/call tool:echo' }],
  [3, { direction: 'to-client', when: 'method:notifications/message name:info' }],
  [4, { name: 'Hold tools/list', direction: 'to-server', when: 'method:tools/list' }],
] as const)('frame %i', (seq, rule) => {
  const row = log.row(seq - 1);
  const made = ruleLike(row, row.peer === undefined ? undefined : log.row(row.peer - 1));
  expect(made).toMatchObject({ ...rule, action: { do: 'hold' } });
  expect(typeof compilePassing(made!.when!)).toBe('function');
});

test('there is none for a response without its request', () => {
  expect(ruleLike(log.row(4), undefined)).toBeUndefined();
});
