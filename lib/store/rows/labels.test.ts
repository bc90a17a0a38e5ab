import { describe, expect, test } from 'vitest';
import { complained, got, logOf } from '../test-frames';
import { formatLifecycle, formatNotification, formatStderr, LOGGED_BYTES, PREVIEW_CHARS } from './labels';

describe('formatNotification', () => {
  const words = (method: string, params: unknown) =>
    formatNotification(method, got({ jsonrpc: '2.0', method, params }).bytes);
  const logged = (params: unknown) => words('notifications/message', params);
  const progressed = (params: unknown) => words('notifications/progress', params);

  test('formats level, logger and data of a log message', () => {
    expect(logged({ level: 'error', logger: 'flood', data: { i: 3, 'a"b': [1] } })).toBe(
      'error flood: {"i":3,"a\\"b":[1]}',
    );
    expect(logged({ level: 'info', data: 'two\n lines "quoted"' })).toBe('info: two lines "quoted"');
    expect(logged({ data: null })).toBe(': null');
    expect(logged({ level: 'info' })).toBe('info');
  });

  test('formats progress, total and message', () => {
    expect(progressed({ progressToken: 1, progress: 12, total: 300, message: 'step 12' })).toBe('12/300 step 12');
    expect(progressed({ progress: 0.5 })).toBe('0.5');
    expect(progressed({ message: 'soon' })).toBe('soon');
  });

  test('keeps the digits of numbers', () => {
    const bytes = got('{ "params" : { "progress" : 18446744073709551615 , "total" : 1e400 } }').bytes;
    expect(formatNotification('notifications/progress', bytes)).toBe('18446744073709551615/1e400');
  });

  test('reads the first bytes of a long frame and shortens the text', () => {
    const long = logged({ level: 'info', data: `\\"é${'x'.repeat(1e6)}` })!;
    expect(long).toMatch(/^info: \\"éx+…$/);
    expect(long).toHaveLength(PREVIEW_CHARS + 1);
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
  ])('handles %j', (text) => {
    expect(formatNotification('notifications/message', got(text).bytes) ?? '').toMatch(/^(in)?$/);
  });

  test('formats every truncation of a frame as a prefix', () => {
    const { bytes } = got({ params: { level: 'info', logger: 'a', data: { x: '\u0001"\\', y: [true, {}] } } });
    for (let end = 0; end <= bytes.length; end++) {
      const cut = formatNotification('notifications/message', bytes.subarray(0, end)) ?? '';
      expect(cut).toMatch(/^$|^i|^info/);
    }
  });

  test('fills the text of a row, whose name stays the level', () => {
    const log = logOf(
      got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } }),
      got({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { data: 'hi' } }),
    );
    expect(log.row(0)).toMatchObject({ name: 'info', notificationText: 'info: hi' });
    expect(log.row(1).notificationText).toBeUndefined();
  });
});

test.each([
  [{ event: 'closing', reason: 'user' }, 'closing: you disconnected'],
  [{ event: 'closing', reason: 'constructor' }, 'closing: constructor'],
  [{ event: 'rung', rung: 'stdin-end' }, 'stopping: closed stdin'],
  [{ event: 'rung', rung: 'SIGTERM' }, 'stopping: sent SIGTERM'],
  [{ event: 'era-remembered', era: 'legacy', at: '2026-11-23T12:00:00Z' }, 'protocol era from last time: legacy'],
  [{ event: 'exit', code: 1, signal: null }, 'exit: code 1'],
])('formats the event %j as %s', (event, words) => {
  expect(formatLifecycle(JSON.stringify(event))).toBe(words);
});

describe('formatStderr', () => {
  const words = (text: string) => formatStderr(complained(text).bytes);

  test.each([
    ['{"level":30,"time":1,"pid":2,"hostname":"h","msg":"Server started"}', 'info: Server started'],
    ['{"level":50,"name":"http","msg":"boom","err":{"msg":"inner"}}', 'error http: boom'],
    ['{"message":"up","level":"warn"}', 'warn: up'],
    ['{"levelname":"INFO","message":"two\\nlines"}', 'INFO: two lines'],
    ['{"event":"ready"}', 'ready'],
    ['{"level":30,"msg":"\\u001b[36mblue\\u001b[0m"}', 'info: blue'],
    ['\u001b[31m{"level":60,"msg":"x"}\u001b[0m', 'fatal: x'],
  ])('formats %s as %s', (line, said) => {
    expect(words(line)).toBe(said);
  });

  test('finds a message after a long object and shows a truncated one', () => {
    const long = JSON.stringify({ level: 40, req: 'x'.repeat(1000), msg: 'late' });
    expect(words(long)).toBe('warn: late');
    expect(words(JSON.stringify({ level: 40, msg: 'y'.repeat(2 * LOGGED_BYTES) }))).toMatch(/^warn: y+…$/);
  });

  test.each([
    ['{"level":30}', '{"level":30}'],
    ['{not json', '{not json'],
    ['[1]', '[1]'],
    ['\u001b[31mERROR\u001b[0m at foo', 'ERROR at foo'],
    ['\u001b[0m\n  second', 'second'],
  ])('keeps %j as text', (line, said) => {
    expect(words(line)).toBe(said);
  });
});
