import { expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import {
  answered,
  asked,
  complained,
  type FrameSeed,
  framesOf,
  got,
  happened,
  logOf,
  sent,
} from '@/lib/store/test-frames';
import { editTarget, frameSnippets, resendParams } from './message-commands';

test('returns params exactly as sent', () => {
  const params = '{ "b":9007199254740993, "a":1.0, "a":2 }';
  expect(resendParams(`{"jsonrpc":"2.0","id":4,"method":"x","params":${params}}`)).toBe(params);
  expect(resendParams('{"jsonrpc":"2.0","id":4,"method":"ping"}')).toBeUndefined();
  expect(resendParams('{"id":4,"params":[1]}')).toBe('[1]');
});

test('removes the progress token but keeps the rest of _meta', () => {
  expect(resendParams('{"params":{"name":"n","_meta":{"progressToken":7,"k":1e2},"z":0}}')).toBe(
    '{"name":"n","_meta":{"k":1e2},"z":0}',
  );
  expect(resendParams('{"params":{"_meta":{"progressToken":7}}}')).toBe('{"_meta":{}}');
  expect(resendParams('{"params":{"_meta":"odd"}}')).toBe('{"_meta":"odd"}');
});

test('throws on text that is not an object', () => expect(() => resendParams('[1]')).toThrow());

const log = logOf(
  happened({
    event: 'start',
    at: '',
    name: 'far',
    transport: 'http',
    url: 'http://127.0.0.1:1/',
    headerNames: [],
    protocol: 'auto',
  }),
  asked(1, 'tools/list'),
  answered(1, { tools: [{ name: 'add', inputSchema: { type: 'object' } }] }),
  sent('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"n":18446744073709551615}}}'),
  asked(3, 'tools/call', { name: 'gone' }),
  sent('not JSON'),
);
const place = (seq: number) => {
  const { text, ...rest } = { text: () => '', ...editTarget(log, log.row(seq - 1)) };
  return { ...rest, text: text() };
};

test('edits a call of a listed tool in its form, with the digits that were sent', () => {
  expect(place(4)).toEqual({
    panel: 'tools',
    item: 'add',
    document: 'tool far add',
    text: '{\n  "n": 18446744073709551615\n}',
  });
});

test('edits other messages as text, a request under a new id', () => {
  expect(place(5).panel).toBe('raw');
  expect(JSON.parse(place(5).text)).toEqual({
    jsonrpc: '2.0',
    id: 'raw-5',
    method: 'tools/call',
    params: { name: 'gone' },
  });
  expect(place(6)).toEqual({ panel: 'raw', text: 'not JSON' });
});

const start = happened({
  event: 'start',
  at: '',
  name: 'far',
  transport: 'http',
  url: 'http://127.0.0.1:1/mcp',
  headerNames: ['Authorization'],
  protocol: 'auto',
});
const posted: FrameSeed = {
  channel: 'http',
  direction: 'to-server',
  flags: 0,
  bytes: new TextEncoder().encode(
    '{"kind":"request","exchange":1,"method":"POST","url":"http://127.0.0.1:1/mcp","headers":[["X","1"],["Authorization","•••"]],"bytes":9}',
  ),
};
const text = (log: Log, seq: number, label: string) =>
  frameSnippets(log, log.row(seq - 1))
    .find((snippet) => snippet.label === label)
    ?.text();

test('copies a request and its response as code that sends the request', () => {
  const log = logOf(start, posted, asked(1, 'tools/call', { name: 'a', _meta: { progressToken: 1 } }), answered(1, {}));
  for (const seq of [3, 4]) {
    expect(text(log, seq, 'curl (bash, zsh)')).toContain(`-H 'X: 1'`);
    expect(text(log, seq, 'curl (bash, zsh)')).toContain('"$AUTHORIZATION"');
    expect(text(log, seq, 'curl (bash, zsh)')).toContain('"progressToken":1');
    expect(text(log, seq, 'mcp-inspect command line (bash, zsh)')).toContain('call a --capabilities all --header');
    expect(text(log, seq, 'TypeScript SDK')).not.toContain('progressToken');
  }
  expect(text(log, 4, 'JSON')).toBe('{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": {}\n}');
  expect(text(log, 4, 'Raw')).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
});

test('uses the URL that the message was posted to for curl over HTTP+SSE', () => {
  const to = 'http://127.0.0.1:1/messages?sessionId=•••';
  const carrier = { kind: 'request', exchange: 2, method: 'POST', url: to, headers: [], bytes: 9 };
  const bytes = new TextEncoder().encode(JSON.stringify(carrier));
  const log = logOf(start, { ...posted, bytes }, asked(1, 'ping'));
  expect(text(log, 3, 'curl (bash, zsh)')).toContain(`'http://127.0.0.1:1/messages?sessionId='"$SESSIONID"`);
});

test('does not mistake a message for an HTTP frame that it looks like', () => {
  const log = logOf(start, sent(new TextDecoder().decode(posted.bytes)), asked(1, 'ping'));
  expect(text(log, 3, 'curl (bash, zsh)')).toBeUndefined();
});

test('copies a response only as text until its request is loaded', () => {
  const frames = framesOf([start, posted, asked(1, 'tools/call', { name: 'a' }), answered(1, {}), got('the newest')]);
  const log = new Log('c1', { held: 0, again: 1000 });
  for (const frame of frames) log.append([frame]);
  log.restore([frames[3]!]);
  expect(log.hasBytes(3)).toBe(false);
  expect(frameSnippets(log, log.row(3)).map(({ label }) => label)).toEqual(['JSON', 'Raw']);
  log.restore([frames[2]!]);
  expect(text(log, 4, 'curl (bash, zsh)')).toContain('"params":{"name":"a"}');
});

test('copies other frames only as text', () => {
  const log = logOf(start, got({ jsonrpc: '2.0', id: 1, method: 'ping' }), complained('no'));
  expect(frameSnippets(log, log.row(1)).map(({ label }) => label)).toEqual(['JSON', 'Raw']);
  expect(frameSnippets(log, log.row(2)).map(({ label }) => label)).toEqual(['Raw']);
});
