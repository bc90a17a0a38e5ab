import { describe, expect, test } from 'vitest';
import { answered, asked, got, logOf, sent } from '../test-frames';
import { formatPreview } from './preview';

/** The preview of a request's or notification's parameters. */
const ofParams = (method: string, params: unknown) => logOf(asked(1, method, params)).preview(0);
const ofNotification = (method: string, params: unknown) => logOf(got({ jsonrpc: '2.0', method, params })).preview(0);
const ofResult = (method: string, result: unknown) => logOf(asked(1, method), answered(1, result)).preview(1);

test.each([
  ['tools/call', { name: 'get-sum', arguments: { a: 1, b: 2 }, _meta: { progressToken: 1 } }, '{a: 1, b: 2}'],
  ['tools/call', { name: 'get-sum', arguments: {} }, ''],
  ['tools/call', { name: 'get-sum' }, ''],
  ['prompts/get', { name: 'greet', arguments: { style: 'formal' } }, '{style: "formal"}'],
  ['resources/read', { uri: 'file:///a' }, ''],
  ['tools/list', undefined, ''],
  ['tools/list', { cursor: 'next' }, '{cursor: "next"}'],
  ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } }, '2025-11-25'],
  ['logging/setLevel', { level: 'debug' }, ''],
  [
    'sampling/createMessage',
    { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 },
    'user: Hi',
  ],
  ['elicitation/create', { message: 'Your name?', requestedSchema: {} }, 'Your name?'],
  [
    'subscriptions/listen',
    { notifications: { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ['a://b', 'a://c'] } },
    'toolsListChanged, a://b, a://c',
  ],
  ['subscriptions/listen', { notifications: 7 }, '{notifications: 7}'],
])('shows the parameters of %s %j as %j', (method, params, preview) => {
  expect(ofParams(method, params)).toBe(preview);
});

test.each([
  ['tools/call', { content: [{ type: 'text', text: 'two\n  lines' }] }, 'two lines'],
  ['tools/call', { content: [{ type: 'text', text: 'no' }], isError: true }, 'no'],
  ['tools/call', { content: [], structuredContent: { sum: 3 } }, '{sum: 3}'],
  ['tools/call', { content: [{ type: 'text', text: '3' }], structuredContent: { sum: 3 } }, '3'],
  [
    'tools/call',
    {
      content: [
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
        { type: 'resource_link', uri: 'file:///b', name: 'b' },
      ],
    },
    '[image image/png] inside [resource_link file:///b]',
  ],
  ['tools/list', { tools: [{ name: 'echo' }, { name: 'get-env' }] }, '2 tools: echo, get-env'],
  ['tools/list', { tools: [] }, '0 tools'],
  ['tasks/list', { tasks: [{ taskId: 'a', status: 'working' }] }, '1 task: a'],
  ['tools/call', { task: { taskId: 'a', status: 'working', statusMessage: 'Half done' } }, 'working · Half done'],
  ['tools/call', { resultType: 'task', taskId: 'a', status: 'working' }, 'working'],
  ['tasks/get', { taskId: 'a', status: 'input_required', statusMessage: 'a colour' }, 'input_required · a colour'],
  [
    'tasks/get',
    { taskId: 'a', status: 'completed', result: { content: [{ type: 'text', text: 'ok' }] } },
    'completed · ok',
  ],
  ['tasks/get', { taskId: 'a', status: 'failed', error: { code: -32050, message: 'no' } }, 'failed · −32050 no'],
  ['resources/list', { resources: [{ uri: 'file:///a' }] }, '1 resource: file:///a'],
  ['resources/templates/list', { resourceTemplates: [{ uriTemplate: 'a://{b}' }] }, '1 template: a://{b}'],
  ['resources/read', { contents: [{ uri: 'file:///a', text: 'body' }] }, 'body'],
  ['resources/read', { contents: [{ uri: 'file:///a', mimeType: 'image/png', blob: 'AA' }] }, '[image/png]'],
  [
    'prompts/get',
    {
      description: 'x',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Hi' } },
        { role: 'assistant', content: { type: 'text', text: 'Yes' } },
      ],
    },
    'user: Hi assistant: Yes',
  ],
  ['sampling/createMessage', { role: 'assistant', content: { type: 'text', text: 'Done' }, model: 'm' }, 'Done'],
  ['elicitation/create', { action: 'accept', content: { name: 'x' } }, 'accept {name: "x"}'],
  ['elicitation/create', { action: 'decline' }, 'decline'],
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'demo' } },
    '2025-11-25 · tools, logging',
  ],
  ['server/discover', { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }, '["2026-07-28"] · tools'],
  ['ping', {}, ''],
  ['custom', { _meta: { a: 1 }, value: 1 }, '{value: 1}'],
  ['custom', 'text', '"text"'],
])('shows the result of %s %j as %j', (method, result, preview) => {
  expect(ofResult(method, result)).toBe(preview);
});

