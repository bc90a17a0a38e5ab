import { afterEach, describe, expect, test } from 'vitest';
import { PendingSignIns } from '../pending-sign-ins';
import { callbackRoute } from '../sign-in-callback';
import { PUBLIC_URL } from './attack-rows';
import { type Fixture, startFixture } from './fixture';

const signIn = { url: 'https://a.example/', state: 's'.repeat(43), issuer: 'https://a.example', scopes: [] };
const path = `/oauth/callback?code=c&state=${signIn.state}`;

let fixture: Fixture | undefined;
afterEach(() => fixture?.end());

async function start() {
  const signIns = new PendingSignIns();
  fixture = await startFixture({ routes: [callbackRoute(signIns)], publicUrl: PUBLIC_URL });
  const waiting = signIns.waitForCallback(signIn, new AbortController().signal);
  let taken = false;
  void waiting.then(() => {
    taken = true;
  });
  return { fixture, signIns, waiting, taken: () => taken };
}

describe('the callback of a sign-in', () => {
  test('needs no token, because it comes from another site', async () => {
    const { fixture: server, waiting } = await start();
    const answer = await server.ask('GET', path, { 'sec-fetch-site': 'cross-site', referer: 'https://a.example/' });
    expect(answer.status).toBe(200);
    expect((await waiting).get('code')).toBe('c');
    expect((await server.ask('GET', path)).status).toBe(400);
  });

  test('is served at the public URL, below its path', async () => {
    const { fixture: server, signIns, waiting } = await start();
    signIns.setRoot(server.server.pageUrl);
    const { pathname, host } = new URL(signIns.address!);
    expect(signIns.address).toBe('https://box.example:8443/tools/oauth/callback');
    const answer = await server.ask('GET', `${pathname}?code=c&state=${signIn.state}`, { host });
    expect(answer.status).toBe(200);
    expect((await waiting).get('code')).toBe('c');
  });

  test('is a page without script, form or link, and is not cached', async () => {
    const { fixture: server } = await start();
    const answer = await server.ask('GET', `${path}&x=<script>`);
    expect(answer.body).not.toMatch(/<script|<form|<a |http/i);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test.each([
    ['another host', 'GET', { host: 'evil.example' }, 403],
    ['an origin of another site', 'GET', { origin: 'https://a.example' }, 403],
    ['an opaque origin', 'GET', { origin: 'null' }, 403],
    ['a POST', 'POST', { 'content-type': 'application/json' }, 405],
    ['a preflight', 'OPTIONS', {}, 403],
    ['a HEAD', 'HEAD', {}, 400],
  ])('%s changes nothing', async (_, method, headers, status) => {
    const { fixture: server, taken } = await start();
    expect((await server.ask(method, path, { connection: 'close', ...headers })).status).toBe(status);
    expect(taken()).toBe(false);
  });
});
