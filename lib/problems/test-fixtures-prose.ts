import { answered, asked, type FrameSeed, got, sent } from '@/lib/store/test-frames';
import { ask, complete, legacy, modern, type RuleFixture } from './test-sessions';

const note = (method: string, params?: object) => got({ jsonrpc: '2.0', method, params });
const result = (id: unknown, value: object) => got({ jsonrpc: '2.0', id, result: value });
const tool = (more: object = {}) => ({ name: 'a', inputSchema: { type: 'object' }, ...more });
const listed = (more: object) => [...legacy(), asked(1, 'tools/list'), answered(1, { tools: [tool(more)] })];
const called = (value: object) => [...legacy(), asked(1, 'tools/call', { name: 'a' }), answered(1, value)];
const read = (item: object) => [
  ...legacy(),
  asked(1, 'resources/read', { uri: 'a:b' }),
  answered(1, { contents: [{ uri: 'a:b', text: '', ...item }] }),
];
const prompts = (...names: string[]) => [
  ...legacy(),
  asked(1, 'prompts/list'),
  answered(1, { prompts: [{ name: 'p', arguments: names.map((name) => ({ name })) }] }),
];
const resource = (more: object) => [
  ...legacy(),
  asked(1, 'resources/list'),
  answered(1, { resources: [{ name: 'a', uri: 'a:b', ...more }] }),
];
const CLIENT = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } };
const asking = (method: string, params?: object) => [
  ...legacy({ client: CLIENT }),
  got({ jsonrpc: '2.0', id: 1, method, params }),
];
const rooted = (uri: string) => [
  ...asking('roots/list'),
  sent({ jsonrpc: '2.0', id: 1, result: { roots: [{ uri }] } }),
];
const linked = (url: string) => asking('elicitation/create', { mode: 'url', message: 'm', url, elicitationId: 'e' });
const form = (field: object, required: readonly string[] = []) =>
  asking('elicitation/create', {
    message: 'm',
    requestedSchema: { type: 'object', properties: { a: { type: 'string', ...field } }, required },
  });
const filled = (answer: object) => [...form({}), sent({ jsonrpc: '2.0', id: 1, result: answer })];
const traced = (traceparent: string) => [...modern(), ask(1, 'tools/list', {}, { traceparent })];
const extended = (name: string) => [
  ...modern({ server: { tools: {}, extensions: { [name]: {} } } }),
  ask(1, 'tools/list'),
];
const image = (mimeType: string) => called({ content: [{ type: 'image', data: '', mimeType }] });
const icon = (more: object) => listed({ icons: [{ src: 'https://a.example/i.png', ...more }] });
const DATES = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' };
const task = (more: object = {}) => ({ taskId: '1', status: 'working', ttl: null, ...DATES, ...more });
const started = (more: object) => [
  ...legacy(),
  asked(1, 'tools/call', { name: 'a', task: {} }),
  answered(1, { task: task(more) }),
];
const named = (meta: object) => [
  ...started({}),
  asked(2, 'tasks/get', { taskId: '1' }),
  answered(2, { ...task(), _meta: meta }),
];
const discovered = (version: string) => [
  ...modern().slice(0, 1),
  ask('d', 'server/discover'),
  complete('d', { supportedVersions: [version], capabilities: {} }),
];
const refused = (supported: readonly string[]) => [
  ...modern().slice(0, 1),
  ask('d', 'server/discover'),
  got({
    jsonrpc: '2.0',
    id: 'd',
    error: { code: -32022, message: '', data: { requested: '2026-07-28', supported } },
  }),
];
const cancelled = (params: object) => [
  ...legacy(),
  asked(1, 'tools/call', { name: 'a', ...params }),
  sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
];
const pinged = (value: object) => [...legacy(), asked(1, 'ping'), answered(1, value)];
const failed = (message: string) => [
  ...legacy(),
  asked(1, 'ping'),
  got({ jsonrpc: '2.0', id: 1, error: { code: -32603, message } }),
];
const prompted = (more: object) => [
  ...legacy(),
  asked(1, 'prompts/get', { name: 'p' }),
  answered(1, {
    messages: [{ role: 'user', content: { type: 'resource', resource: { uri: 'a:b', text: '', ...more } } }],
  }),
];
const modernRead = (contents: readonly object[]) => [
  ...modern(),
  ask(1, 'resources/read', { uri: 'a:b' }),
  complete(1, { contents }),
];
const TEXT = { type: 'text', text: 'x' };
const USE = { type: 'tool_use', id: 'u', name: 't', input: {} };
const RESULT = { type: 'tool_result', toolUseId: 'u', content: [] };
const turns = (...turn: (readonly [role: string, content: unknown])[]) =>
  asking('sampling/createMessage', { messages: turn.map(([role, content]) => ({ role, content })), maxTokens: 1 });
