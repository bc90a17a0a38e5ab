import { expect, test } from 'vitest';
import type { Direction } from '@/lib/wire/frame';
import { compilePassing, PASSING_KEYS } from './passing-filter';
import { readPassing } from './passing-message';

const requests = (_direction: Direction, id: string | number) =>
  id === 1 ? { method: 'tools/call', name: 'echo' } : undefined;

function matches(filter: string, message: unknown, direction: Direction = 'to-client'): boolean {
  const test = compilePassing(filter);
  if (typeof test === 'string') throw new Error(test);
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const frame = readPassing(direction, new TextEncoder().encode(text), requests);
  return frame.messages.some(test(frame));
}

const call = {
  jsonrpc: '2.0',
  id: 'c-1',
  method: 'tools/call',
  params: { name: 'get-user', arguments: { q: 'Älter' } },
};
const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 'x' } };

test.each([
  ['method:tools/*', call, true],
  ['method:tools/list', call, false],
  ['tool:get-*', call, true],
  ['tool:echo', { jsonrpc: '2.0', id: 1, result: {} }, true],
  ['tool:echo', { jsonrpc: '2.0', id: 2, result: {} }, false],
  ['prompt:get-user', call, false],
  ['prompt:greet', { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'greet' } }, true],
  ['uri:file:///*', { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///a' } }, true],
  ['name:get-user', call, true],
  ['kind:request', call, true],
  ['kind:response', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, true],
  ['kind:result', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, false],
  ['kind:error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, true],
  ['kind:notification', log, true],
  ['kind:batch', [call], true],
  ['kind:batch', call, false],
  ['kind:junk', 'Hello', true],
  ['kind:junk', '3', true],
  ['status:ok', { jsonrpc: '2.0', id: 1, result: {} }, true],
  ['status:isError', { jsonrpc: '2.0', id: 1, result: { isError: true } }, true],
  ['status:ok', { jsonrpc: '2.0', id: 1, result: { isError: true } }, false],
  ['status:error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, true],
  ['dir:to-client', call, true],
  ['dir:to-server', call, false],
  ['id:c-*', call, true],
  ['id:1', { jsonrpc: '2.0', id: 1, result: {} }, true],
  ['id:"1"', { jsonrpc: '2.0', id: 1, result: {} }, false],
  ['level:>=warning', log, true],
  ['level:debug', log, false],
  ['size:<1kb', call, true],
  ['size:>1kb', call, false],
  ['älter', call, true],
  ['"get-user" or nothing', call, true],
  ['-method:tools/*', call, false],
  ['(tool:echo or tool:get-user) -level:error', call, true],
  ['', call, true],
] as const)('%s', (filter, message, expected) => {
  expect(matches(filter, message)).toBe(expected);
});

test('takes a batch if it takes one of its messages', () => {
  expect(matches('tool:get-user', [{ jsonrpc: '2.0', method: 'x' }, call])).toBe(true);
  expect(matches('tool:get-user method:x', [{ jsonrpc: '2.0', method: 'x' }, call])).toBe(false);
});

test.each(['duration:>1s', 'is:failed', 'channel:stderr', 'nothing:1'])('names the keys that work: %s', (filter) => {
  const fault = compilePassing(filter) as string;
  expect(fault).toContain(`${filter.split(':')[0]}: is not known as a message passes.`);
  for (const key of PASSING_KEYS) expect(fault).toContain(`${key}:`);
});

test.each([
  ['status:in-flight', 'status: must be ok, error or isError here.'],
  ['kind:stderr', 'kind: must be request'],
  ['size:big', 'size: needs a number of bytes'],
  ['level:loud', 'level: must be debug'],
  ['(method:x', 'This ( is not closed'],
  ['/a+/', 'A rule can’t have regular expressions'],
  ['a or -(/a+/)', 'A rule can’t have regular expressions'],
])('explains the error in %s', (filter, message) => {
  expect(compilePassing(filter)).toContain(message);
});
