import { describe, expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { answered, asked, complained, framesOf, got, happened, logOf, sent } from '@/lib/store/test-frames';
import { FLAG } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { NONE, rowsOf, seqsFor, seqsOf } from './test-filter';

const log = logOf(
  asked(1, 'tools/call', { name: 'Echo', arguments: { text: 'Hello world' } }),
  answered(1, { content: [] }),
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'echoed' } }),
  complained('warning: -x is deprecated (really)'),
  asked('1', 'prompts/get', { name: 'review-code' }),
  got({ jsonrpc: '2.0', id: '1', error: { code: -32602, message: 'no' } }),
  asked(2, 'resources/read', { uri: 'file:///notes.txt' }),
  got('not a message', FLAG.unterminated),
  happened({ event: 'exit', code: 3, signal: null }),
  sent(`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"pad":"${'x'.repeat(2000)}"}}`),
);

test.each<[string, number[]]>([
  ['call:1', [1, 3, 5, 6, 7]],
  ['call:2', [2, 4]],
  ['call:3', []],
  ['call:>=1 kind:notification', [5]],
  ['-call:1', [2, 4, 8]],
])('%j finds all of an exchange: %j', (text, seqs) => {
  const related = { 'io.modelcontextprotocol/related-task': { taskId: 't' } };
  const calls = logOf(
    asked(1, 'tools/call', { name: 'render' }),
    asked(2, 'tools/call', { name: 'echo' }),
    answered(1, { task: { taskId: 't', status: 'working' } }),
    answered(2, { content: [] }),
    got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: '', _meta: related } }),
    asked(3, 'tasks/get', { taskId: 't' }),
    answered(3, { taskId: 't', status: 'working' }),
    complained('rendering'),
  );
  expect(seqsFor(calls, text)).toEqual(seqs);
});

test('status:unmatched selects pending requests with a possible response', () => {
  const growing = logOf(asked(1, 'ping'), asked(2, 'ping'), answered('1', {}));
  const rows = rowsOf(growing, 'status:unmatched');
  expect(seqsOf(rows)).toEqual([1]);
  growing.append([{ ...framesOf([answered(2, {}), answered(2, {}), answered(2, {}), answered(1, {})])[3]! }]);
  rows.recheck(0);
  expect(seqsOf(rows)).toEqual([]);
});

