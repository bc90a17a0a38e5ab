import { asked, got } from '@/lib/store/test-frames';
import { ask, complete, legacy, modern, type RuleFixture } from './test-sessions';

const result = (id: unknown, value: object) => got({ jsonrpc: '2.0', id, result: value });
const text = { content: [{ type: 'text', text: 'x' }] };
const call = ask(1, 'tools/call', { name: 'a' });
const listen = ask('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } });
const notified = (method: string, id?: string) =>
  got({
    jsonrpc: '2.0',
    method,
    params: {
      ...(method.endsWith('acknowledged') && { notifications: {} }),
      ...(id !== undefined && { _meta: { 'io.modelcontextprotocol/subscriptionId': id } }),
    },
  });
const CHANGED = 'notifications/tools/list_changed';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const DATES = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' };
const taskOf = (status: string, more = {}) => ({ taskId: '1', status, ttlMs: null, ...DATES, ...more });
const started = { resultType: 'task', ...taskOf('working') };
const task = result(1, started);
const polled = (id: number, status: string, more = {}) => [
  ask(id, 'tasks/get', { taskId: '1' }, TASKS),
  result(id, { resultType: 'complete', ...taskOf(status, more) }),
];
const error = (code: number) => got({ jsonrpc: '2.0', id: 1, error: { code, message: '' } });
const log = got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } });

const TASKS = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } };
const callTask = ask(1, 'tools/call', { name: 'a' }, TASKS);
const question = (message: string) => ({ inputRequests: { k: { method: 'elicitation/create', params: { message } } } });
const legacyTask = (status: string, more = {}) => ({ taskId: '1', status, ttl: null, ...DATES, ...more });
const legacyCall = [asked(1, 'tools/call', { name: 'a', task: {} }), result(1, { task: legacyTask('working') })];
const legacyPoll = (id: number, status: string, more = {}) => [
  asked(id, 'tasks/get', { taskId: '1' }),
  result(id, legacyTask(status, more)),
];
const legacyResult = (id: number, meta = true) => [
  asked(id, 'tasks/result', { taskId: '1' }),
  result(id, { content: [], ...(meta && { _meta: { 'io.modelcontextprotocol/related-task': { taskId: '1' } } }) }),
];

const TASK_FIXTURES: Readonly<Record<string, RuleFixture>> = {
  'task-invalid': {
    bad: [...modern(), callTask, task, ...polled(2, 'completed')],
    good: [...modern(), callTask, task, ...polled(2, 'completed', { result: {} })],
  },
  'task-after-end': {
    bad: [...legacy(), ...legacyCall, ...legacyPoll(2, 'completed'), ...legacyPoll(3, 'working')],
    good: [...legacy(), ...legacyCall, ...legacyPoll(2, 'working'), ...legacyPoll(3, 'completed')],
  },
  'task-id-reused': {
    bad: [...modern(), callTask, task, ask(9, 'tools/call', { name: 'a' }, TASKS), result(9, started)],
    good: [...modern(), callTask, task, ...polled(2, 'working'), ...polled(3, 'working')],
  },
  'task-poll-interval': {
    bad: [...legacy(), ...legacyCall, ...legacyPoll(2, 'working', { pollInterval: 0 })],
    good: [...legacy(), ...legacyCall, ...legacyPoll(2, 'working', { pollInterval: 1 })],
  },
  'task-result-early': {
    bad: [...legacy(), ...legacyCall, ...legacyResult(2), ...legacyPoll(3, 'working')],
    good: [...legacy(), ...legacyCall, ...legacyResult(2), ...legacyPoll(3, 'completed')],
  },
  'task-input-reused': {
    bad: [
      ...modern(),
      callTask,
      task,
      ...polled(2, 'input_required', question('a')),
      ...polled(3, 'input_required', question('b')),
    ],
    good: [
      ...modern(),
      callTask,
      task,
      ...polled(2, 'input_required', question('a')),
      ...polled(3, 'input_required', question('a')),
    ],
  },
  'task-not-named': {
    bad: [...legacy(), ...legacyCall, ...legacyResult(2, false)],
    good: [...legacy(), ...legacyCall, ...legacyResult(2)],
  },
};

