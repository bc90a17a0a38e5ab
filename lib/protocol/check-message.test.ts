import { describe, expect, test } from 'vitest';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { checkError, checkParams, checkResult, structureFaults } from './check-message';
import { type Fault, isViolation } from './checks';
import { parseType } from './compile';
import { tableVersion } from './rows';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const listed = (tool: object) => ({ result: { tools: [{ name: 'a', inputSchema: { type: 'object' }, ...tool }] } });
const list = { method: 'tools/list', params: undefined };

test.each([
  ['required members only', {}, []],
  ['a wrong type', { title: 7 }, [{ kind: 'type', path: ['result', 'tools', 0, 'title'], expected: 'a string' }]],
  [
    'an unlisted value in an array',
    { icons: [{ src: 'https://a.example', theme: 'blue' }] },
    [{ kind: 'value', path: ['result', 'tools', 0, 'icons', 0, 'theme'], expected: 'one of "light", "dark"' }],
  ],
  [
    'a missing member',
    { icons: [{}] },
    [{ kind: 'missing', path: ['result', 'tools', 0, 'icons', 0, 'src'], expected: 'required' }],
  ],
  ['an unknown member', { vendor: 1 }, []],
])('checks a tool with %s', (_what, tool, faults) => {
  expect(checkResult('2025-11-25', list, listed(tool))).toEqual(faults);
});

test('names the versions that have a field', () => {
  const execution = { execution: { taskSupport: 'optional' } };
  expect(checkResult('2025-11-25', list, listed(execution))).toEqual([]);
  expect(checkResult('2025-06-18', list, listed(execution))).toEqual([
    { kind: 'other-version', path: ['result', 'tools', 0, 'execution'], expected: 'only in 2025-11-25' },
  ]);
});

test('checks a content block by its `type`', () => {
  const call = { method: 'tools/call', params: { name: 'a' } };
  const said = (...content: unknown[]) => checkResult('2025-11-25', call, { result: { content } });
  expect(said({ type: 'text', text: 'x' }, { type: 'image', data: '', mimeType: 'image/b' })).toEqual([]);
  expect(said({ type: 'text' })).toEqual([
    { kind: 'missing', path: ['result', 'content', 0, 'text'], expected: 'required' },
  ]);
  expect(said({ type: 'video' })).toMatchObject([{ kind: 'value', path: ['result', 'content', 0, 'type'] }]);
  expect(said({})).toMatchObject([{ kind: 'missing', path: ['result', 'content', 0, 'type'] }]);
});

