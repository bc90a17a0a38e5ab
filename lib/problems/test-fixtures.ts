import { answered, asked, type FrameSeed, got, sent } from '@/lib/store/test-frames';
import { HTTP_FIXTURES } from './test-fixtures-http';
import { MODERN_FIXTURES } from './test-fixtures-modern';
import { PROSE_FIXTURES } from './test-fixtures-prose';
import { legacy, type RuleFixture, started } from './test-sessions';

const note = (method: string, params?: object) => got({ jsonrpc: '2.0', method, params });
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const listed = (...tools: object[]) => [...legacy(), asked(1, 'tools/list'), answered(1, { tools })];
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const call = (id: number, result: object, params: object = { name: 'a' }) => [
  asked(id, 'tools/call', params),
  answered(id, result),
];
const progress = (value: number, token: unknown = 't') =>
  note('notifications/progress', { progressToken: token, progress: value });
const tracked = asked(1, 'tools/call', { name: 'a', _meta: { progressToken: 't' } });
const done = answered(1, text('x'));
const page = (id: number, cursor: string | undefined, name: string, nextCursor?: string) => [
  asked(id, 'tools/list', cursor === undefined ? undefined : { cursor }),
  answered(id, { tools: [tool(name)], nextCursor }),
];
const output = { outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } };

const skill = (more: object = {}, file: object = {}) => ({
  uri: 'skill://git/SKILL.md',
  frontmatter: { name: 'git', description: 'How to use git.' },
  resources: [{ uri: 'skill://git/SKILL.md', digest: HELLO_DIGEST, size: 5, ...file }],
  ...more,
});
/** SHA-256 of "hello". */
const HELLO_DIGEST = 'sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const skillRead = (content: string, file?: object) => [
  ...legacy({ server: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } } }),
  asked(1, 'skills/list'),
  answered(1, { skills: [skill({}, file)] }),
  asked(2, 'resources/read', { uri: 'skill://git/SKILL.md' }),
  answered(2, { contents: [{ uri: 'skill://git/SKILL.md', text: content }] }),
];

const appTool = (meta: object) => listed(tool('a', { _meta: meta }));
const appRead = (item: object) => [
  ...legacy(),
  asked(1, 'resources/read', { uri: 'ui://a' }),
  answered(1, { contents: [{ uri: 'ui://a', text: '<p>', mimeType: 'text/html;profile=mcp-app', ...item }] }),
];
/** A tool names `ui://a`, and reading `uri` fails. */
const appAnswered = (uri: string) => [
  ...appTool({ ui: { resourceUri: 'ui://a' } }),
  asked(9, 'resources/read', { uri }),
  got({ jsonrpc: '2.0', id: 9, error: { code: -32002, message: 'Resource not found' } }),
];
const appNeeds = (origin: string) => ({ _meta: { ui: { csp: { connectDomains: [origin] } } } });