test.each<[string, number[]]>([
  ['', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['echo', [1, 2, 3]],
  ['ECHO tools', [1, 2]],
  ['echo -tools/call', [3]],
  ['-echo', [4, 5, 6, 7, 8, 9, 10]],
  ['"hello world"', [1]],
  ['response', [2, 7]],
  ['"-x"', [4]],
  ['exit code 3', [9]],
  ['method:tools/call', [1, 2]],
  ['method:TOOLS/*', [1, 2]],
  ['-method:*', [4, 8, 9]],
  ['tool:echo', [1, 2]],
  ['tool:"ec*"', []],
  ['prompt:review-*', [5, 6]],
  ['uri:file://*', [7]],
  ['name:info', [3]],
  ['level:info', [3]],
  ['level:>=info', [3]],
  ['level:<=INFO', [3]],
  ['level:>info or level:<info', []],
  ['not level:debug seq:2..4', [2, 3, 4]],
  ['id:1', [1, 2, 5, 6]],
  ['id:"1"', [5, 6]],
  ['kind:request', [1, 5, 7, 10]],
  ['kind:response', [2, 6]],
  ['kind:result or kind:error', [2, 6]],
  ['kind:junk or kind:stderr or kind:lifecycle', [4, 8, 9]],
  ['dir:to-server', [1, 5, 7, 10]],
  ['dir:to-client kind:notification', [3]],
  ['status:ok', [1, 2]],
  ['status:error', [5, 6]],
  ['status:lost', [7]],
  ['status:in-flight', [10]],
  ['status:"in flight"', [10]],
  ['status:pending', [10]],
  ['size:>1kb', [10]],
  ['size:13', [8]],
  ['duration:1ms', [1, 2, 5, 6]],
  ['duration:>=1ms', [1, 2, 5, 6]],
  ['-duration:>0s', [3, 4, 7, 8, 9, 10]],
  ['time:2ms..4ms', [2, 3, 4]],
  ['time:..2ms', [1, 2]],
  ['seq:4..5', [4, 5]],
  ['has:response', [1, 2, 5, 6]],
  ['has:answer', [1, 2, 5, 6]],
  ['is:failed', [5, 6, 7, 8, 9]],
  ['is:unterminated', [8]],
  ['(tool:echo or prompt:*) -kind:request', [2, 6]],
  ['-(method:* or kind:junk)', [4, 9]],
  ['/"id":[12],/ -status:ok', [7]],
])('%j finds %j', (text, seqs) => {
  expect(seqsFor(log, text)).toEqual(seqs);
});

test('selects rows by the presence, rule and severity of problems', () => {
  const problems = {
    all: [],
    of: (seq: number) =>
      seq === 2
        ? [{ rule: 'id-reused', severity: 'error' }]
        : seq === 5
          ? [{ rule: 'field-missing', severity: 'warning' }]
          : seq === 6
            ? [{ rule: 'mime-type', severity: 'info' }]
            : [],
    hasInvalidResult: () => false,
  };
  expect(seqsFor(log, 'has:problem', problems)).toEqual([2, 5]);
  expect(seqsFor(log, 'problem:info', problems)).toEqual([6]);
  expect(seqsFor(log, 'problem:id-*', problems)).toEqual([2]);
  expect(seqsFor(log, 'problem:warning', problems)).toEqual([5]);
});

test('a result that breaks its schema is an error, as its row says', () => {
  const problems = { ...NONE, hasInvalidResult: (seq: number) => seq === 2 };
  expect(log.columns.status(1)).toBe('ok');
  expect(seqsFor(log, 'status:ok')).toContain(2);
  expect(seqsFor(log, 'status:ok', problems)).not.toContain(2);
  expect(seqsFor(log, 'status:error', problems)).toContain(2);
  expect(seqsFor(log, 'is:failed', problems)).toContain(2);
});

test('re-tests rows whose fields change later', () => {
  const [call, answer] = framesOf([asked(1, 'tools/call', { name: 'slow' }), answered(1, {})]);
  const growing = logOf();
  growing.append([call!]);
  const pending = rowsOf(growing, 'status:pending');
  const timed = rowsOf(growing, 'duration:>=1ms');
  expect([seqsOf(pending), seqsOf(timed)]).toEqual([[1], []]);
  growing.append([answer!]);
  expect([seqsOf(pending), seqsOf(timed)]).toEqual([[], [1, 2]]);
});

describe('finds text that mcp-inspect adds to rows', () => {
  const spoken = logOf(
    asked(1, 'tools/call', { name: 'double' }),
    answered(1, { content: [] }),
    answered(1, { content: [], isError: true }),
    answered(9, {}),
    got({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'bad' } }),
    got('Hello'),
    got(''),
    asked(2, 'server/discover'),
    got({ jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'no' } }),
    happened({ event: 'probe', era: 'legacy', reason: 'so', respawn: false }),
    complained('\u001b[31mERROR\u001b[0m at foo'),
    complained('{"level":30,"time":1,"msg":"listening on 80"}'),
    got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', logger: 'db', data: 'slow' } }),
    asked(3, 'ping'),
    happened({ event: 'exit', code: 1, signal: null }),
    asked(4, 'tools/call', { name: 'find', arguments: { depth: 2, path: '/a' } }),
  );

  test.each<[string, number[]]>([
    ['"no matching request"', [4]],
    ['"without an id"', [5]],
    ['"not a message"', [6, 7]],
    ['"not a message: hello"', [6]],
    ['"a blank line"', [7]],
    ['refused', [9]],
    ['"second response to #1"', [3]],
    ['iserror', [3]],
    ['"no response"', [14]],
    ['"ping no response"', [14]],
    ['"tools/call double"', [1]],
    ['"result double"', [2, 3]],
    ['"error at foo"', [11]],
    ['"info: listening"', [12]],
    ['"info · db · slow"', [13]],
    ['"−32700 bad"', [5]],
    ['"{depth: 2, path"', [16]],
    ['"exit: code 1"', [15]],
  ])('%s finds %j', (text, seqs) => {
    expect(seqsFor(spoken, text)).toEqual(seqs);
  });

  test.each<[string, number[]]>([
    ['status:isError', [3]],
    ['status:iserror', [3]],
    ['status:tool-error', [3]],
    ['status:"no response"', [14]],
    ['status:lost', [14]],
    ['status:refused', [8, 9]],
  ])('%s, as in the Status column: %j', (text, seqs) => {
    expect(seqsFor(spoken, text)).toEqual(seqs);
  });

  test('follows rows as they change', () => {
    const [call, answer] = framesOf([asked(1, 'tools/call', { name: 'slow' }), answered(1, { isError: true })]);
    const growing = logOf();
    growing.append([call!]);
    const rows = rowsOf(growing, '"in flight"');
    expect(seqsOf(rows)).toEqual([1]);
    growing.append([answer!]);
    expect(seqsOf(rows)).toEqual([]);
  });
});