test('shows code and message of an error', () => {
  const error = { code: -32602, message: 'Invalid\nparams', data: { x: 1 } };
  expect(logOf(asked(1, 'tools/call'), got({ jsonrpc: '2.0', id: 1, error })).preview(1)).toBe('−32602 Invalid params');
  expect(logOf(got({ jsonrpc: '2.0', id: 1, error: 'broken' })).preview(0)).toBe('"broken"');
});

describe('notifications', () => {
  const logged = (params: unknown) => ofNotification('notifications/message', params);
  const progressed = (params: unknown) => ofNotification('notifications/progress', params);

  test('shows level, logger and data of a log message', () => {
    expect(logged({ level: 'error', logger: 'flood', data: { i: 3, 'a"b': [1] } })).toBe(
      'error · flood · {i: 3, "a\\"b": [1]}',
    );
    expect(logged({ level: 'info', data: 'two\n lines "quoted"' })).toBe('info · two lines "quoted"');
    expect(logged({ level: 'info' })).toBe('info');
    expect(logged({ level: 'info', data: '\u001b[31mred\u001b[0m' })).toBe('info · red');
  });

  test('shows progress, total and message, with all digits', () => {
    expect(progressed({ progressToken: 1, progress: 12, total: 300, message: 'step 12' })).toBe('12/300 · step 12');
    expect(progressed({ progress: 0.5 })).toBe('0.5');
    expect(progressed({ message: 'soon' })).toBe('soon');
    const digits = '{"method":"notifications/progress","params":{"progress":18446744073709551615,"total":1e400}}';
    expect(logOf(got(digits)).preview(0)).toBe('18446744073709551615/1e400');
  });

  test('leaves out what the name of the row says', () => {
    expect(ofNotification('notifications/resources/updated', { uri: 'file:///a' })).toBe('');
    expect(ofNotification('notifications/cancelled', { requestId: 3, reason: 'slow' })).toBe(
      '{requestId: 3, reason: "slow"}',
    );
  });
});

test('shows the service of a resource, and nothing of one without', () => {
  const preview = (attributes: unknown) =>
    formatPreview(
      'other',
      'resource',
      undefined,
      new TextEncoder().encode(JSON.stringify({ resource: 'r', attributes })),
    );
  const other = { key: 'process.pid', value: { intValue: '1' } };
  expect(preview([other, { key: 'service.name', value: { stringValue: 'orders' } }])).toBe('orders');
  expect(preview([other])).toBe('');
  expect(preview(['x', null, { key: 'service.name' }])).toBe('');
  expect(preview('none')).toBe('');
});

test('other frames and evicted messages have no preview', () => {
  expect(logOf(got('DEBUG loaded')).preview(0)).toBeUndefined();
  expect(logOf(sent([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).preview(0)).toBeUndefined();
});

test('reads only the first bytes of a long message, and shortens its text', () => {
  const preview = ofResult('tools/call', { content: [{ type: 'text', text: '\u{1f600}'.repeat(2_000_000) }] })!;
  expect(preview).toBe(`${'\u{1f600}'.repeat(150)}…`);
  const late = { _meta: { pad: 'x'.repeat(1e6) }, content: [{ type: 'text', text: 'late' }] };
  expect(ofResult('tools/call', late)).toBe('');
  const many = Array.from({ length: 50_000 }, (_, at) => ({ name: `tool-${at}` }));
  expect(ofResult('tools/list', { tools: many })).toMatch(/^\d{4}\+ tools: tool-0, tool-1, .*…$/);
});

test.each([
  '',
  '{',
  '{"params"',
  '{"params":',
  '{"params":[1',
  '{"params":"x',
  '[{}]',
  'null',
  '{"result":{"tools":[{',
])('handles %j', (text) => {
  const { bytes } = got(text);
  for (const kind of ['request', 'notification', 'response', 'error'] as const) {
    expect(typeof formatPreview(kind, 'tools/list', undefined, bytes)).toBe('string');
  }
});

test('the result of a handshake is named after the server, other results after their request', () => {
  const introduced = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'demo' } };
  const log = logOf(
    asked(1, 'initialize', { clientInfo: { name: 'mcp-inspect' } }),
    answered(1, introduced),
    asked(2, 'tools/call', { name: 'echo' }),
    answered(2, introduced),
  );
  expect([0, 1, 2, 3].map((index) => log.row(index).name)).toEqual(['mcp-inspect', 'demo', 'echo', 'echo']);
  const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'modern' } };
  expect(logOf(asked(1, 'server/discover'), answered(1, { _meta: meta })).row(1).name).toBe('modern');
});
