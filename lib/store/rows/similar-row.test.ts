import { expect, test, vi } from 'vitest';
import { answered, asked, got, logOf } from '../test-frames';
import { similarBefore, similarFinder } from './similar-row';

test('finds the last frame of the same kind and name', () => {
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

test('searches the log once', () => {
  const log = logOf(...Array.from({ length: 50 }, (_, id) => asked(id, 'tools/list')), asked('x', 'ping'));
  const looked = vi.spyOn(log, 'row');
  const find = similarFinder(log, log.row(50));
  for (let time = 0; time < 5; time++) expect(find()).toBeUndefined();
  expect(looked.mock.calls.length).toBeLessThan(60);
});