describe('a value that fits no branch of a union has the faults of the branch that was meant', () => {
  const paths = (faults: readonly Fault[]) => faults.map(({ kind, path }) => `${kind} ${path.join('.')}`);
  const elicited = (params: object, version: ProtocolVersion = '2025-11-25') =>
    paths(checkParams(version, 'elicitation/create', { params }));
  const schema = (property: unknown) => ({
    message: 'm',
    requestedSchema: { type: 'object', properties: { a: property } },
  });
  const read = (content: object) =>
    paths(checkResult('2025-11-25', { method: 'resources/read', params: {} }, { result: { contents: [content] } }));
  const responded = (response: unknown) =>
    paths(
      checkParams('2026-07-28', 'tools/call', { params: { _meta: META, name: 'a', inputResponses: { k: response } } }),
    );

  test.each<[string, object, string[]]>([
    ['a form without a schema', { mode: 'form', message: 'm' }, ['missing params.requestedSchema']],
    [
      'a form without mode and message',
      { requestedSchema: schema({}).requestedSchema },
      ['missing params.message', 'missing params.requestedSchema.properties.a.type'],
    ],
    [
      'a form with a wrong message',
      { message: 7, requestedSchema: { type: 'object', properties: {} } },
      ['type params.message'],
    ],
    [
      'a form without properties',
      { message: 'm', requestedSchema: { type: 'object' } },
      ['missing params.requestedSchema.properties'],
    ],
    ['a URL without an id', { mode: 'url', message: 'm', url: 'https://a.example' }, ['missing params.elicitationId']],
    ['a URL without mode', { message: 'm', url: 'https://a.example', elicitationId: 'e' }, ['missing params.mode']],
    ['a URL that is a number', { mode: 'url', message: 'm', url: 7, elicitationId: 'e' }, ['type params.url']],
    ['another mode', { mode: 'video', message: 'm', url: 'https://a.example' }, ['value params.mode']],
    ['neither', { message: 'm' }, ['missing params.requestedSchema']],
    ['another type of field', schema({ type: 'object' }), ['value params.requestedSchema.properties.a.type']],
    [
      'a number with a wrong bound',
      schema({ type: 'integer', minimum: '1' }),
      ['type params.requestedSchema.properties.a.minimum'],
    ],
    ['a field without a type', schema({ enum: ['a'] }), ['missing params.requestedSchema.properties.a.type']],
    [
      'choices of numbers',
      schema({ type: 'array', items: { enum: [1] } }),
      [
        'missing params.requestedSchema.properties.a.items.type',
        'type params.requestedSchema.properties.a.items.enum.0',
      ],
    ],
    ['a field that is a text', schema('string'), ['type params.requestedSchema.properties.a']],
  ])('elicitation: %s', (_what, params, faults) => {
    expect(elicited(params)).toEqual(faults);
  });

  test.each<[string, unknown, ProtocolVersion, string]>([
    ['a reference', { $ref: '#/$defs/Color' }, '2025-11-25', 'type required'],
    ['a union', { anyOf: [{ type: 'string' }, { type: 'null' }] }, '2025-06-18', 'type required'],
    ['an object', { type: 'object' }, '2025-11-25', 'type one of "string", "number", "integer", "boolean", "array"'],
    ['several types', { type: ['string'] }, '2025-06-18', 'type one of "string", "number", "integer", "boolean"'],
    [
      'a list of lists',
      { type: 'array', items: { type: 'array' } },
      '2025-06-18',
      'type one of "string", "number", "integer", "boolean"',
    ],
    ['null', null, '2025-11-25', 'a an object'],
  ])('the fault of a field that is %s names everything that it may be', (_what, property, version, told) => {
    const [fault] = checkParams(version, 'elicitation/create', { params: schema(property) });
    expect(`${String(fault?.path.at(-1))} ${fault?.expected}`).toBe(told);
  });

  test('the fault of a value of none of the types of a union names each type once', () => {
    const told = (response: object) =>
      checkParams('2026-07-28', 'tools/call', {
        params: { _meta: META, name: 'a', inputResponses: { k: response } },
      })[0]?.expected;
    expect(told({ action: 'accept', content: { a: {} } })).toBe('a string, a number, a boolean or an array');
    expect(told({ role: 'user', model: 'm', content: 'text' })).toBe('an object or an array');
    expect(checkParams('2025-11-25', 'notifications/cancelled', { params: { requestId: null } })).toMatchObject([
      { kind: 'type', expected: 'a string or an integer' },
    ]);
  });

  test('elicitation embedded in a result', () => {
    const ask = (params: object) => ({
      resultType: 'input_required',
      inputRequests: { k: { method: 'elicitation/create', params } },
    });
    const faults = (params: object) =>
      paths(checkResult('2026-07-28', { method: 'tools/call', params: {} }, { result: ask(params) }));
    expect(faults({ mode: 'url', message: 'm' })).toEqual(['missing result.inputRequests.k.params.url']);
    expect(faults({ message: 'm' })).toEqual(['missing result.inputRequests.k.params.requestedSchema']);
  });

  test.each<[string, object, string[]]>([
    ['a text that is a number', { uri: 'a:b', text: 7 }, ['type result.contents.0.text']],
    ['a blob that is null', { uri: 'a:b', blob: null }, ['type result.contents.0.blob']],
    ['a blob without a URI', { blob: '' }, ['missing result.contents.0.uri']],
    ['neither text nor blob', { uri: 'a:b' }, ['missing result.contents.0.text']],
    ['both, one wrong', { uri: 'a:b', text: '', blob: 7 }, ['excluded result.contents.0.blob']],
    ['both, one null', { uri: 'a:b', text: '', blob: null }, []],
  ])('resource: %s', (_what, content, faults) => {
    expect(read(content)).toEqual(faults);
  });

  test('neither text nor blob: the fault names both', () => {
    const [fault] = checkResult(
      '2025-11-25',
      { method: 'resources/read', params: {} },
      { result: { contents: [{ uri: 'a:b' }] } },
    );
    expect(fault).toMatchObject({ expected: 'required or blob' });
  });

  test.each<[string, unknown, string[]]>([
    ['an answer to a form', { action: 'maybe' }, ['value params.inputResponses.k.action']],
    [
      'a form whose value is an object',
      { action: 'accept', content: { a: {} } },
      ['type params.inputResponses.k.content.a'],
    ],
    [
      'a form with a list of numbers',
      { action: 'accept', content: { a: [1] } },
      ['type params.inputResponses.k.content.a.0'],
    ],
    ['roots that are an object', { roots: {} }, ['type params.inputResponses.k.roots']],
    [
      'a model without a role',
      { model: 'm', content: { type: 'text', text: '' } },
      ['missing params.inputResponses.k.role'],
    ],
    [
      'a model with a wrong block',
      { role: 'user', model: 'm', content: [{ type: 'text' }] },
      ['missing params.inputResponses.k.content.0.text'],
    ],
    ['a text', 'yes', ['type params.inputResponses.k']],
  ])('input: %s', (_what, response, faults) => {
    expect(responded(response)).toEqual(faults);
  });
});

