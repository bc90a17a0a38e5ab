import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, type TestHttpTaps, testHttpTaps } from './test-http-tap';

let taps: TestHttpTaps;
beforeEach(async () => {
  taps = await testHttpTaps();
});
afterEach(() => taps.remove());

/** Starts a strict authorization server and a strict server: both know only the server's own URL. */
async function strictServers(more: object = {}) {
  const asked: string[] = [];
  const issuer = await taps.serve(async (request, response) => {
    const own = `http://${request.headers.host}`;
    const url = new URL(request.url!, own);
    let form = '';
    for await (const chunk of request) form += String(chunk);
    asked.push(`${request.method} ${request.url} ${form}`.trim());
    response.setHeader('content-type', 'application/json');
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      const endpoints = { authorization_endpoint: `${own}/authorize?x=1`, token_endpoint: `${own}/token` };
      response.end(JSON.stringify({ issuer: own, ...endpoints, registration_endpoint: `${own}/register`, ...more }));
    } else if (url.pathname === '/token') {
      const isFor = new URLSearchParams(form).get('resource') === `${server}/mcp`;
      response.writeHead(isFor ? 200 : 400).end(isFor ? '{"access_token":"acc3ss-for-the-server"}' : '{}');
    } else response.writeHead(404).end();
  });
  const server: string = await taps.serve((request, response) => {
    response.setHeader('content-type', 'application/json');
    const resource = `http://${request.headers.host}/mcp`;
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.end(JSON.stringify({ resource, authorization_servers: [issuer], scopes_supported: ['a'] }));
    } else {
      const isFine = request.headers.authorization === 'Bearer acc3ss-for-the-server';
      response.writeHead(isFine ? 200 : 401, { 'WWW-Authenticate': 'Bearer' }).end('{}');
    }
  });
  const tap = await taps.start(`${server}/mcp`);
  const { origin } = new URL(tap.url);
  const metadata = await ask(`${origin}/.well-known/oauth-protected-resource/mcp`, { method: 'GET' });
  return { asked, issuer, server, tap, origin, metadata: JSON.parse(metadata.body) };
}

test('a host gets a token that a strict server accepts, through the tap', async () => {
  const { asked, issuer, server, tap, origin, metadata } = await strictServers({
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  });
  expect(metadata).toEqual({ resource: tap.url, authorization_servers: [expect.any(String)], scopes_supported: ['a'] });
  const standIn = new URL(metadata.authorization_servers[0]);
  expect(standIn.origin).toBe(origin);
  const found = await ask(`${origin}/.well-known/oauth-authorization-server${standIn.pathname}`, { method: 'GET' });
  const shown = JSON.parse(found.body);
  expect(shown).toEqual({
    issuer: standIn.href,
    authorization_endpoint: `${standIn.href}/authorize`,
    token_endpoint: `${standIn.href}/token`,
    registration_endpoint: `${issuer}/register`,
    token_endpoint_auth_methods_supported: ['none'],
  });
  const query = `client_id=a%20b&state=s&resource=${encodeURIComponent(tap.url)}`;
  // The browser of the person comes from anywhere.
  const opened = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const redirect = await ask(`${shown.authorization_endpoint}?${query}`, { method: 'GET', headers: opened });
  const real = encodeURIComponent(`${server}/mcp`);
  expect([redirect.status, redirect.headers.location]).toEqual([
    302,
    `${issuer}/authorize?x=1&client_id=a%20b&state=s&resource=${real}`,
  ]);
  const form = `grant_type=authorization_code&code=c0de-of-the-host&resource=${encodeURIComponent(tap.url)}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const granted = await ask(shown.token_endpoint, { body: form, headers });
  expect([granted.status, granted.body]).toEqual([200, '{"access_token":"acc3ss-for-the-server"}']);
  expect(asked.at(-1)).toBe(`POST /token grant_type=authorization_code&code=c0de-of-the-host&resource=${real}`);
  const fine = await ask(tap.url, { body: '{}', headers: { authorization: 'Bearer acc3ss-for-the-server' } });
  expect(fine.status).toBe(200);
  await tap.close();
  const text = taps
    .names()
    .flatMap((name) => taps.lines(name))
    .join('\n');
  expect(text).toContain(`"url":"${issuer}/token"`);
  expect(text).not.toMatch(/acc3ss-for|c0de-of/);
});

test.each([
  ['names itself in its responses (RFC 9207)', { authorization_response_iss_parameter_supported: true }],
  ['takes pushed requests (RFC 9126)', { pushed_authorization_request_endpoint: 'https://as.example/par' }],
  ['has another issuer, which a host has to refuse', { issuer: 'https://evil.example' }],
  ['takes signed assertions only', { token_endpoint_auth_methods_supported: ['private_key_jwt'] }],
  ['has no safe endpoint', { token_endpoint: 'http://as.example/token' }],
  ['has a script as its page', { authorization_endpoint: 'javascript:alert(1)' }],
])('the tap does not stand in for an authorization server that %s', async (_what, more) => {
  const { issuer, tap, metadata } = await strictServers(more);
  expect(metadata).toMatchObject({ resource: tap.url, authorization_servers: [issuer] });
});

test('attack: the tap sends no token request to a server that it does not know', async () => {
  const { origin, asked } = await strictServers();
  const before = asked.length;
  const { status, body } = await ask(`${origin}/.mcp-inspect/as/0123456789abcdef/token`, { body: 'refresh_token=r' });
  expect([status, body]).toEqual([400, '{"error":"invalid_grant"}']);
  for (const path of ['authorize', '']) {
    expect((await ask(`${origin}/.mcp-inspect/as/x/${path}`, { method: 'GET' })).status).toBe(404);
  }
  expect(asked).toHaveLength(before);
});
