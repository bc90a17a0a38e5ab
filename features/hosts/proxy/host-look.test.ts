import { expect, test } from 'vitest';
import { exchangesOf } from '@/lib/doctor/exchange-facts';
import { initialized, json } from '@/proxy/connection/fixtures/http-fixture';
import { hostSession } from '../lib/host-session';
import { withoutVersionHeader } from '../lib/looks/http';
import { logWith, type Script } from './test-host-sessions';

test('a server that gives everybody the same session keeps that of the connection', async () => {
  let isOver = false;
  const script: Script = {
    results: { search: { content: [] } },
    first: ({ method }, response) => {
      if (method === 'DELETE') isOver = true;
      return isOver && Boolean(response.writeHead(404).end());
    },
  };
  const log = await logWith(script);
  expect(hostSession(log).calls).toMatchObject([{ tool: 'search', result: { isError: false } }]);
  expect(exchangesOf(log).filter(({ request }) => request.method === 'DELETE')).toHaveLength(1);
});

test('a session of its own is ended', async () => {
  const ended: unknown[] = [];
  let sessions = 0;
  await logWith({
    first: ({ method, message, headers }, response) => {
      if (method === 'DELETE') ended.push(headers['mcp-session-id']);
      if (message?.method !== 'initialize') return false;
      json(response, initialized(message.id, { tools: {} }), 200, { 'Mcp-Session-Id': `s-${++sessions}` });
      return true;
    },
  });
  expect(ended).toEqual(['s-2', 's-1']);
});

test('the token of a sign-in goes with the requests of hosts', async () => {
  const seen = async (script: Script) => withoutVersionHeader(hostSession(await logWith(script)));
  expect(await seen({ signIn: { asClient: true } })).toBe('holds');
});
