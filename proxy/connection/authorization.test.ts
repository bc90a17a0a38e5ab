import { describe, expect, test, vi } from 'vitest';
import { Credentials, type Grant } from '@/lib/auth/credentials';
import type { Connection } from '@/lib/hub/connection';
import { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import type { Target, UrlTarget } from '@/lib/wire/command';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { PendingSignIns } from '@/proxy/http/pending-sign-ins';
import { json } from './fixtures/http-fixture';
import { type OAuthFixture, type OAuthOptions, startOAuth } from './fixtures/oauth-fixture';
import type { Launch } from './launch';
import { openHub, type TestTab } from './test-hub';

const open = closedAfterEach();

async function start(options: Partial<OAuthOptions> = {}) {
  const oauth = await startOAuth(options);
  const signIns = new PendingSignIns();
  signIns.setRoot('http://127.0.0.1:6270/');
  const hub = await openHub(systemClock, undefined, { store: new Credentials(), signIn: signIns });
  open.push(oauth, hub);
  const tab = await hub.tab();
  const target: UrlTarget = { transport: 'auto', url: oauth.url };
  /** Returns the URL where the tab can sign in. */
  const address = async (): Promise<string> => {
    await tab.until(() => urlIn(tab) !== undefined);
    return urlIn(tab)!;
  };
  /** Signs in like a person once the tab is asked to. */
  const signIn = async (): Promise<URL> => {
    const url = new URL(await address());
    const back = await oauth.visit(url.href);
    expect(signIns.handleCallback(back.search.slice(1))).toBe(true);
    return url;
  };
  return { oauth, signIns, tab, target, address, signIn, hub: hub.hub };
}

function urlIn(tab: TestTab): string | undefined {
  return tab.events.filter((event) => event.type === 'connection').at(-1)?.connection.signInUrl;
}

function steps(tab: TestTab): string[] {
  return tab
    .texts('lifecycle')
    .map((text) => JSON.parse(text))
    .filter(({ event }) => event === 'authorization')
    .map(({ phase, by, code }) => [phase, by ?? code].filter(Boolean).join(' '));
}

/** Connects and waits for `event` during a sign-in. */
async function connect(tab: TestTab, target: Target, signIn: () => Promise<unknown>, event = 'open') {
  const [connection] = await Promise.all([tab.connect(target, event), signIn()]);
  return connection;
}

function everything(tab: TestTab): string {
  const channels = ['http', 'lifecycle', 'protocol'] as const;
  return channels.flatMap((channel) => tab.texts(channel)).join('\n');
}

function answered(tab: TestTab, seq: number): () => boolean {
  return () => {
    const log = new Log('c');
    log.append(tab.frames);
    return log.exchange(seq)?.status === 'ok';
  };
}

test('signs in to a server that asks, and then goes on', async () => {
  const { oauth, tab, target, signIn } = await start();
  await connect(tab, target, signIn);
  expect(steps(tab)).toEqual(['needed', 'granted sign-in']);
  expect(oauth.asked).toEqual([
    'GET /.well-known/oauth-authorization-server',
    'POST /register',
    'GET /authorize',
    'POST /token',
  ]);
  const token = new URLSearchParams(oauth.issuer.of('POST')[1]!.text);
  expect(Object.fromEntries(token)).toMatchObject({
    client_id: 'registered',
    redirect_uri: 'http://127.0.0.1:6270/oauth/callback',
    resource: oauth.url,
  });
  expect(oauth.issuer.of('POST')[0]!.message).toMatchObject({
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://127.0.0.1:6270/oauth/callback'],
  });
  // The refused probe was sent again within its exchange, so its message is in the log once.
  expect(tab.texts('protocol').filter((text) => text.includes('"server/discover"'))).toHaveLength(1);
});

test('removes tokens from everything that leaves the log', async () => {
  const { oauth, tab, target, signIn, hub } = await start();
  const connection = hub.get(await connect(tab, target, signIn)) as Connection<Launch>;
  const { number } = /secret-token-(?<number>\d+)/.exec(oauth.server.of('POST').at(-1)!.headers.authorization ?? '')!
    .groups!;
  const said = `secret-token-${number} secret-refresh-${number}`;
  const left = connection.redactor.apply({ bytes: new TextEncoder().encode(said) });
  expect(new TextDecoder().decode(left.bytes)).not.toMatch(/secret-[tr]/);
});

test('logs every OAuth request with its body, without secrets', async () => {
  const { tab, target, signIn } = await start();
  await connect(tab, target, signIn);
  const log = everything(tab);
  expect(log).toContain('/register');
  expect(log).toContain('grant_type=authorization_code');
  expect(log).toContain('\\"token_type\\":\\"Bearer\\"');
  expect(log).not.toContain('secret-');
  const http = tab.texts('http').map((text) => JSON.parse(text));
  const about = http.filter(({ kind, about }) => kind === 'request' && about === 'authorization');
  expect(about.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST']);
  // Only the summary has the URL, since it would let somebody else finish the sign-in.
  const [needed] = tab.texts('lifecycle').filter((text) => text.includes('"phase":"needed"'));
  expect(needed).toContain('state=•••');
});

test('a second connection uses the first one’s tokens', async () => {
  const { oauth, tab, target, signIn } = await start();
  await connect(tab, target, signIn);
  const asked = oauth.asked.length;
  await tab.connect(target);
  await tab.until(() => steps(tab).includes('granted earlier'));
  expect(oauth.asked).toHaveLength(asked);
});

test('renews an expired token without a person', async () => {
  const { oauth, tab, target, signIn } = await start();
  const connection = await connect(tab, target, signIn);
  oauth.good.clear();
  const done = await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
  await tab.until(answered(tab, (done as { seq: number }).seq));
  expect(steps(tab)).toEqual(['needed', 'granted sign-in', 'granted refresh']);
  expect(everything(tab)).not.toContain('secret-');
});

test('signs in again if the refresh token is refused', async () => {
  const { oauth, tab, target, signIn } = await start();
  const connection = await connect(tab, target, signIn);
  oauth.good.clear();
  oauth.options.noRefresh = true;
  const done = await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
  await signIn();
  await tab.until(answered(tab, (done as { seq: number }).seq));
  expect(steps(tab)).toEqual(['needed', 'granted sign-in', 'needed', 'granted sign-in']);
});

test('requests the token’s scopes and those that the server names, if the token covers too little', async () => {
  const { oauth, tab, target, signIn } = await start({ needs: ['admin'], resource: { scopes_supported: ['read'] } });
  const connection = await connect(tab, target, signIn);
  const done = await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
  const url = await signIn();
  expect(url.searchParams.get('scope')).toBe('read admin');
  await tab.until(answered(tab, (done as { seq: number }).seq));
  // It gives up if that was not enough either.
  for (const scopes of oauth.good.values()) scopes.splice(0);
  await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
  await tab.until(() => steps(tab).includes('refused scope-refused'));
});

test('signs in once for many refused requests', async () => {
  const { oauth, tab, target, signIn } = await start();
  const connection = await connect(tab, target, signIn);
  oauth.good.clear();
  oauth.options.noRefresh = true;
  const call = { type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' };
  const done = await Promise.all([tab.ask(call), tab.ask(call), tab.ask(call)]);
  await signIn();
  for (const { seq } of done as { seq: number }[]) await tab.until(answered(tab, seq));
  expect(steps(tab)).toEqual(['needed', 'granted sign-in', 'needed', 'granted sign-in']);
});

test('signing out forgets the tokens in every connection to the server', async () => {
  const { tab, target, signIn } = await start();
  const connection = await connect(tab, target, signIn);
  expect(await tab.ask({ type: 'sign-out', connection })).toMatchObject({ type: 'done' });
  await tab.until(() => steps(tab).at(-1) === 'signed-out');
  expect(await tab.ask({ type: 'sign-out', connection })).toMatchObject({ type: 'error', code: 'not-signed-in' });
  await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
  await signIn();
  await tab.until(() => steps(tab).at(-1) === 'granted sign-in');
});

test('a sign-in can be cancelled', async () => {
  const { tab, target, address } = await start();
  const connecting = tab.connect(target, 'failed');
  await address();
  const summary = tab.events.filter((event) => event.type === 'connection').at(-1)!.connection;
  expect(await tab.ask({ type: 'cancel-sign-in', connection: summary.id })).toMatchObject({ type: 'done' });
  const connection = await connecting;
  expect(steps(tab)).toEqual(['needed', 'refused sign-in-cancelled']);
  expect(tab.texts('lifecycle').join()).toContain('"code":"sign-in-cancelled"');
  expect(urlIn(tab)).toBeUndefined();
  expect(await tab.ask({ type: 'cancel-sign-in', connection })).toMatchObject({ type: 'error', code: 'no-sign-in' });
});

test('closing the connection ends the wait, and ignores the late callback', async () => {
  const { oauth, signIns, tab, target, address } = await start();
  void tab.connect(target);
  const back = await oauth.visit(await address());
  const { id } = tab.events.filter((event) => event.type === 'connection').at(-1)!.connection;
  await tab.ask({ type: 'close', connection: id });
  expect(signIns.handleCallback(back.search.slice(1))).toBe(false);
});

test('uses a client that was registered by hand unchanged', async () => {
  const { oauth, tab, target, signIn } = await start({ metadata: { registration_endpoint: undefined } });
  const client = { clientId: 'mine', clientSecret: 'secret-of-client', scope: 'just this' };
  await connect(tab, { ...target, client }, async () => {
    const url = await signIn();
    expect(url.searchParams.get('client_id')).toBe('mine');
    expect(url.searchParams.get('scope')).toBe('just this');
  });
  const [token] = oauth.issuer.of('POST');
  expect(token!.headers.authorization).toBe(`Basic ${Buffer.from('mine:secret-of-client').toString('base64')}`);
  expect(everything(tab)).not.toContain('secret-of-client');
});

test('sends the secret of a client registered by hand only to its first issuer', async () => {
  const { oauth, tab, target, signIn } = await start();
  const other = await startOAuth();
  open.push(other);
  const client = { clientId: 'mine', clientSecret: 'secret-of-client' };
  const connection = await connect(tab, { ...target, client }, signIn);
  oauth.good.clear();
  oauth.options.resource = { authorization_servers: [other.issuer.origin] };
  await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
  await tab.until(() => steps(tab).includes('refused issuer-changed'));
  expect(other.asked).toEqual(['GET /.well-known/oauth-authorization-server']);
});

/** Replaces the authorization server's answers to refreshes until the returned function is called. */
function refuseRefreshes(oauth: OAuthFixture, status: number, error: string): () => void {
  const answer = oauth.answerIssuer.bind(oauth);
  oauth.answerIssuer = (seen, response) => {
    if (seen.text.includes('grant_type=refresh_token')) json(response, { error }, status);
    else answer(seen, response);
  };
  return () => {
    oauth.answerIssuer = answer;
  };
}

function registrations(oauth: OAuthFixture): number {
  return oauth.asked.filter((asked) => asked === 'POST /register').length;
}

const CALL = { type: 'request', method: 'tools/call', params: '{"name":"echo"}' };

describe('a client that is no longer known', () => {
  test('is registered again when a refresh fails, before the person has to sign in', async () => {
    const { oauth, tab, target, signIn } = await start();
    const connection = await connect(tab, target, signIn);
    oauth.good.clear();
    refuseRefreshes(oauth, 401, 'invalid_client');
    const done = await tab.ask({ ...CALL, connection });
    await signIn();
    await tab.until(answered(tab, (done as { seq: number }).seq));
    expect(registrations(oauth)).toBe(2);
  });

  test('is registered again after a sign-in that nobody finished', async () => {
    const { oauth, tab, target, address, signIn } = await start();
    const connecting = tab.connect(target, 'failed');
    await address();
    const { id } = tab.events.filter((event) => event.type === 'connection').at(-1)!.connection;
    await tab.ask({ type: 'cancel-sign-in', connection: id });
    await connecting;
    await connect(tab, target, signIn);
    expect(registrations(oauth)).toBe(2);
  });

  test('is forgotten by signing out, even without a grant', () => {
    const store = new Credentials();
    const grant: Grant = { issuer: 'https://a', clientId: 'c', accessToken: 't', scopes: [], by: 'sign-in' };
    store.keepClient('https://a', 'http://back', 'owner', { client_id: 'c' });
    store.keepGrant('https://s', 'owner', grant);
    store.dropGrant('owner', grant);
    expect(store.signOut('https://s')).toBe(true);
    expect(store.client('https://a', 'http://back', 'owner')).toBeUndefined();
    expect(store.signOut('https://s')).toBe(false);
  });
});

test('keeps a refresh token while the authorization server fails', async () => {
  const { oauth, tab, target, address, signIn } = await start();
  const connection = await connect(tab, { ...target, client: { clientId: 'mine' } }, signIn);
  oauth.good.clear();
  const recover = refuseRefreshes(oauth, 503, 'server_error');
  await tab.ask({ ...CALL, connection });
  await address();
  await tab.ask({ type: 'cancel-sign-in', connection });
  await tab.until(() => steps(tab).at(-1) === 'refused sign-in-cancelled');
  recover();
  await tab.ask({ ...CALL, connection });
  await tab.until(() => steps(tab).at(-1) === 'granted refresh');
});

test('two connections that renew at once share the new token', async () => {
  const { oauth, tab, target, signIn } = await start();
  const one = await connect(tab, target, signIn);
  const other = await tab.connect(target);
  oauth.good.clear();
  const answer = oauth.answerIssuer.bind(oauth);
  const held: (() => void)[] = [];
  oauth.answerIssuer = (seen, response) => {
    const refreshes = seen.text.includes('grant_type=refresh_token');
    if (refreshes && held.length === 0) held.push(() => json(response, { error: 'invalid_grant' }, 400));
    else answer(seen, response);
  };
  const renewed = () => steps(tab).filter((step) => step === 'granted refresh').length;
  await tab.ask({ ...CALL, connection: one });
  await vi.waitUntil(() => held.length === 1);
  await tab.ask({ ...CALL, connection: other });
  await tab.until(() => renewed() === 1);
  held[0]!();
  await tab.until(() => renewed() === 2);
  expect(steps(tab).filter((step) => step === 'needed')).toHaveLength(1);
});

test('drops only the refused grant, not a newer one', () => {
  const store = new Credentials();
  const old: Grant = { issuer: 'https://a', clientId: 'c', accessToken: 'old', scopes: [], by: 'sign-in' };
  const renewed: Grant = { ...old, accessToken: 'new', by: 'refresh' };
  store.keepGrant('https://s', 'owner', old);
  store.keepGrant('https://s', 'owner', renewed);
  store.dropGrant('owner', old);
  expect(store.currentGrant('https://s', 'owner')).toBe(renewed);
});

test.each<[string, Partial<UrlTarget>, Partial<UrlTarget>]>([
  ['certificates are not checked', {}, { tls: { insecure: true } }],
  [
    'another client secret was given',
    { client: { clientId: 'mine', clientSecret: 'secret-a' } },
    { client: { clientId: 'mine', clientSecret: 'secret-b' } },
  ],
])('shares nothing with a connection where %s', async (_, one, other) => {
  const { tab, target, signIn, oauth } = await start();
  await connect(tab, { ...target, ...one }, signIn);
  const before = oauth.asked.length;
  await connect(tab, { ...target, ...other }, signIn);
  expect(oauth.asked.slice(before)).toContain('GET /authorize');
  expect(steps(tab)).not.toContain('granted earlier');
  expect(steps(tab)).not.toContain('granted refresh');
});

test('requests scopes again that were not granted', async () => {
  const { tab, target, signIn, address } = await start({ needs: ['admin'] });
  const connection = await connect(tab, target, signIn);
  await tab.ask({ ...CALL, connection });
  await address();
  await tab.ask({ type: 'cancel-sign-in', connection });
  await tab.until(() => steps(tab).at(-1) === 'refused sign-in-cancelled');
  const done = await tab.ask({ ...CALL, connection });
  const url = await signIn();
  expect(url.searchParams.get('scope')).toContain('admin');
  await tab.until(answered(tab, (done as { seq: number }).seq));
});

test('tries the next guessed address if one of them redirects', async () => {
  const { oauth, tab, target } = await start();
  const answer = oauth.answerIssuer.bind(oauth);
  oauth.answerIssuer = (seen, response) => {
    if (!seen.url.startsWith('/.well-known/oauth-authorization-server')) return answer(seen, response);
    response.writeHead(302, { location: `${oauth.server.origin}/elsewhere` }).end();
  };
  await tab.connect(target, 'failed');
  expect(oauth.asked).toContain('GET /.well-known/openid-configuration');
  expect(steps(tab)).toEqual(['refused redirect-refused']);
});

test('signs in where only OpenID metadata exists, without members that are not used', async () => {
  const { oauth, tab, target, signIn } = await start();
  const { origin } = oauth.issuer;
  const answer = oauth.answerIssuer.bind(oauth);
  oauth.answerIssuer = (seen, response) => {
    if (seen.url.startsWith('/.well-known/oauth-authorization-server')) response.writeHead(404).end();
    else if (seen.url === '/.well-known/openid-configuration') {
      json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ['S256'],
      });
    } else if (seen.url === '/register') json(response, { client_id: 'registered' });
    else answer(seen, response);
  };
  await connect(tab, target, signIn);
  expect(steps(tab)).toEqual(['needed', 'granted sign-in']);
});

describe('a person’s own Authorization header', () => {
  test('is never replaced, and its refusal is explained', async () => {
    const { oauth, tab, target } = await start();
    await tab.connect({ ...target, headers: { authorization: 'Bearer wrong' } }, 'failed');
    expect(steps(tab)).toEqual([]);
    expect(oauth.asked).toEqual([]);
    const failed = tab.texts('lifecycle').find((text) => text.includes('"event":"failed"'))!;
    expect(JSON.parse(failed)).toMatchObject({
      code: 'http-unauthorized',
      advice: 'Check your Authorization header.',
    });
  });

  test('is used if it is valid', async () => {
    const { oauth, tab, target } = await start();
    oauth.good.set('mine', []);
    await tab.connect({ ...target, headers: { Authorization: 'Bearer mine' } });
    expect(oauth.asked).toEqual([]);
  });
});

describe('a sign-in fails on', () => {
  test.each<[string, string, Partial<OAuthOptions>]>([
    ['metadata for another server', 'resource-mismatch', { resource: { resource: 'https://other.example/mcp' } }],
    ['a different issuer', 'issuer-mismatch', { metadata: { issuer: 'https://other.example' } }],
    ['no PKCE', 'no-pkce', { metadata: { code_challenge_methods_supported: undefined } }],
    ['no way to register a client', 'no-client', { metadata: { registration_endpoint: undefined } }],
    [
      'invalid metadata of the authorization server',
      'authorization-metadata',
      { metadata: { response_types_supported: 1 } },
    ],
    [
      'a registration without a client id',
      'registration-invalid',
      { registration: { client_id: undefined, client_id_issued_at: 1 } },
    ],
  ])('%s', async (_, code, options) => {
    const { tab, target } = await start(options);
    await tab.connect(target, 'failed');
    expect(steps(tab)).toEqual([`refused ${code}`]);
    expect(urlIn(tab)).toBeUndefined();
  });

  test.each<[string, string, Partial<OAuthOptions>]>([
    ['another issuer', 'issuer-mismatch', { callback: { iss: 'https://other.example' } }],
    ['no issuer although the metadata promises one', 'issuer-mismatch', { callback: { iss: undefined } }],
    ['an error', 'sign-in-refused', { callback: { code: undefined, error: 'access_denied' } }],
    ['neither code nor error', 'sign-in-refused', { callback: { code: undefined } }],
    ['an invalid code', 'token-refused', { callback: { code: 'made-up' } }],
  ])('a callback with %s', async (_, code, options) => {
    const { oauth, tab, target, signIn } = await start(options);
    await connect(tab, target, signIn, 'failed');
    expect(steps(tab)).toEqual(['needed', `refused ${code}`]);
    if (code === 'issuer-mismatch') expect(oauth.asked).not.toContain('POST /token');
  });

  test.each<[string, string, Partial<OAuthOptions>]>([
    ['of another type', 'token-type', { token: { token_type: 'DPoP' } }],
    ['response without a type', 'token-invalid', { token: { token_type: undefined } }],
    ['that would inject a header', 'token-refused', { token: { access_token: 'a\r\nX-Evil: 1' } }],
    ['that the server refuses', 'token-rejected', { token: { access_token: 'useless' } }],
  ])('a token %s', async (_, code, options) => {
    const { tab, target, signIn } = await start(options);
    await connect(tab, target, signIn, 'failed');
    expect(steps(tab).at(-1)).toBe(`refused ${code}`);
  });
});
