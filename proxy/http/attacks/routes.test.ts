import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOKEN_HEADER } from '@/lib/wire/api';
import type { RouteShape } from '../guard';
import { PendingSignIns } from '../pending-sign-ins';
import { createRoutes, ROUTE_NAMES } from '../routes';
import { callbackRoute } from '../sign-in-callback';
import { type Fixture, startFixture } from './fixture';

const TABLE: readonly RouteShape[] = createRoutes(
  {
    connections: () => [],
    servers: async () => ({ servers: [], skipped: [], hosts: {} }),
    environment: () => ({ cwd: '', platform: '', allowlist: [], shell: [], redirectUri: '' }),
  },
  { redeem: async () => undefined, renew: () => {} },
  [callbackRoute(new PendingSignIns())],
);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.end());

function ask(route: RouteShape, token?: string) {
  const origin = `http://127.0.0.1:${fixture.port}`;
  const upgrade = {
    origin,
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-version': '13',
    'sec-websocket-protocol': `mcp-inspect.1${token ? `, bearer.${token}` : ''}`,
  };
  const plain = { 'content-type': 'application/json', ...(token && { [TOKEN_HEADER]: token }) };
  return fixture.ask(route.method, route.path, route.upgrade ? upgrade : plain, route.method === 'POST' ? '{}' : '');
}

describe('attack: the whole route table', () => {
  test('has three open routes: two need a secret of their own, the third only reveals that mcp-inspect is here', () => {
    const open = TABLE.filter((route) => route.access !== 'token').map((route) => route.path);
    expect(open).toEqual(['/host.json', '/launch', '/oauth/callback']);
  });

  test('has no path that a public URL could begin with', () => {
    const paths = TABLE.map(({ path }) => path);
    expect([...new Set(paths.map((path) => path.split('/')[1]))].sort()).toEqual([...ROUTE_NAMES].sort());
  });

  test.each(TABLE.filter((route) => route.access === 'token'))('$method $path needs the token', async (route) => {
    expect((await ask(route)).status).toBe(401);
    const answer = await ask(route, fixture.token);
    expect(answer.status).toBe(route.upgrade ? 101 : 200);
  });

  test('the page and its files need no token', async () => {
    for (const path of ['/', '/index.html', '/_next/static/app.js']) {
      expect((await fixture.ask('GET', path)).status).toBe(200);
    }
  });
});

test('the API answers with JSON that must not be cached', async () => {
  const answer = await fixture.ask('GET', '/api/environment', { [TOKEN_HEADER]: fixture.token });
  expect(JSON.parse(answer.body)).toEqual({ cwd: '/', platform: 'test', allowlist: [], shell: [], redirectUri: '' });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('HEAD gets the headers only', async () => {
  const answer = await fixture.ask('HEAD', '/', { connection: 'close' });
  expect(answer.status).toBe(200);
  expect(answer.body).toBe('');
});
