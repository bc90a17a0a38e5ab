import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { notificationWords } from './notification-words';
import { got, logOf } from './test-frames';

const words = (method: string, params: unknown) =>
  notificationWords(method, got({ jsonrpc: '2.0', method, params }).bytes);
const logged = (params: unknown) => words('notifications/message', params);
const progressed = (params: unknown) => words('notifications/progress', params);

test('a log message: level, logger, data', () => {
  expect(logged({ level: 'error', logger: 'flood', data: { i: 3, 'a"b': [1] } })).toBe(
    'error flood: {"i":3,"a\\"b":[1]}',
  );
  expect(logged({ level: 'info', data: 'two\n lines "quoted"' })).toBe('info: two lines "quoted"');
  expect(logged({ data: null })).toBe(': null');
  expect(logged({ level: 'info' })).toBe('info');
});

test('progress: how far, of how much, and its message', () => {
  expect(progressed({ progressToken: 1, progress: 12, total: 300, message: 'step 12' })).toBe('12/300 step 12');
  expect(progressed({ progress: 0.5 })).toBe('0.5');
  expect(progressed({ message: 'soon' })).toBe('soon');
});

test('numbers keep their digits', () => {
  const bytes = got('{ "params" : { "progress" : 18446744073709551615 , "total" : 1e400 } }').bytes;
  expect(notificationWords('notifications/progress', bytes)).toBe('18446744073709551615/1e400');
});

test('of a long frame the first bytes are read, and the words are cut for a row', () => {
  const long = logged({ level: 'info', data: `\\"é${'x'.repeat(1e6)}` })!;
  expect(long).toMatch(/^info: \\"éx+…$/);
  expect(long).toHaveLength(LIMITS.previewChars + 1);
  expect(logged({ level: 'info', data: { list: Array(1e5).fill('x') } })).toMatch(/^info: \{"list":\["x",.*…$/);
});

test.each([
  '',
  '{',
  '{"params"',
  '{"params":',
  '{"params":{"level":"in',
  '{"params":[1]}',
  '{"params":"x"}',
  '[{}]',
  'null',
])('%j breaks nothing', (text) => {
  expect(notificationWords('notifications/message', got(text).bytes) ?? '').toMatch(/^(in)?$/);
});

test('every cut of a frame reads as its beginning', () => {
  const { bytes } = got({ params: { level: 'info', logger: 'a', data: { x: '\u0001"\\', y: [true, {}] } } });
  for (let end = 0; end <= bytes.length; end++) {
    const cut = notificationWords('notifications/message', bytes.subarray(0, end)) ?? '';
    expect(cut).toMatch(/^$|^i|^info/);
  }
});

test('a row has them, and keeps the level as its name', () => {
  const log = logOf(
    got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } }),
    got({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { data: 'hi' } }),
  );
  expect(log.row(0)).toMatchObject({ name: 'info', says: 'info: hi' });
  expect(log.row(1).says).toBeUndefined();
});