/** Fixtures by rule. */
export const FIXTURES: Readonly<Record<string, RuleFixture>> = {
  'skill-entry': {
    bad: [
      ...legacy(),
      asked(1, 'skills/get', { uri: 'skill://git/SKILL.md' }),
      answered(1, { skill: skill({ frontmatter: { name: 'git' } }) }),
    ],
    good: [...legacy(), asked(1, 'skills/list'), answered(1, { skills: [skill(), skill({ resources: 'dynamic' })] })],
  },
  'skill-size': { bad: skillRead('hello!'), good: skillRead('hello') },
  'skill-digest': { bad: skillRead('hallo'), good: skillRead('hello') },
  'app-flat-key': {
    bad: appTool({ 'ui/resourceUri': 'ui://a' }),
    good: appTool({ 'ui/resourceUri': 'ui://a', ui: { resourceUri: 'ui://a' } }),
  },
  'app-missing': { bad: appAnswered('ui://a'), good: appAnswered('ui://b') },
  'app-page': { bad: appRead({ mimeType: 'text/html' }), good: appRead({}) },
  'app-origin-refused': {
    bad: appRead(appNeeds('http://127.0.0.1:6270')),
    good: appRead(appNeeds('https://api.example.com')),
  },
  'stdout-junk': { bad: [...legacy(), got('Server ready')], good: [...legacy(), got('')] },
  'invalid-utf8': {
    bad: [...legacy(), note('notifications/message', { level: 'info', data: 'A' }), got(latin1())],
    good: [...legacy(), note('notifications/message', { level: 'info', data: 'é' })],
  },
  'byte-order-mark': {
    bad: [...legacy(), asked(1, 'ping'), got('\uFEFF{"jsonrpc":"2.0","id":1,"result":{}}')],
    good: [...legacy(), asked(1, 'ping'), got('{"jsonrpc":"2.0","id":1,"result":{}}')],
  },
  batch: {
    bad: [...legacy(), got([{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }])],
    good: [
      ...legacy({ version: '2025-03-26' }),
      got([{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }]),
    ],
  },
  'initialize-in-batch': {
    bad: [started(), sent([initialize()])],
    good: [started(), sent(initialize())],
  },
  'jsonrpc-version': {
    bad: [...legacy(), got({ jsonrpc: '1.0', method: 'notifications/tools/list_changed' })],
    good: [...legacy(), note('notifications/tools/list_changed')],
  },
  'id-type': {
    bad: [
      ...legacy({ version: '2025-06-18' }),
      got({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'x' } }),
    ],
    good: [...legacy(), got({ jsonrpc: '2.0', error: { code: -32700, message: 'x' } })],
  },
  'result-and-error': {
    bad: [...legacy(), asked(1, 'ping'), got({ jsonrpc: '2.0', id: 1, result: {}, error: null })],
    good: [...legacy(), asked(1, 'ping'), answered(1, {})],
  },
  'params-type': {
    bad: [...legacy(), asked(1, 'ping', [])],
    good: [...legacy(), asked(1, 'ping', {})],
  },
  'id-reused': {
    bad: [...legacy(), asked(1, 'ping'), answered(1, {}), asked(1, 'ping')],
    good: [...legacy(), asked(1, 'ping'), got({ jsonrpc: '2.0', id: 1, method: 'ping' }), asked('1', 'ping')],
  },
  'id-type-changed': {
    bad: [...legacy(), asked(1, 'ping'), answered('1', {})],
    good: [...legacy(), asked('1', 'ping'), answered('1', {})],
  },
  'unknown-id': {
    bad: [...legacy(), asked(1, 'ping'), answered(2, {})],
    good: [...legacy(), asked(2, 'ping'), answered(2, {})],
  },
  'second-answer': {
    bad: [...legacy(), asked(1, 'ping'), answered(1, {}), answered(1, {})],
    good: [...legacy(), asked(1, 'ping'), answered(1, {}), asked(2, 'ping'), answered(2, {})],
  },
  'notification-with-id': {
    bad: [...legacy(), asked(1, 'notifications/roots/list_changed')],
    good: [...legacy(), sent({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' })],
  },
  'method-not-in-version': {
    bad: [...legacy({ version: '2025-06-18' }), asked(1, 'tasks/list')],
    good: [...legacy(), asked(1, 'tasks/list')],
  },
  'method-direction': {
    bad: [...legacy(), got({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
    good: [...legacy(), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' })],
  },
  'method-unknown': {
    bad: [...legacy(), asked(1, 'tools/lisst')],
    good: [...legacy({ server: { extensions: { 'com.example/x': {} } } }), asked(1, 'example/x')],
  },
  'request-without-id': {
    bad: [...legacy(), note('roots/list')],
    good: [...legacy(), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' })],
  },
  'before-initialized': {
    bad: [...legacy().slice(0, 3), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' })],
    good: [...legacy().slice(0, 3), got({ jsonrpc: '2.0', id: 1, method: 'ping' })],
  },
  'version-unknown': { bad: legacy({ chosen: '2025-01-01' }), good: legacy({ chosen: '2024-10-07' }) },
  'cancel-initialize': {
    bad: [
      ...legacy().slice(0, 2),
      sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'i' } }),
    ],
    good: [
      ...legacy(),
      asked(1, 'ping'),
      sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
    ],
  },
  'cancel-unknown': {
    bad: [...legacy(), asked(1, 'ping'), cancelled('1')],
    good: [...legacy(), asked(1, 'ping'), answered(1, {}), cancelled(1)],
  },
  'update-not-subscribed': {
    bad: [...legacy(), asked(1, 'resources/subscribe', { uri: 'a:b' }), updated('a:bc')],
    good: [...legacy(), asked(1, 'resources/subscribe', { uri: 'a:b' }), updated('a:b'), updated('a:b/c')],
  },
  'capability-undeclared': {
    bad: [...legacy({ client: {} }), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' })],
    good: [...legacy({ client: { roots: {} } }), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' })],
  },
  'notification-undeclared': {
    bad: [...legacy({ server: { tools: {} } }), note('notifications/tools/list_changed')],
    good: [...legacy({ server: { tools: { listChanged: true } } }), note('notifications/tools/list_changed')],
  },
  'field-missing': { bad: listed({ name: 'a' }), good: listed(tool('a')) },
  'field-type': { bad: listed(tool('a', { description: null })), good: listed(tool('a', { description: '' })) },
  'field-value': {
    bad: [...legacy(), ...call(1, { content: [{ type: 'video', data: '' }] })],
    good: [...legacy(), ...call(1, { content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] })],
  },
  'field-range': {
    bad: [...legacy(), ...call(1, { content: [{ type: 'text', text: '', annotations: { priority: 1.1 } }] })],
    good: [...legacy(), ...call(1, { content: [{ type: 'text', text: '', annotations: { priority: 1 } }] })],
  },
  'field-not-in-version': {
    bad: [
      ...legacy({ version: '2025-03-26' }),
      asked(1, 'tools/list'),
      answered(1, { tools: [tool('a', { title: 'A' })] }),
    ],
    good: [
      ...legacy({ version: '2025-03-26' }),
      asked(1, 'tools/list'),
      answered(1, { tools: [tool('a', { own: 'A' })] }),
    ],
  },
  'progress-unknown-token': {
    bad: [...legacy(), tracked, progress(1, 'u')],
    good: [...legacy(), tracked, progress(1, 't')],
  },
  'progress-not-increasing': {
    bad: [...legacy(), tracked, progress(1), progress(1)],
    good: [...legacy(), tracked, progress(1), progress(1.1)],
  },
  'progress-after-end': {
    bad: [...legacy(), tracked, done, progress(1)],
    good: [...legacy(), tracked, progress(1), done],
  },
  'cursor-loop': {
    bad: [...legacy(), ...page(1, undefined, 'a', 'x'), ...page(2, 'x', 'b', 'x')],
    good: [
      ...legacy(),
      ...page(1, undefined, 'a', 'x'),
      ...page(2, 'x', 'b'),
      ...page(3, undefined, 'a', 'x'),
      ...page(4, 'x', 'b'),
    ],
  },
  'duplicate-entry': {
    bad: [...legacy(), ...page(1, undefined, 'a', 'x'), ...page(2, 'x', 'a')],
    good: [...legacy(), ...page(1, undefined, 'a'), ...page(2, undefined, 'a')],
  },
  'tool-name': { bad: listed(tool('do it')), good: listed(tool('do.it-1_A')) },
  'tool-schema': {
    bad: listed({ name: 'a', inputSchema: { type: 'object', properties: { x: { $ref: '#/$defs/y' } } } }),
    good: listed({
      name: 'a',
      inputSchema: { type: 'object', properties: { x: { $ref: '#/$defs/y' } }, $defs: { y: {} } },
    }),
  },
  'icon-address': {
    bad: listed(tool('a', { icons: [{ src: 'javascript:alert(1)' }] })),
    good: listed(tool('a', { icons: [{ src: 'data:image/png;base64,' }] })),
  },
  'output-missing': {
    bad: [...listed(tool('a', output)), ...call(2, text('x'))],
    good: [...listed(tool('a', output)), ...call(2, { ...text('x'), isError: true })],
  },
  'output-mismatch': {
    bad: [...listed(tool('a', output)), ...call(2, { ...text('x'), structuredContent: { n: '1' } })],
    good: [...listed(tool('a', output)), ...call(2, { ...text('x'), structuredContent: { n: 1 } })],
  },
  'output-unchecked': {
    bad: [...listed(tool('a', output)), ...call(2, { ...text('x'), structuredContent: { n: '1' } })],
    good: [...listed(tool('a', output)), ...call(2, text('x'))],
    unchecked: { seqs: [], from: 1 },
  },
  base64: {
    bad: [
      ...legacy(),
      ...call(1, { content: [{ type: 'image', data: 'data:image/png;base64,AAAA', mimeType: 'image/png' }] }),
    ],
    good: [...legacy(), ...call(1, { content: [{ type: 'image', data: 'AAA=', mimeType: 'image/png' }] })],
  },
  'uri-syntax': { bad: resources({ uri: '/a b' }), good: resources({ uri: 'file:///a%20b' }) },
  'meta-key': {
    bad: listed(tool('a', { _meta: { _own: {} } })),
    good: listed(tool('a', { _meta: { 'com.example/own_1': {}, ui: {} } })),
  },
  'mime-type': { bad: resources({ mimeType: 'markdown' }), good: resources({ mimeType: 'text/markdown' }) },
  timestamp: {
    bad: resources({ annotations: { lastModified: 'today' } }),
    good: resources({ annotations: { lastModified: '2025-01-12T15:00:58Z' } }),
  },
  'tool-result-unmatched': { bad: sampled('b'), good: sampled('a') },
  'completion-count': { bad: completion(101), good: completion(100) },
  'completion-total': { bad: completion(3, 2), good: completion(3, 3) },
  ...MODERN_FIXTURES,
  ...HTTP_FIXTURES,
  ...PROSE_FIXTURES,
};

function cancelled(requestId: unknown) {
  return sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
}

function updated(uri: string) {
  return note('notifications/resources/updated', { uri });
}

function resources(more: object): FrameSeed[] {
  return [...legacy(), asked(1, 'resources/list'), answered(1, { resources: [{ name: 'a', uri: 'a:b', ...more }] })];
}

/** A sampling request with the result of a tool use. */
function sampled(toolUseId: string): FrameSeed[] {
  const messages = [
    { role: 'user', content: { type: 'text', text: 'x' } },
    { role: 'assistant', content: { type: 'tool_use', id: 'a', name: 't', input: {} } },
    { role: 'user', content: [{ type: 'tool_result', toolUseId, content: [] }] },
  ];
  const params = { messages, maxTokens: 1 };
  return [...legacy(), got({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params })];
}

function completion(count: number, total?: number): FrameSeed[] {
  const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };
  return [
    ...legacy(),
    asked(1, 'completion/complete', params),
    answered(1, { completion: { values: Array(count).fill('v'), total } }),
  ];
}

function initialize(): object {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  return { jsonrpc: '2.0', id: 'i', method: 'initialize', params };
}

function latin1(): Uint8Array {
  const text = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"?"}}';
  const bytes = new TextEncoder().encode(text);
  bytes[text.indexOf('?')] = 0xe9;
  return bytes;
}