/** Fixtures of the rules of the modern era. */
export const MODERN_FIXTURES: Readonly<Record<string, RuleFixture>> = {
  ...TASK_FIXTURES,
  'result-type-missing': {
    bad: [...modern(), call, result(1, text)],
    good: [...modern(), call, result(1, { ...text, resultType: 'complete' })],
  },
  'cache-hint-missing': {
    bad: [...modern(), ask(1, 'tools/list'), result(1, { resultType: 'complete', tools: [], cacheScope: 'public' })],
    good: [...modern(), ask(1, 'tools/list'), complete(1, { tools: [] })],
  },
  'result-type-unknown': {
    bad: [...modern(), call, result(1, { ...text, resultType: 'partial' })],
    good: [...modern(), call, result(1, { resultType: 'task', taskId: '1', status: 'working', ttlMs: null })],
  },
  'input-required-not-allowed': {
    bad: [...modern(), ask(1, 'tools/list'), result(1, { resultType: 'input_required', requestState: 'x' })],
    good: [...modern(), call, result(1, { resultType: 'input_required', requestState: 'x' })],
  },
  'input-required-empty': {
    bad: [...modern(), call, result(1, { resultType: 'input_required' })],
    good: [...modern(), call, result(1, { resultType: 'input_required', inputRequests: {} })],
  },
  'server-request': {
    bad: [...modern(), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' })],
    good: [...legacy(), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' })],
  },
  'client-answer': {
    bad: [...modern(), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' }), replied(1)],
    good: [...legacy(), got({ jsonrpc: '2.0', id: 1, method: 'roots/list' }), replied(1)],
  },
  'notification-off-stream': {
    bad: [...modern(), listen, notified(ACKNOWLEDGED, 'l'), notified(CHANGED)],
    good: [...modern(), listen, notified(ACKNOWLEDGED, 'l'), notified(CHANGED, 'l')],
  },
  'listen-not-acknowledged': {
    bad: [...modern(), listen, notified(CHANGED, 'l')],
    good: [...modern(), listen, notified(ACKNOWLEDGED, 'l'), notified(CHANGED, 'l')],
  },
  'acknowledged-not-asked-for': {
    bad: [...modern(), listen, acknowledged({ toolsListChanged: true, resourceSubscriptions: ['a:1'] })],
    good: [...modern(), listen, acknowledged({ toolsListChanged: true, promptsListChanged: false })],
  },
  'log-not-asked-for': {
    bad: [...modern(), call, log],
    good: [...modern(), ask(1, 'tools/call', { name: 'a' }, { 'io.modelcontextprotocol/logLevel': 'info' }), log],
  },
  'log-below-level': {
    bad: [...modern(), ask(1, 'tools/call', { name: 'a' }, { 'io.modelcontextprotocol/logLevel': 'error' }), log],
    good: [
      ...modern(),
      ask(1, 'tools/call', { name: 'a' }, { 'io.modelcontextprotocol/logLevel': 'error' }),
      ask(2, 'tools/call', { name: 'a' }, { 'io.modelcontextprotocol/logLevel': 'info' }),
      log,
    ],
  },
  'input-undeclared': {
    bad: [...modern(), declaring({ elicitation: { form: {} } }), elicits({ mode: 'url', url: 'https://a.example' })],
    good: [...modern(), declaring({ elicitation: { url: {} } }), elicits({ mode: 'url', url: 'https://a.example' })],
  },
  'task-undeclared': {
    bad: [...modern(), declaring({ extensions: { 'io.modelcontextprotocol/ui': {} } }), task],
    good: [...modern(), declaring({ extensions: { 'io.modelcontextprotocol/tasks': {} } }), task],
  },
  'notification-not-asked-for': {
    bad: [...modern(), listen, notified(ACKNOWLEDGED, 'l'), notified('notifications/prompts/list_changed', 'l')],
    good: [...modern(), listen, notified(ACKNOWLEDGED, 'l'), notified(CHANGED, 'l')],
  },
  'cache-scope-differs': {
    bad: [...modern(), ...scoped('private', 'public')],
    good: [...modern(), ...scoped('private', 'private'), ...scoped('public', 'public', 3)],
  },
  'changed-while-fresh': {
    bad: [...modern(), ...listed(1, 'a', 60_000), ...listed(2, 'b', 60_000)],
    good: [
      ...modern(),
      ...listed(1, 'a', 60_000),
      ...listed(2, 'a', 0),
      ...listed(3, 'b', 60_000),
      listen,
      notified(ACKNOWLEDGED, 'l'),
      notified(CHANGED, 'l'),
      ...listed(4, 'c', 60_000),
    ],
  },
  'error-code-reserved': { bad: [...modern(), call, error(-32050)], good: [...modern(), call, error(-32000)] },
  'error-code-of-other-version': {
    bad: [...modern(), ask(1, 'resources/read', { uri: 'a:b' }), error(-32002)],
    good: [...legacy(), asked(1, 'resources/read', { uri: 'a:b' }), error(-32002)],
  },
  'tool-header': {
    bad: [...modern(), ask(1, 'tools/list'), complete(1, { tools: [headed('number')] })],
    good: [...modern(), ask(1, 'tools/list'), complete(1, { tools: [headed('integer')] })],
  },
};

/** A list of one tool, which may be kept for so many ms. */
function listed(id: number, name: string, ttlMs: number) {
  const tools = [{ name, inputSchema: { type: 'object' } }];
  return [ask(id, 'tools/list'), complete(id, { tools, ttlMs })];
}

function acknowledged(notifications: object) {
  const params = { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } };
  return got({ jsonrpc: '2.0', method: ACKNOWLEDGED, params });
}

function declaring(capabilities: object) {
  return ask(1, 'tools/call', { name: 'a' }, { 'io.modelcontextprotocol/clientCapabilities': capabilities });
}

function elicits(params: object) {
  const request = { method: 'elicitation/create', params: { message: 'm', ...params } };
  return result(1, { resultType: 'input_required', inputRequests: { k: request } });
}

/** A list of two pages with these scopes. */
function scoped(first: string, second: string, id = 1) {
  return [
    ask(id, 'tools/list'),
    complete(id, { tools: [], cacheScope: first, nextCursor: 'x' }),
    ask(id + 1, 'tools/list', { cursor: 'x' }),
    complete(id + 1, { tools: [], cacheScope: second }),
  ];
}

function headed(type: string): object {
  return { name: 'a', inputSchema: { type: 'object', properties: { x: { type, 'x-mcp-header': 'X' } } } };
}

function replied(id: number) {
  return { ...result(id, { roots: [] }), direction: 'to-server' as const };
}
