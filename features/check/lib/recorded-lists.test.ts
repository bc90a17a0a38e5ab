import { expect, test } from 'vitest';
import type { Frame } from '@/lib/wire/frame';
import { RecordedLists } from './recorded-lists';

function listsOf(...messages: readonly [direction: Frame['direction'], message: unknown][]) {
  const lists = new RecordedLists();
  for (const [at, [direction, message]] of messages.entries()) {
    const bytes = new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message));
    lists.addFrame({ seq: at + 1, time: at, channel: 'protocol', direction, flags: 0, bytes });
  }
  return lists;
}

const asks = (id: unknown, method: string, params?: object) => ['to-server', { id, method, params }] as const;
const says = (id: unknown, result: unknown) => ['to-client', { id, result }] as const;

test('joins the pages of a list', () => {
  const { listed, version } = listsOf(
    [...asks(0, 'initialize')],
    [...says(0, { protocolVersion: '2025-06-18' })],
    [...asks(1, 'tools/list')],
    [...says(1, { tools: [{ name: 'a' }], nextCursor: 'x' })],
    [...asks(2, 'tools/list', { cursor: 'x' })],
    [...says(2, { tools: [{ name: 'b' }, 5] })],
  );
  expect(listed).toEqual({ tools: [{ name: 'a' }, { name: 'b' }] });
  expect(version).toBe('2025-06-18');
});

test('keeps the newest list, and the version of a modern request', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const { listed, version } = listsOf(
    [...asks('a', 'resources/templates/list', { _meta })],
    [...says('a', { resourceTemplates: [{ name: 'old' }] })],
    [...asks('b', 'resources/templates/list', { _meta })],
    [...says('b', { resourceTemplates: [{ name: 'new' }] })],
  );
  expect(listed).toEqual({ templates: [{ name: 'new' }] });
  expect(version).toBe('2026-07-28');
});

test('ignores what is not an answer to a list', () => {
  const { listed } = listsOf(
    [...asks(1, 'tools/list')],
    ['to-client', 'not JSON'],
    [...says(2, { tools: [{ name: 'a' }] })],
    ['to-client', { id: 1, method: 'tools/list', result: { tools: [] } }],
    ['to-client', { id: 1, error: { code: 1 } }],
    [...says(1, { tools: [{ name: 'late' }] })],
  );
  expect(listed).toEqual({});
});