describe('evicted frames', () => {
  const frames = framesOf([
    asked(1, 'tools/call', { name: 'slow', arguments: { text: 'needle' } }),
    asked(2, 'tools/call', { name: 'slow', arguments: { text: 'straw' } }),
    answered(1, {}),
    answered(2, {}),
  ]);
  const emptying = () => new Log('c1', { held: 0, again: 1000 });

  test('match neither a word nor its negation until they are loaded again', () => {
    const log = emptying();
    for (const frame of frames) log.append([frame]);
    const [having, lacking] = [rowsOf(log, 'needle'), rowsOf(log, '-needle')];
    expect([seqsOf(having), seqsOf(lacking)]).toEqual([[], [4]]);
    expect(seqsFor(log, '-slow')).toEqual([]);
    log.restore(frames.slice(0, 2));
    expect([seqsOf(having), seqsOf(lacking)]).toEqual([[1], [2, 4]]);
  });

  test('keep their search results when their rows change', () => {
    const log = emptying();
    const [having, lacking] = [rowsOf(log, 'needle'), rowsOf(log, '-needle')];
    for (const frame of frames) {
      log.append([frame]);
      having.update();
      lacking.update();
    }
    expect(log.hasBytes(1)).toBe(false);
    expect([seqsOf(having), seqsOf(lacking)]).toEqual([[1], [2, 3, 4]]);
  });
});

describe('HTTP', () => {
  const http = (value: HttpFrame) => ({ ...got(value), channel: 'http' as const });
  const post: HttpFrame = { kind: 'request', exchange: 1, method: 'POST', url: 'http://h/mcp', headers: [], bytes: 2 };
  const answer: HttpFrame = {
    kind: 'response',
    exchange: 1,
    status: 200,
    headers: [['Content-Type', 'text/event-stream']],
  };
  const frames = framesOf([
    { ...http(post), direction: 'to-server' },
    asked(1, 'ping'),
    http(answer),
    http({ kind: 'sse', exchange: 1, comment: 'x' }),
    answered(1, {}),
    http({ kind: 'end', exchange: 1, by: 'server' }),
    sent({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  ]);
  const travelled = logOf();
  travelled.append(frames);

  test.each<[string, number[]]>([
    ['', [2, 5, 7]],
    ['ping', [2, 5]],
    ['kind:http', [1, 3, 4, 6]],
    ['kind:http or kind:notification', [1, 3, 4, 6, 7]],
    ['-kind:http', [2, 5, 7]],
    ['exchange:1', [1, 2, 3, 4, 5, 6]],
    ['exchange:11', []],
    ['-exchange:1', [7]],
    ['stream:1', [3, 4, 5, 6]],
    ['has:exchange', [2, 5]],
    ['kind:http "POST /mcp"', [1]],
    ['status:200', [1, 3]],
    ['status:2xx -dir:to-server', [3]],
    ['status:404 or status:4xx', []],
    ['kind:http "stream opened"', [3]],
  ])('%j finds %j', (text, seqs) => {
    expect(seqsFor(travelled, text)).toEqual(seqs);
  });

  test.each(['"no response"', 'response -kind:http', '"HTTP 404"', '"ping no response HTTP"', 'status:lost'])(
    '%j finds a request that HTTP refused',
    (text) => {
      const refused = logOf();
      const end: HttpFrame = { kind: 'end', exchange: 1, by: 'server', unanswered: [1] };
      const frames = [{ ...http(post), direction: 'to-server' as const }, asked(1, 'ping')];
      refused.append(framesOf([...frames, http({ ...answer, status: 404 }), http(end)]));
      expect(refused.row(1).refusedWith).toBe(404);
      expect(seqsFor(refused, text)).toContain(2);
    },
  );

  test('compares the duration of an exchange once it has ended', () => {
    const growing = logOf();
    growing.append(frames.slice(0, 1));
    const rows = rowsOf(growing, 'kind:http duration:>0ms');
    expect(seqsOf(rows)).toEqual([]);
    growing.append(frames);
    expect(seqsOf(rows)).toEqual([1, 3, 6]);
  });
});
