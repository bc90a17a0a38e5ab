import { describe, expect, test } from 'vitest';
import { complained } from '../test-frames';
import { formatAppMessage, formatChatEvent, formatLifecycle, formatStderr, LOGGED_BYTES } from './labels';

test.each([
  [{ event: 'closing', reason: 'user' }, 'closing: you disconnected'],
  [{ event: 'closing', reason: 'constructor' }, 'closing: constructor'],
  [{ event: 'rung', rung: 'stdin-end' }, 'stopping: closed stdin'],
  [{ event: 'rung', rung: 'SIGTERM' }, 'stopping: sent SIGTERM'],
  [{ event: 'era-remembered', era: 'legacy', at: '2026-11-23T12:00:00Z' }, 'protocol era from last time: legacy'],
  [{ event: 'exit', code: 1, signal: null }, 'exit: code 1'],
  [{ event: 'roots', roots: [{ uri: 'file:///a' }, { uri: 'file:///b' }] }, 'roots: file:///a, file:///b'],
  [{ event: 'roots', roots: [] }, 'roots: none'],
  [{ event: 'roots', roots: 'broken' }, 'roots: none'],
  [{ event: 'profile', profile: { meta: {}, capabilities: {} } }, 'client settings: capabilities, _meta'],
  [{ event: 'profile', profile: {} }, 'client settings: all defaults'],
  [{ event: 'profile', profile: null }, 'client settings: all defaults'],
  [{ event: 'input', id: 1, method: 'tools/call', phase: 'asked' }, 'input: needed by tools/call'],
  [{ event: 'input', id: 1, method: 'tasks/get', phase: 'asked', keys: ['a', 'b'] }, 'input: a, b needed by tasks/get'],
  [{ event: 'input', id: 1, method: 'tools/call', phase: 'given', key: 'name' }, 'input: name was answered'],
  [
    { event: 'input', id: 1, method: 'tools/call', phase: 'given-up', reason: 'No `client`.' },
    'input: none given, No client.',
  ],
  [
    { event: 'overlay', text: '{"tools":{"a":{"name":"b"},"c":{"hidden":true}}}', notified: 0 },
    'overlay: a → b, c hidden',
  ],
  [
    { event: 'overlay', text: '{"tools":{"a":{},"b":{},"c":{},"d":{},"e":{},"f":{}}}', notified: 0 },
    'overlay: a, b, c, d, e, …',
  ],
  [{ event: 'overlay', notified: 0 }, 'overlay: none'],
  [{ event: 'pins', phase: 'started', calls: 3 }, 'pins: playing 3'],
  [{ event: 'pins', phase: 'played', name: 'what tea costs', verdict: 'changed' }, 'pins: changed, what tea costs'],
  [{ event: 'pins', phase: 'ended' }, 'pins: all played'],
  [{ event: 'pins', phase: 'ended', why: 'Stopped after 1 of 3 calls.' }, 'pins: Stopped after 1 of 3 calls.'],
])('formats the event %j as %s', (event, words) => {
  expect(formatLifecycle(JSON.stringify(event))).toBe(words);
});

describe('formatStderr', () => {
  const words = (text: string) => formatStderr(complained(text).bytes);

  test('keeps the indentation of a line, as of a traceback', () => {
    expect(words('  File "server.py", line 3')).toBe('  File "server.py", line 3');
  });

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

test('names the messages of an app', () => {
  const label = (message: unknown) => formatAppMessage(new TextEncoder().encode(JSON.stringify(message)));
  expect(label({ id: 1, method: 'tools/call', params: { name: 'get', arguments: {} } })).toBe('tools/call get');
  expect(label({ method: 'ui/notifications/initialized' })).toBe('ui/notifications/initialized');
  expect(label({ jsonrpc: '2.0', id: 3, result: {} })).toBe('result of request 3');
  expect(label('hello')).toBe('"hello"');
});

describe('formatChatEvent', () => {
  const label = (event: unknown) => formatChatEvent(new TextEncoder().encode(JSON.stringify(event)));

  test.each([
    [{ type: 'user', turn: 't1', parts: [] }, 'user'],
    [{ type: 'text', turn: 't2', request: 1, text: 'Hello\nthere' }, 'text: Hello there'],
    [{ type: 'call', turn: 't2', request: 1, call: { type: 'call', id: 'c', name: 's__get' } }, 'call: s__get'],
    [{ type: 'decision', turn: 't2', call: 'c', decision: { kind: 'run' }, by: 'rule' }, 'decision: run'],
    [{ type: 'result', turn: 't2', call: 'c', result: { type: 'result', id: 'c', name: 's__get' } }, 'result: s__get'],
    [{ type: 'end', turn: 't2', reason: 'stop' }, 'end: stop'],
    [[1, 2], '[1,2]'],
    [{ kind: 'other' }, '{"kind":"other"}'],
  ])('%j', (event, text) => {
    expect(label(event)).toBe(text);
  });

  test('attack: a long or broken event is one short line', () => {
    expect(label({ type: 'text', text: 'x\n'.repeat(1000) }).length).toBeLessThan(200);
    expect(label({ type: { deep: [] }, text: 7 })).not.toContain('\n');
    expect(formatChatEvent(new Uint8Array([0x7b, 0xff, 0x22]))).not.toBe('');
  });
});
