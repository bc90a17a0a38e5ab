import { describe, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, framesOf, got, happened, sent } from '@/lib/store/test-frames';
import { FLAG } from '@/lib/wire/frame';
import { ProblemFinder } from './problem-finder';
import { ask, complete, exchanged, http, inSession, legacy, modern, posted, responded } from './test-sessions';

/** Returns the rules that these frames break, in the order found. */
function broken(frames: readonly FrameSeed[]): readonly string[] {
  const finder = new ProblemFinder();
  for (const frame of framesOf(frames)) finder.addFrame(frame);
  expect([...finder.failed]).toEqual([]);
  return [...new Set(finder.problems.map(({ rule }) => rule))];
}

const note = (method: string, params?: object) => got({ jsonrpc: '2.0', method, params });
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const listed = (...tools: unknown[]) => [asked(1, 'tools/list'), answered(1, { tools })];
const called = (result: unknown, id = 2) => [asked(id, 'tools/call', { name: 'a' }), answered(id, result)];
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const logged = (data: unknown) => note('notifications/message', { level: 'info', data });
const bytes = (...codes: number[]) => got(Uint8Array.from(codes));
const progress = (value: number, token: unknown) =>
  note('notifications/progress', { progressToken: token, progress: value });
const tracked = (token: unknown) => asked(5, 'tools/call', { name: 'a', _meta: { progressToken: token } });

type Trap = readonly [name: string, frames: readonly FrameSeed[], rules: readonly string[]];

const STDIO: readonly Trap[] = [
  ['a banner', [got('Server v1 listening'), ...listed()], ['stdout-junk']],
  [
    'console.log between messages',
    [asked(1, 'tools/list'), got('got a request'), answered(1, { tools: [] })],
    ['stdout-junk'],
  ],
  ['ANSI colours', [got('\u001b[32mready\u001b[0m')], ['stdout-junk']],
  ['CR LF', [asked(1, 'ping'), got('{"jsonrpc":"2.0","id":1,"result":{}}\r')], []],
  ['blank lines', [got(''), got('  '), got('\r')], []],
  ['a byte order mark', [asked(1, 'ping'), got('\ufeff{"jsonrpc":"2.0","id":1,"result":{}}')], ['byte-order-mark']],
  ['no line feed at the exit', [got('{"jsonrpc":"2.0","id"', FLAG.unterminated)], ['stdout-junk']],
  ['invalid UTF-8', [bytes(0x22, 0xe9, 0x22)], ['invalid-utf8', 'stdout-junk']],
  ['U+2028, NUL and a lone surrogate in a text', [logged('\u2028 \u0000 \ud800')], []],
  [
    'a line over the limit, in pieces',
    [got('{"jsonrpc":', FLAG.continued), got('"2.0"', FLAG.continued), got('}')],
    [],
  ],
];

