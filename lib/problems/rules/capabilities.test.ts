import { describe, expect, test } from 'vitest';
import { answered, asked, got } from '@/lib/store/test-frames';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { ask, complete, legacy, modern, problemsIn } from '../test-sessions';

const TASKS = 'io.modelcontextprotocol/tasks';
const FORM = { message: 'm', requestedSchema: { type: 'object', properties: {} } };
const LINK = { mode: 'url', message: 'm', url: 'https://a.example/', elicitationId: 'e' };
const SAMPLE = { messages: [], maxTokens: 1 };
const WITH_TOOLS = { ...SAMPLE, tools: [{ name: 't', inputSchema: { type: 'object' } }] };
const WITH_CHOICE = { ...SAMPLE, toolChoice: { mode: 'none' } };
const AS_TASK = { ...SAMPLE, task: {} };
const ELICIT = 'elicitation/create';
const SAMPLING = 'sampling/createMessage';

/** Returns messages and paths of the findings of the rules about capabilities. */
const found = (frames: Parameters<typeof problemsIn>[0]) =>
  problemsIn(frames)
    .filter(({ rule }) => rule.endsWith('-undeclared'))
    .map(({ message, path }) => [message.replace(/, which .*/, ''), path?.join('.')]);

describe('a request of a legacy server needs the capability that the client declared', () => {
  const requested = (method: string, params: object, client: object, version: ProtocolVersion = '2025-11-25') =>
    found([...legacy({ client, version }), got({ jsonrpc: '2.0', id: 1, method, params })]);

  test.each<[string, string, object, object, string | undefined, string?]>([
    ['a form, none declared', ELICIT, FORM, {}, 'elicitation', 'method'],
    ['a form, without modes', ELICIT, FORM, { elicitation: {} }, undefined],
    ['a form, only form', ELICIT, { mode: 'form', ...FORM }, { elicitation: { form: {} } }, undefined],
    ['a form, only URLs', ELICIT, FORM, { elicitation: { url: {} } }, 'elicitation.form', 'params'],
    ['a URL, both', ELICIT, LINK, { elicitation: { form: {}, url: {} } }, undefined],
    ['a URL, only form', ELICIT, LINK, { elicitation: { form: {} } }, 'elicitation.url', 'params.mode'],
    ['a URL, without modes', ELICIT, LINK, { elicitation: {} }, 'elicitation.url', 'params.mode'],
    ['sampling', SAMPLING, SAMPLE, { sampling: {} }, undefined],
    ['tools', SAMPLING, WITH_TOOLS, { sampling: {} }, 'sampling.tools', 'params.tools'],
    ['toolChoice', SAMPLING, WITH_CHOICE, { sampling: { context: {} } }, 'sampling.tools', 'params.toolChoice'],
    ['declared tools', SAMPLING, WITH_TOOLS, { sampling: { tools: {} } }, undefined],
    ['a task', SAMPLING, AS_TASK, { sampling: {}, tasks: {} }, 'tasks.requests.sampling.createMessage', 'params.task'],
    ['tasks/list', 'tasks/list', {}, { tasks: { cancel: {} } }, 'tasks.list', 'method'],
    ['tasks/get', 'tasks/get', { taskId: '1' }, { tasks: {} }, undefined],
  ])('%s', (_what, method, params, client, capability, path) => {
    const expected = [expect.stringContaining(`needs the capability ${capability}`), path];
    expect(requested(method, params, client)).toEqual(capability === undefined ? [] : [expected]);
  });

  test('modes and tools count only in versions that have them', () => {
    expect(requested(ELICIT, LINK, { elicitation: {} }, '2025-06-18')).toEqual([]);
    expect(requested(SAMPLING, WITH_TOOLS, { sampling: {} }, '2025-06-18')).toEqual([]);
  });
});

describe('a request of a client needs the capability that the server declared', () => {
  const sent = (method: string, params: object, server: object, version: ProtocolVersion = '2025-11-25') =>
    found([...legacy({ server, version }), asked(1, method, params)]).map(([message]) => message);
  const COMPLETE = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };
  const CALL = { name: 'a', task: {} };

  test.each<[string, string, object, object, string | undefined]>([
    ['completion', 'completion/complete', COMPLETE, { prompts: {} }, 'completions'],
    ['declared completion', 'completion/complete', COMPLETE, { completions: {} }, undefined],
    ['tasks/list', 'tasks/list', {}, { tasks: {} }, 'tasks.list'],
    ['tasks/cancel', 'tasks/cancel', { taskId: '1' }, { tasks: { list: {} } }, 'tasks.cancel'],
    ['tasks/get', 'tasks/get', { taskId: '1' }, { tools: {} }, 'tasks'],
    ['tasks/result', 'tasks/result', { taskId: '1' }, {}, 'tasks'],
    ['a call as a task', 'tools/call', CALL, { tools: {}, tasks: { list: {} } }, 'tasks.requests.tools.call'],
    ['a declared one', 'tools/call', CALL, { tools: {}, tasks: { requests: { tools: { call: {} } } } }, undefined],
  ])('%s', (_what, method, params, server, capability) => {
    const expected = capability === undefined ? [] : [expect.stringContaining(`needs the capability ${capability}`)];
    expect(sent(method, params, server)).toEqual(expected);
  });

  test('2024-11-05 has no capability for completion', () => {
    expect(sent('completion/complete', COMPLETE, { prompts: {} }, '2024-11-05')).toEqual([]);
  });
});

