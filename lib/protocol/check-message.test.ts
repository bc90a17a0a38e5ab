import { expect, test } from 'vitest';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { checkError, checkParams, checkResult, structureFaults, tableVersion } from './check-message';
import { parseType } from './compile';

const listed = (tool: object) => ({ result: { tools: [{ name: 'a', inputSchema: { type: 'object' }, ...tool }] } });
const list = { method: 'tools/list', params: undefined };

test.each([
  ['required members only', {}, []],
  ['a wrong type', { title: 7 }, [{ kind: 'type', path: ['result', 'tools', 0, 'title'], expected: 'a string' }]],
  [
    'an unlisted value in an array',
    { icons: [{ src: 'x', theme: 'blue' }] },
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
  expect(said({ type: 'text', text: 'x' }, { type: 'image', data: '', mimeType: 'a/b' })).toEqual([]);
  expect(said({ type: 'text' })).toEqual([
    { kind: 'missing', path: ['result', 'content', 0, 'text'], expected: 'required' },
  ]);
  expect(said({ type: 'video' })).toMatchObject([{ kind: 'value', path: ['result', 'content', 0, 'type'] }]);
  expect(said({})).toMatchObject([{ kind: 'missing', path: ['result', 'content', 0, 'type'] }]);
});

test('checks a result by its type and its request', () => {
  const ask = { result: { resultType: 'input_required', requestState: 'x' } };
  expect(checkResult('2026-07-28', { method: 'tools/call', params: {} }, ask)).toEqual([]);
  expect(
    checkResult('2026-07-28', { method: 'tools/list', params: {} }, { result: { resultType: 'complete' } }),
  ).toHaveLength(3);
  const task = { taskId: '1', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null };
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
