import { expect, test } from 'vitest';
import { similarBefore } from './similar-row';
import { answered, asked, got, logOf } from './test-frames';

test('the last frame of the same kind, about the same', () => {
  const log = logOf(
    asked(1, 'tools/call', { name: 'a' }),
    answered(1, {}),
    asked(2, 'tools/call', { name: 'b' }),
    answered(2, {}),
    asked(3, 'tools/call', { name: 'a' }),
    got({ jsonrpc: '2.0', id: 3, error: { code: 1, message: '' } }),
  );
  const before = (seq: number) => similarBefore(log, log.row(seq - 1));
  expect([1, 2, 3, 4, 5, 6].map(before)).toEqual([undefined, undefined, undefined, undefined, 1, 2]);
});