const interim = (more: object) => [
  ...modern(),
  ask(1, 'tools/call', { name: 'a' }),
  result(1, { resultType: 'input_required', requestState: 'x', ...more }),
];
const bare = (answer: FrameSeed) => [...modern(), asked(1, 'tools/list', {}), answer];
const tracked = (id: number, token: string) => asked(id, 'tools/call', { name: 'a', _meta: { progressToken: token } });
const progress = (more: object) => [
  ...legacy(),
  tracked(1, 't'),
  note('notifications/progress', { progressToken: 't', progress: 2, ...more }),
];
const listen = ask('l', 'subscriptions/listen', { notifications: {} });
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const closed = (id: string) => [
  ...modern(),
  listen,
  result('l', { resultType: 'complete', _meta: { [SUBSCRIPTION]: id } }),
];
const logged = (meta: object) => [
  ...modern(),
  listen,
  ask(1, 'tools/call', { name: 'a' }, { 'io.modelcontextprotocol/logLevel': 'info' }),
  note('notifications/message', { level: 'info', data: 'x', _meta: meta }),
];
const structured = (...content: object[]) => called({ content, structuredContent: {} });
const sampling = (more: object) =>
  asking('sampling/createMessage', { messages: [{ role: 'user', content: TEXT }], maxTokens: 1, ...more });
const introduced = (meta: object) => [
  ...modern().slice(0, 1),
  ask('d', 'server/discover'),
  complete('d', { supportedVersions: ['2026-07-28'], capabilities: {}, _meta: meta }),
];

