import { expect, test } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { MOST_SESSIONS, requestingHost, TappedSessions } from './sessions';

interface Fake {
  readonly n: number;
  readonly name: string;
  isOpen: boolean;
  hasEndpoint: boolean;
}

function sessions() {
  const forgotten: number[] = [];
  let n = 0;
  const table = new TappedSessions<Fake>(
    (name = String(n)) => ({ n: ++n, name, isOpen: false, hasEndpoint: false }),
    (one) => forgotten.push(one.n),
  );
  const ask = (method: string, about: { id?: string; agent?: string; target?: string; message?: JsonObject } = {}) => {
    const { id, agent = 'node', target = '/mcp', message } = about;
    const headers = [
      ['User-Agent', agent],
      ['Accept', method === 'GET' ? 'text/event-stream' : 'application/json'],
      ...(id === undefined ? [] : [['Mcp-Session-Id', id]]),
    ] as [string, string][];
    return table.sessionOf({ method, target, headers, message });
  };
  return { table, ask, forgotten };
}

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' };
const modern = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    },
  },
});

test('a legacy session goes by its id, and another handshake of the same program begins another one', () => {
  const { table, ask } = sessions();
  const first = ask('POST', { message: initialize });
  first.isOpen = true;
  table.bindId(first, 'a');
  const second = ask('POST', { message: initialize });
  expect(second).not.toBe(first);
  table.bindId(second, 'b');
  expect(ask('GET', { id: 'a' })).toBe(first);
  expect(ask('POST', { id: 'b' })).toBe(second);
});

test('a probe, a refused handshake and a sign-in belong to the session that follows', () => {
  const { ask } = sessions();
  const probe = ask('POST', { message: { ...modern('x'), method: 'server/discover' } });
  expect(ask('POST', { message: initialize })).toBe(probe);
  expect(ask('GET', { target: '/.well-known/oauth-protected-resource' })).toBe(probe);
  expect(ask('POST', { message: initialize })).toBe(probe);
});

test('modern requests belong together by the name and version of the client', () => {
  const { ask } = sessions();
  const one = ask('POST', { message: modern('one') });
  one.isOpen = true;
  const two = ask('POST', { message: modern('two') });
  two.isOpen = true;
  expect(two).not.toBe(one);
  expect(ask('POST', { message: modern('one') })).toBe(one);
  expect(ask('POST', { message: modern('one'), agent: 'other' })).not.toBe(one);
});

test('each event stream of HTTP+SSE is a session, and messages go by its endpoint', () => {
  const { table, ask } = sessions();
  const first = ask('GET', { target: '/sse' });
  first.hasEndpoint = true;
  table.bindEndpoint(first, '/message?sessionId=1');
  const second = ask('GET', { target: '/sse' });
  expect(second).not.toBe(first);
  second.hasEndpoint = true;
  table.bindEndpoint(second, '/message?sessionId=2');
  expect(ask('POST', { target: '/message?sessionId=1', message: initialize })).toBe(first);
  expect(ask('POST', { target: '/message?sessionId=2', message: initialize })).toBe(second);
});

test('attack: any number of ids makes a bounded number of sessions', () => {
  const { ask, forgotten, table } = sessions();
  for (let n = 0; n < MOST_SESSIONS + 5; n++) ask('POST', { id: `s${n}`, agent: `a${n}` });
  expect([...table.all()]).toHaveLength(MOST_SESSIONS);
  expect(forgotten).toEqual([1, 2, 3, 4, 5]);
});

test('the host is named by its client information, or by its program', () => {
  const params = { clientInfo: { name: `claude\u0000-code${'x'.repeat(200)}` } };
  expect(requestingHost({ ...initialize, params }, [])).toBe(`claude-code${'x'.repeat(89)}`);
  expect(requestingHost(modern('zed'), [['User-Agent', 'undici']])).toBe('zed');
  expect(requestingHost(undefined, [['User-Agent', 'cursor/1.2 (linux)']])).toBe('cursor');
  expect([requestingHost(initialize, [['User-Agent', 'node']]), requestingHost(undefined, [])]).toEqual([
    undefined,
    undefined,
  ]);
});

test('attack: a client whose name can’t become text is a client like any other', () => {
  const { ask } = sessions();
  const odd = modern({ toString: 1, valueOf: 1 } as unknown as string);
  expect(() => ask('POST', { message: odd })).not.toThrow();
});
