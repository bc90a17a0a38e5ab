import { expect, test } from 'vitest';
import { notificationWords } from './part-words';
import { got, logOf } from './test-frames';

test.each([
  [{ progressToken: 1, progress: 2, total: 10, message: 'Step 2' }, '2 of 10 · Step 2'],
  [{ progressToken: 1, progress: 0.5 }, '0.5'],
  [{ level: 'info', data: 'loaded' }, 'loaded'],
  [{ level: 'info', data: { a: 1 } }, undefined],
  [{ progress: '1', message: 7 }, undefined],
])('%j says %j', (params, words) => {
  expect(notificationWords(logOf(got({ jsonrpc: '2.0', method: 'notifications/x', params })), 1)).toBe(words);
});