const RESPONSES: readonly Trap[] = [
  ['a second response', [asked(1, 'ping'), answered(1, {}), answered(1, {})], ['second-answer']],
  ['a response to an unknown id', [answered(99, {})], ['unknown-id']],
  ['"1" for 1', [asked(1, 'ping'), answered('1', {})], ['id-type-changed']],
  ['a null id', [asked(1, 'ping'), answered(null, {})], ['id-type']],
  ['a fraction as id', [asked(1, 'ping'), answered(1.5, {})], ['id-type', 'unknown-id']],
  [
    'an id beyond 2^53',
    [
      sent('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'),
      got('{"jsonrpc":"2.0","id":9007199254740993,"result":{}}'),
    ],
    [],
  ],
  [
    'the same id in both directions',
    [
      asked(1, 'ping'),
      got({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      answered(1, {}),
      sent({ jsonrpc: '2.0', id: 1, result: {} }),
    ],
    [],
  ],
  [
    'both result and error',
    [asked(1, 'ping'), got({ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } })],
    ['result-and-error'],
  ],
  ['neither result nor error', [asked(1, 'ping'), got({ jsonrpc: '2.0', id: 1 })], ['stdout-junk']],
  ['a result that is a text', [asked(1, 'ping'), answered(1, 'ok')], ['field-type']],
  ['no jsonrpc', [asked(1, 'ping'), got({ id: 1, result: {} })], ['jsonrpc-version']],
  ['jsonrpc 1.0', [asked(1, 'ping'), got({ jsonrpc: '1.0', id: 1, result: {} })], ['jsonrpc-version']],
  ['a batch', [asked(1, 'ping'), got([{ jsonrpc: '2.0', id: 1, result: {} }])], ['batch']],
  ['responses out of order', [asked(1, 'ping'), asked(2, 'ping'), answered(2, {}), answered(1, {})], []],
  [
    'a server request during a call',
    [
      asked(1, 'tools/call', { name: 'a' }),
      got({ jsonrpc: '2.0', id: 0, method: 'roots/list' }),
      sent({ jsonrpc: '2.0', id: 0, result: { roots: [] } }),
      answered(1, text('')),
    ],
    [],
  ],
  ['duplicate members', [asked(1, 'ping'), got('{"jsonrpc":"2.0","id":2,"id":1,"result":{}}')], []],
  [
    '__proto__ as a member',
    [asked(1, 'ping'), got('{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"tools":7}}}')],
    ['ping-not-empty'],
  ],
  ['deep nesting', [logged(JSON.parse('['.repeat(100) + ']'.repeat(100)))], []],
  ['nesting without end', [got('['.repeat(200_000))], ['stdout-junk']],
  ['NaN', [asked(1, 'ping'), got('{"jsonrpc":"2.0","id":1,"result":NaN}')], ['stdout-junk']],
  [
    'a late response to a cancelled request',
    [
      asked(1, 'ping'),
      sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      answered(1, {}),
    ],
    [],
  ],
];

const NOTIFICATIONS: readonly Trap[] = [
  ['progress after the response', [tracked('t'), answered(5, text('')), progress(1, 't')], ['progress-after-end']],
  ['progress that decreases', [tracked('t'), progress(2, 't'), progress(1, 't')], ['progress-not-increasing']],
  ['progress with an unknown token', [tracked('t'), progress(1, 'u')], ['progress-unknown-token']],
  ['progress with a text for a number', [tracked(7), progress(1, '7')], ['progress-unknown-token']],
  ['progress with a number as token', [tracked(7), progress(1, 7)], []],
  ['a storm of list_changed', Array.from({ length: 1000 }, () => note('notifications/tools/list_changed')), []],
  ['a method in the wrong direction', [got({ jsonrpc: '2.0', id: 1, method: 'tools/list' })], ['method-direction']],
  [
    'a method of another era',
    [ask(1, 'server/discover'), asked(2, 'subscriptions/listen', { notifications: {} })],
    ['method-not-in-version'],
  ],
];

const page = (id: number, cursor: string | undefined, nextCursor?: string) => [
  asked(id, 'tools/list', cursor === undefined ? {} : { cursor }),
  answered(id, { tools: [tool(`t${id}`)], ...(nextCursor !== undefined && { nextCursor }) }),
];

const LISTS: readonly Trap[] = [
  ['an empty cursor', [...page(1, undefined, ''), ...page(2, '')], []],
  ['a cursor that repeats', [...page(1, undefined, 'a'), ...page(2, 'a', 'b'), ...page(3, 'b', 'a')], ['cursor-loop']],
  [
    '1,000 pages',
    Array.from({ length: 1000 }, (_, at) => page(at, at === 0 ? undefined : `c${at}`, `c${at + 1}`)).flat(),
    [],
  ],
  ['an empty tool name', listed(tool('')), ['tool-name']],
  ['the same name twice', listed(tool('a'), tool('a')), ['duplicate-entry']],
  ['names with spaces or Unicode', listed(tool('do it'), tool('größe')), ['tool-name']],
  ['a name with invisible characters', listed(tool('a\u200bb\u202e')), ['tool-name']],
  ['no inputSchema', listed({ name: 'a' }), ['field-missing']],
  ['an inputSchema of another type', listed({ name: 'a', inputSchema: { type: 'string' } }), ['field-value']],
  ['a boolean schema', listed({ name: 'a', inputSchema: true }), ['field-type']],
  ['a recursive $ref', listed({ name: 'a', inputSchema: { type: 'object', properties: { a: { $ref: '#' } } } }), []],
  [
    'a remote $ref',
    listed({ name: 'a', inputSchema: { type: 'object', properties: { a: { $ref: 'https://a.example/s' } } } }),
    ['tool-schema'],
  ],
  [
    'a pattern that takes forever',
    listed({ name: 'a', inputSchema: { type: 'object', properties: { a: { pattern: '^(a+)+$' } } } }),
    [],
  ],
  [
    'an enum of 10,000 values',
    listed({
      name: 'a',
      inputSchema: { type: 'object', properties: { a: { enum: Array.from({ length: 10_000 }, (_, at) => `v${at}`) } } },
    }),
    [],
  ],
  ['5,000 tools', listed(...Array.from({ length: 5000 }, (_, at) => tool(`t${at}`))), []],
  ['a description of 1 MB', listed(tool('a', { description: 'x'.repeat(1_000_000) })), []],
  [
    'javascript: and file: as icons',
    listed(tool('a', { icons: [{ src: 'javascript:alert(1)' }, { src: 'file:///etc/passwd' }] })),
    ['icon-address'],
  ],
  [
    'markup in names and descriptions',
    listed(tool('a', { title: '<img src=x onerror=alert(1)>', description: '<script>' })),
    [],
  ],
];

const output = tool('a', { outputSchema: { type: 'object', properties: { n: { type: 'number' } } } });

const RESULTS: readonly Trap[] = [
  [
    'structuredContent that does not match',
    [...listed(output), ...called({ ...text(''), structuredContent: { n: 'x' } })],
    ['output-mismatch'],
  ],
  ['structuredContent that is an array', called({ ...text(''), structuredContent: [] }), ['field-type']],
  ['bad base64', called({ content: [{ type: 'image', data: '%%%', mimeType: 'image/png' }] }), ['base64']],
  [
    'base64 with a removed secret, which the server did not break',
    called({ content: [{ type: 'image', data: 'aGVsbG8[redacted:known:01ab23cd]', mimeType: 'image/png' }] }),
    [],
  ],
  ['an unknown type of content', called({ content: [{ type: 'video', data: '' }] }), ['field-value']],
  ['isError with the text of a protocol error', called({ ...text('MCP error -32602: invalid'), isError: true }), []],
  ['escape sequences of a terminal', called(text('\u001b]8;;http://a.example\u0007link\u001b]8;;\u0007')), []],
];

describe.each([
  ['stdio', STDIO],
  ['responses', RESPONSES],
  ['notifications', NOTIFICATIONS],
  ['lists', LISTS],
  ['results', RESULTS],
])('known traps of %s', (_what, traps) => {
  test.each(traps)('%s', (_name, frames, rules) => {
    expect(broken([...legacy(), ...frames])).toEqual(rules);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };
const overHttp = (status: number, headers: Record<string, string>, body?: FrameSeed) => [
  ...posted(9, {}, asked(9, 'ping')),
  ...responded(9, status, headers, body),
];
const body = (exchange: number, content: string) =>
  http({ kind: 'body', exchange, bytes: content.length, text: content });
const event = (more: object) => http({ kind: 'sse', exchange: 9, ...more });
const streaming = overHttp(200, { 'content-type': 'text/event-stream' });

const HTTP: readonly Trap[] = [
  ['an HTML page with HTTP 502', [...overHttp(502, { 'content-type': 'text/html' }), body(9, '<html>')], []],
  [
    'an HTML page with HTTP 200',
    [...overHttp(200, { 'content-type': 'text/html' }), body(9, '<html>')],
    ['content-type'],
  ],
  ['202 for a request', overHttp(202, {}), ['http-status']],
  ['a result with HTTP 500', overHttp(500, JSON_TYPE, answered(9, {})), ['http-status']],
  ['an array as body', overHttp(200, JSON_TYPE, got([{ jsonrpc: '2.0', id: 9, result: {} }])), ['batch']],
  [
    'a charset in the Content-Type',
    overHttp(200, { 'content-type': 'application/json;charset=utf-8' }, answered(9, {})),
    [],
  ],
  [
    'an error with a null id and HTTP 400',
    overHttp(400, JSON_TYPE, got({ jsonrpc: '2.0', id: null, error: { code: -32000, message: '' } })),
    [],
  ],
  [
    'comments, retry and priming events',
    [...streaming, event({ comment: 'hi' }), event({ retry: 5 }), event({ id: '1', data: '' })],
    [],
  ],
  ['a custom event', [...streaming, event({ event: 'ping', data: '1' })], []],
  ['an event that is not a message', [...streaming, event({ data: 'hello' })], ['stream-junk']],
  [
    'a message on two streams',
    [...streaming, event({ id: '1' }), answered(9, {}), event({ id: '2' }), answered(9, {})],
    ['second-answer'],
  ],
  [
    'the same event id on two streams',
    [...streaming, event({ id: '1' }), answered(9, {}), event({ id: '1' }), note('notifications/tools/list_changed')],
    ['event-id-repeated'],
  ],
  [
    'a stream that ends without the response',
    [...streaming, http({ kind: 'end', exchange: 9, by: 'server', unanswered: [9] })],
    ['stream-without-answer'],
  ],
];

test.each(HTTP)('known traps of HTTP: %s', (_name, frames, rules) => {
  expect(broken([...legacy({ transport: 'http' }), ...frames])).toEqual(rules);
});

test.each<Trap>([
  [
    'the server forgets the session',
    [
      ...inSession(1),
      ...exchanged(5, asked(5, 'ping'), 1, { status: 404 }),
      happened({ event: 'session-lost' }),
      ...inSession(2, undefined, 6).slice(1),
    ],
    [],
  ],
  [
    'the session id changes',
    [...inSession(1), ...exchanged(5, asked(5, 'ping'), 1, { session: 2 })],
    ['session-changed'],
  ],
  ['the session id is missing', [...inSession(1), ...exchanged(5, asked(5, 'ping'), undefined)], ['session-missing']],
  [
    'DELETE is refused',
    [
      ...inSession(1),
      http({
        kind: 'request',
        exchange: 7,
        method: 'DELETE',
        url: 'http://127.0.0.1/mcp',
        bytes: 0,
        headers: [['mcp-session-id', 'x']],
        session: 1,
      }),
      http({ kind: 'response', exchange: 7, status: 405, headers: [] }),
    ],
    [],
  ],
])('known traps of sessions: %s', (_name, frames, rules) => {
  expect(broken(frames).filter((rule) => rule !== 'content-type')).toEqual(rules);
});

const CALL = ask(1, 'tools/call', { name: 'a' });
const declaring = (capabilities: object) =>
  ask(1, 'tools/call', { name: 'a' }, { 'io.modelcontextprotocol/clientCapabilities': capabilities });
const result = (value: object, id: unknown = 1) => got({ jsonrpc: '2.0', id, result: value });
const input = (more: object) => result({ resultType: 'input_required', ...more });
const LISTEN = ask('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } });
const META = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } };
const ACKNOWLEDGED = note('notifications/subscriptions/acknowledged', { notifications: {}, ...META });
const CHANGED = note('notifications/tools/list_changed', META);

const DATES = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' };
const task = (status: string, more = {}) => ({ taskId: '1', status, ttlMs: null, ...DATES, ...more });
const TASKS = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
const TASK_CALL = ask(1, 'tools/call', { name: 'a' }, TASKS);
const TASK_START = [TASK_CALL, result({ resultType: 'task', ...task('working') })];
const poll = (id: number, status: string, more = {}) => [
  ask(id, 'tasks/get', { taskId: '1' }, TASKS),
  result({ resultType: 'complete', ...task(status, more) }, id),
];
const ASKS = {
  inputRequests: {
    a: { method: 'elicitation/create', params: { message: 'x', requestedSchema: { type: 'object', properties: {} } } },
  },
};

const SERVER_WITH_TASKS = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  logging: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};

const MODERN: readonly Trap[] = [
  ['a state of 1 MB with any text', [CALL, input({ requestState: '√\u0000\ud800'.repeat(300_000) })], []],
  [
    'input of a kind that the client did not declare',
    [CALL, input({ inputRequests: { a: { method: 'roots/list' } } })],
    ['input-undeclared'],
  ],
  [
    'input of an unknown kind',
    [declaring({ roots: {} }), input({ inputRequests: { a: { method: 'tools/list' } } })],
    ['field-value'],
  ],
  ['input_required for a list', [ask(1, 'tools/list'), input({ requestState: 'x' })], ['input-required-not-allowed']],
  ['input_required without a question', [CALL, input({})], ['input-required-empty']],
  ['an unknown resultType', [CALL, result({ resultType: 'partial' })], ['result-type-unknown']],
  ['a task without the capability', [CALL, result({ resultType: 'task', ...task('working') })], ['task-undeclared']],
  ['a task without its dates', [TASK_CALL, result({ resultType: 'task', taskId: '1', status: 'x' })], ['task-invalid']],
  [
    'a task that is reported to a subscription for another, or to none',
    [
      ...TASK_START,
      ask('l', 'subscriptions/listen', { notifications: { taskIds: ['2'] } }, TASKS),
      ACKNOWLEDGED,
      note('notifications/tasks', { ...task('working'), ...META }),
      note('notifications/tasks', task('working')),
    ],
    ['notification-not-asked-for', 'notification-off-stream'],
  ],
  ['a poll interval of 0', [...TASK_START, ...poll(2, 'working', { pollIntervalMs: 0 })], ['task-poll-interval']],
  [
    'a task that never ends and repeats its question',
    [...TASK_START, ...[2, 3, 4, 5].flatMap((id) => poll(id, 'input_required', ASKS))],
    [],
  ],
  [
    'a task that asks for input of a kind that the client did not declare',
    [...TASK_START, ...poll(2, 'input_required', { inputRequests: { a: { method: 'roots/list' } } })],
    ['input-undeclared'],
  ],
  [
    'a task with a result before its end',
    [...TASK_START, ...poll(2, 'working', { result: {} })],
    ['task-result-early'],
  ],
  [
    'a task that goes on after its end',
    [...TASK_START, ...poll(2, 'cancelled'), ...poll(3, 'working')],
    ['task-after-end'],
  ],
  [
    'structuredContent that is an array or null',
    [
      CALL,
      result({ ...text(''), resultType: 'complete', structuredContent: null }),
      ask(2, 'tools/call', { name: 'a' }),
      result({ ...text(''), resultType: 'complete', structuredContent: [] }, 2),
    ],
    [],
  ],
  ['a negative ttlMs', [ask(1, 'tools/list'), complete(1, { tools: [], ttlMs: -1 })], ['field-range']],
  [
    'no ttlMs',
    [ask(1, 'tools/list'), result({ tools: [], resultType: 'complete', cacheScope: 'public' })],
    ['cache-hint-missing'],
  ],
  ['a huge ttlMs', [ask(1, 'tools/list'), complete(1, { tools: [], ttlMs: 1e15 })], []],
  [
    'a cacheScope that differs by page',
    [
      ask(1, 'tools/list'),
      complete(1, { tools: [], nextCursor: 'x' }),
      ask(2, 'tools/list', { cursor: 'x' }),
      complete(2, { tools: [], cacheScope: 'public' }),
    ],
    ['cache-scope-differs'],
  ],
  ['a notification before the acknowledgement', [LISTEN, CHANGED], ['listen-not-acknowledged']],
  [
    'a notification without its subscription',
    [LISTEN, ACKNOWLEDGED, note('notifications/tools/list_changed')],
    ['notification-off-stream'],
  ],
  ['a smaller subscription than asked for', [LISTEN, ACKNOWLEDGED], []],
  [
    'a subscription that ends with a result',
    [LISTEN, ACKNOWLEDGED, result({ resultType: 'complete', ...META }, 'l')],
    [],
  ],
  [
    'a subscription that ends by cancellation',
    [LISTEN, ACKNOWLEDGED, note('notifications/cancelled', { requestId: 'l' })],
    [],
  ],
  [
    'a request from the server',
    [got({ jsonrpc: '2.0', id: 1, method: 'ping' })],
    ['method-not-in-version', 'server-request'],
  ],
];

test.each(MODERN)('known traps of the modern era: %s', (_name, frames, rules) => {
  const opening = modern(frames.includes(TASK_CALL) ? { server: SERVER_WITH_TASKS } : {});
  expect(broken([...opening, ...frames])).toEqual(rules);
});