test('checks the keys of _meta since 2025-06-18', () => {
  const faults = (version: ProtocolVersion) => checkResult(version, list, listed({ _meta: { _own: 1, 'a.b/c': 2 } }));
  expect(faults('2025-06-18')).toEqual([
    {
      kind: 'format',
      format: 'meta-key',
      path: ['result', 'tools', 0, '_meta', '_own'],
      expected: 'has an invalid name',
    },
  ]);
  expect(checkParams('2025-03-26', 'tools/list', { params: { _meta: { _own: 1 } } })).toEqual([]);
});

test('a message with a wrong format is valid', () => {
  const resource = { name: 'a', uri: 'no uri', mimeType: 'png', annotations: { lastModified: 'today' } };
  const result = { resources: [resource] };
  const faults = checkResult('2025-11-25', { method: 'resources/list', params: {} }, { result });
  expect(faults.map(({ format }) => format).sort()).toEqual(['mime-type', 'timestamp', 'uri']);
  expect(faults.some(isViolation)).toBe(false);
});

test.each<[string, ProtocolVersion, string, object, string[]]>([
  [
    'a prompt argument twice',
    '2024-11-05',
    'prompts/list',
    { prompts: [{ name: 'p', arguments: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }] },
    ['repeated result.prompts.0.arguments.2.name'],
  ],
  [
    'a negative size',
    '2025-06-18',
    'resources/list',
    { resources: [{ name: 'a', uri: 'a:b', size: -1 }] },
    ['amount result.resources.0.size'],
  ],
  [
    'a text beside a blob',
    '2026-07-28',
    'resources/read',
    {
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      contents: [{ uri: 'a:b', text: '', blob: '' }],
    },
    ['excluded result.contents.0.blob'],
  ],
  [
    'a task with a negative ttl',
    '2025-11-25',
    'tasks/get',
    { taskId: '1', status: 'working', createdAt: '2026-01-01', lastUpdatedAt: '2026-01-01', ttl: -1 },
    ['amount result.ttl'],
  ],
])('%s leaves the message valid, but is a fault', (_what, version, method, result, expected) => {
  const faults = checkResult(version, { method, params: {} }, { result });
  expect(faults.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual(expected);
  expect(faults.some(isViolation)).toBe(false);
});

test('a version says which prefixes of _meta are reserved', () => {
  const faults = (version: ProtocolVersion, key: string) =>
    checkResult(version, list, listed({ _meta: { [key]: 1 } })).map(({ format }) => format);
  expect(faults('2025-06-18', 'mcp.dev/a')).toEqual(['reserved-key-2025-06']);
  expect(faults('2025-06-18', 'io.modelcontextprotocol/a')).toEqual([]);
  expect(faults('2025-11-25', 'mcp.dev/a')).toEqual([]);
  expect(faults('2025-11-25', 'io.modelcontextprotocol/a')).toEqual(['reserved-key']);
});

test('an elicitation has a form or a URL, not both', () => {
  const faults = (params: object) =>
    checkParams('2025-11-25', 'elicitation/create', { params: { message: 'm', ...params } }).map(
      ({ kind, path, expected }) => `${kind} ${path.join('.')} ${expected}`,
    );
  const requestedSchema = { type: 'object', properties: {} };
  const url = { url: 'https://a.example', elicitationId: 'e' };
  expect(faults({ requestedSchema, ...url })).toEqual(['excluded params.url requestedSchema']);
  expect(faults({ mode: 'url', requestedSchema, ...url })).toEqual(['excluded params.requestedSchema url']);
  expect(faults({ mode: 'url', requestedSchema: null, ...url })).toEqual([]);
});

test('checks a result by its type and its request', () => {
  const ask = { result: { resultType: 'input_required', requestState: 'x' } };
  expect(checkResult('2026-07-28', { method: 'tools/call', params: {} }, ask)).toEqual([]);
  expect(
    checkResult('2026-07-28', { method: 'tools/list', params: {} }, { result: { resultType: 'complete' } }),
  ).toHaveLength(3);
  const task = { taskId: '1', status: 'working', createdAt: '2026-01-01', lastUpdatedAt: '2026-01-01', ttl: null };
  const call = (params: object) => checkResult('2025-11-25', { method: 'tools/call', params }, { result: { task } });
  expect(call({ task: {} })).toEqual([]);
  expect(call({})).toMatchObject([{ kind: 'missing', path: ['result', 'content'] }]);
});

test('a result is invalid when it is not an object, or a required member is missing or of another type', () => {
  const invalid = (method: string, result: unknown, version: ProtocolVersion = '2025-11-25') =>
    structureFaults(version, { method, params: undefined }, result).map(
      ({ kind, path }) => `${kind} ${path.join('.')}`,
    );
  expect(invalid('tools/call', null)).toEqual(['type result']);
  expect(invalid('tools/call', [])).toEqual(['type result']);
  expect(invalid('tools/call', { contents: 'nope' })).toEqual(['missing result.content']);
  expect(invalid('tools/call', { content: 'text' })).toEqual(['type result.content']);
  expect(invalid('resources/read', { contents: {} })).toEqual(['type result.contents']);
  expect(invalid('prompts/get', {})).toEqual(['missing result.messages']);
  expect(invalid('tools/list', { tools: null })).toEqual(['type result.tools']);
});

test('a result stays valid with faults deeper down, in optional members or in cache hints', () => {
  const isValid = (method: string, result: unknown, version: ProtocolVersion = '2025-11-25') =>
    structureFaults(version, { method, params: undefined }, result).length === 0;
  expect(isValid('tools/call', { content: [{ type: 7 }], isError: 'no', _meta: null })).toBe(true);
  expect(isValid('tools/list', { tools: [{}], nextCursor: null })).toBe(true);
  expect(isValid('tools/list', { tools: [] }, '2026-07-28')).toBe(true);
  expect(isValid('tools/list', { tools: [], ttlMs: 'long', resultType: 7 }, '2026-07-28')).toBe(true);
  expect(isValid('tools/call', { resultType: 'input_required', inputRequests: {} }, '2026-07-28')).toBe(true);
  expect(isValid('vendor/method', {})).toBe(true);
});

test('accepts missing params if no member is required', () => {
  expect(checkParams('2025-11-25', 'tools/list', {})).toEqual([]);
  expect(checkParams('2026-07-28', 'tools/list', {})).toMatchObject([{ kind: 'missing', path: ['params'] }]);
  expect(checkParams('2025-11-25', 'elicitation/create', {})).toMatchObject([{ kind: 'missing', path: ['params'] }]);
  expect(checkParams('2025-11-25', 'vendor/method', { params: 7 })).toEqual([]);
});

test('checks the data that an error code requires', () => {
  const error = (code: number, data?: unknown) => checkError('2026-07-28', { error: { code, message: '', data } });
  expect(error(-32022, { requested: 'a', supported: [] })).toEqual([]);
  expect(error(-32022)).toMatchObject([{ path: ['error', 'data'] }]);
  expect(error(-32022, { requested: 'a' })).toMatchObject([{ path: ['error', 'data', 'supported'] }]);
  expect(error(-1, 7)).toEqual([]);
  expect(checkError('2025-11-25', { error: 'no' })).toMatchObject([{ kind: 'type', path: ['error'] }]);
});

test('treats names from Object.prototype as ordinary names', () => {
  expect(checkResult('2025-11-25', list, JSON.parse('{"result":{"tools":[],"__proto__":{"nextCursor":7}}}'))).toEqual(
    [],
  );
  expect(checkResult('2025-11-25', { method: 'constructor', params: 0 }, { result: {} })).toEqual([]);
});

test('checks an unknown version with the table of the version before it', () => {
  expect(['2024-10-07', '2025-06-18', '2025-07-01', '2099-01-01', ''].map(tableVersion)).toEqual([
    '2024-11-05',
    '2025-06-18',
    '2025-06-18',
    '2026-07-28',
    '2024-11-05',
  ]);
});

test.each(['', '|', 'a |', '{a', '(a | b', 'a]', '?'])('refuses the type %j', (text) => {
  expect(() => parseType(text)).toThrow(SyntaxError);
});