/** Fixtures of rules about one value, which only the prose of the specification states. */
export const PROSE_FIXTURES: Readonly<Record<string, RuleFixture>> = {
  'members-exclude': { bad: read({ blob: 'AAAA' }), good: read({}) },
  'name-repeated': { bad: prompts('a', 'b', 'a'), good: prompts('a', 'b', 'A') },
  'number-without-meaning': { bad: resource({ size: -1 }), good: resource({ size: 0 }) },
  'root-uri': { bad: rooted('https://a.example/'), good: rooted('file:///a') },
  'elicitation-url': { bad: linked('a.example/form'), good: linked('https://a.example/form') },
  'elicitation-url-insecure': { bad: linked('http://a.example/form'), good: linked('http://localhost:3000/form') },
  'meta-key-reserved': {
    bad: listed({ _meta: { 'dev.mcp/own': 1 } }),
    good: listed({ _meta: { 'com.example.mcp/own': 1 } }),
  },
  'extension-name': { bad: extended('own'), good: extended('com.example/own') },
  'trace-context': { bad: traced('00-1-1-01'), good: traced(`00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`) },
  'version-form': { bad: discovered('1.0'), good: discovered('2027-01-01') },
  'media-type': { bad: image('png'), good: image('image/png') },
  'media-kind': { bad: image('text/plain'), good: image('image/svg+xml') },
  'icon-form': { bad: icon({ sizes: ['48'] }), good: icon({ sizes: ['48x48', 'any'] }) },
  'task-timestamp': { bad: started({ createdAt: '1736694058' }), good: started({}) },
  'version-other-era': { bad: legacy({ chosen: '2026-07-28' }), good: legacy({ chosen: '2025-06-18' }) },
  'version-not-refused': { bad: discovered('2025-11-25'), good: discovered('2026-07-28') },
  'version-refusal': { bad: refused(['2026-07-28']), good: refused(['2026-08-28']) },
  'cancel-task': { bad: cancelled({ task: {} }), good: cancelled({}) },
  'method-and-result': {
    bad: [...legacy(), got({ jsonrpc: '2.0', id: 1, method: 'roots/list', result: {} })],
    good: [...legacy(), got({ jsonrpc: '2.0', id: 1, method: 'roots/list', params: {} })],
  },
  'method-reserved': {
    bad: [...legacy(), asked(1, 'rpc.discover')],
    good: [...legacy(), asked(1, 'rpcs.discover')],
  },
  'ping-not-empty': { bad: pinged({ ok: true }), good: pinged({ _meta: { a: 1 } }) },
  'error-message-long': { bad: failed('No.\n  at main'), good: failed('No.\n') },
  'embedded-type-missing': { bad: prompted({}), good: prompted({ mimeType: 'text/plain' }) },
  'contents-empty': { bad: modernRead([]), good: modernRead([{ uri: 'a:b', text: '' }]) },
  'tool-result-mixed': {
    bad: turns(['user', TEXT], ['assistant', USE], ['user', [RESULT, TEXT]]),
    good: turns(['user', TEXT], ['assistant', [TEXT, USE]], ['user', [RESULT]]),
  },
  'tool-role': {
    bad: turns(['user', TEXT], ['user', USE], ['user', RESULT]),
    good: turns(['user', TEXT], ['assistant', USE], ['user', RESULT]),
  },
  'tool-use-unanswered': {
    bad: turns(['user', TEXT], ['assistant', [USE, { ...USE, id: 'v' }]], ['user', RESULT]),
    good: turns(['user', TEXT], ['assistant', USE], ['user', RESULT]),
  },
  'tool-use-repeated': {
    bad: turns(['assistant', USE], ['user', RESULT], ['assistant', USE], ['user', RESULT]),
    good: turns(
      ['assistant', USE],
      ['user', RESULT],
      ['assistant', { ...USE, id: 'v' }],
      ['user', { ...RESULT, toolUseId: 'v' }],
    ),
  },
  'interim-cache-hint': { bad: interim({ ttlMs: 0 }), good: interim({}) },
  'malformed-accepted': {
    bad: bare(complete(1, { tools: [] })),
    good: bare(got({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: '' } })),
  },
  'identity-missing': {
    bad: introduced({}),
    good: introduced({ 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } }),
  },
  'progress-token-reused': {
    bad: [...legacy(), tracked(1, 't'), tracked(2, 't')],
    good: [...legacy(), tracked(1, 't'), answered(1, { content: [] }), tracked(2, 't'), tracked(3, 'u')],
  },
  'progress-beyond-total': { bad: progress({ total: 1 }), good: progress({ total: 2 }) },
  'listen-result-id': { bad: closed('m'), good: closed('l') },
  'request-notification-on-listen': { bad: logged({ [SUBSCRIPTION]: 'l' }), good: logged({}) },
  'task-first-status': { bad: started({ status: 'completed' }), good: started({}) },
  'task-named-twice': {
    bad: named({ 'io.modelcontextprotocol/related-task': { taskId: '1' } }),
    good: named({ own: 1 }),
  },
  'structured-without-text': { bad: structured(), good: structured(TEXT) },
  'hints-contradict': {
    bad: listed({ annotations: { readOnlyHint: true, destructiveHint: true } }),
    good: listed({ annotations: { readOnlyHint: true, destructiveHint: false } }),
  },
  'context-undeclared': { bad: sampling({ includeContext: 'thisServer' }), good: sampling({ includeContext: 'none' }) },
  'form-contradiction': {
    bad: form({ enum: ['x', 'y'], default: 'z' }, ['a']),
    good: form({ enum: ['x', 'y'], default: 'y' }, ['a']),
  },
  'form-answer': {
    bad: filled({ action: 'decline', content: { a: 'x' } }),
    good: filled({ action: 'accept', content: { a: 'x' } }),
  },
};