describe('input that a modern server asks for', () => {
  const asksFor = (method: string, params: object, capabilities: object | undefined) => {
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const result = { resultType: 'input_required', inputRequests: { k: { method, params } } };
    return found([...modern(), ask(1, 'tools/call', { name: 'a' }, meta), got({ jsonrpc: '2.0', id: 1, result })]);
  };

  test.each<[string, string, object, object | undefined, string?, string?]>([
    ['roots', 'roots/list', {}, { sampling: {} }, '"roots/list" needs the capability roots', 'method'],
    ['declared roots', 'roots/list', {}, { roots: {} }],
    [
      'a URL',
      ELICIT,
      LINK,
      { elicitation: {} },
      '"elicitation/create" with mode needs the capability elicitation.url',
      'params.mode',
    ],
    [
      'tools',
      SAMPLING,
      WITH_TOOLS,
      { sampling: {} },
      '"sampling/createMessage" with tools needs the capability sampling.tools',
      'params.tools',
    ],
    ['anything, where the request declares nothing', 'roots/list', {}, undefined],
  ])('%s', (_what, method, params, capabilities, message, path) => {
    const expected = message === undefined ? [] : [[message, `result.inputRequests.k.${path}`]];
    expect(asksFor(method, params, capabilities)).toEqual(expected);
  });

  test('the capabilities of that request count, not those of another', () => {
    const declares = (capabilities: object) => ({ 'io.modelcontextprotocol/clientCapabilities': capabilities });
    const result = { resultType: 'input_required', inputRequests: { k: { method: 'roots/list' } } };
    const frames = [
      ...modern(),
      ask(1, 'tools/call', { name: 'a' }, declares({ roots: {} })),
      ask(2, 'tools/call', { name: 'a' }, declares({})),
      got({ jsonrpc: '2.0', id: 1, result }),
    ];
    expect(found(frames)).toEqual([]);
    expect(found([...frames, got({ jsonrpc: '2.0', id: 2, result })])).toHaveLength(1);
  });
});

describe('methods of the tasks extension', () => {
  const used = (method: string, client: object, server: object) => {
    const meta = { 'io.modelcontextprotocol/clientCapabilities': client };
    return problemsIn([...modern({ server }), ask(1, method, { taskId: '1' }, meta)]).map(({ rule, message }) => [
      rule,
      message,
    ]);
  };
  const both = { extensions: { [TASKS]: {} } };
  const other = { extensions: { 'io.modelcontextprotocol/ui': {} } };

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s needs the declaration of both sides', (method) => {
    const lacks = (who: string) => [
      ['capability-undeclared', `"${method}" needs the extension ${TASKS}, which the ${who} did not declare.`],
    ];
    expect(used(method, both, both)).toEqual([]);
    expect(used(method, both, {})).toEqual(lacks('server'));
    expect(used(method, both, other)).toEqual(lacks('server'));
    expect(used(method, {}, both)).toEqual(lacks('client'));
    expect(used(method, other, both)).toEqual(lacks('client'));
  });

  test('tasks/list belongs to 2025-11-25 only', () => {
    expect(used('tasks/list', {}, {})).toMatchObject([['method-not-in-version', expect.anything()]]);
  });

  test('extensions can be declared in every version', () => {
    expect(problemsIn(legacy({ server: both, client: both, version: '2025-06-18' }))).toEqual([]);
  });

  test('a result of another type is judged by its own rules', () => {
    const frames = [...modern(), ask(1, 'tools/call', { name: 'a' }), complete(1, { content: [] })];
    expect(problemsIn(frames)).toEqual([]);
    expect(problemsIn([...legacy(), asked(1, 'ping'), answered(1, { resultType: 'task' })])).toEqual([
      expect.objectContaining({ rule: 'field-not-in-version' }),
    ]);
  });
});
