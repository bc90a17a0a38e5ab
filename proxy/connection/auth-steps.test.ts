import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Credentials } from '@/lib/auth/credentials';
import { authorizationIn } from '@/lib/auth-steps/auth-steps';
import { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { PendingSignIns } from '@/proxy/http/pending-sign-ins';
import { json, startHttp } from './fixtures/http-fixture';
import { type OAuthOptions, startOAuth } from './fixtures/oauth-fixture';
import { openHub } from './test-hub';

const open = closedAfterEach();

async function start(options: Partial<OAuthOptions> = {}, client?: ClientSettings) {
  const oauth = await startOAuth(options);
  const signIns = new PendingSignIns();
  signIns.setRoot('http://127.0.0.1:6270/');
  const hub = await openHub(systemClock, undefined, { store: new Credentials(), signIn: signIns });
  open.push(oauth, hub);
  const tab = await hub.tab();
  const signInUrl = () => tab.events.filter((event) => event.type === 'connection').at(-1)?.connection.signInUrl;
  /** Signs in like a person once the tab is asked to. */
  const signIn = async () => {
    await tab.until(() => signInUrl() !== undefined);
    const back = await oauth.visit(signInUrl()!);
    expect(signIns.handleCallback(back.search.slice(1))).toBe(true);
    await tab.until(() => signInUrl() === undefined);
  };
  const connect = async (event = 'open') => {
    const connecting = tab.connect({ transport: 'auto', url: oauth.url, ...(client && { client }) }, event);
    if (event === 'open' && client?.grant === undefined) await signIn();
    return connecting;
  };
  const connection = await connect(options.metadata?.issuer === 'wrong' ? 'failed' : 'open');
  const run = (step: string) => tab.ask({ type: 'auth-step', connection, step });
  const events = () => tab.texts('lifecycle').map((text) => JSON.parse(text));
  const everything = () => (['http', 'lifecycle', 'protocol'] as const).flatMap((one) => tab.texts(one)).join('\n');
  /** Returns what the page derives from the log. */
  const seen = () => {
    const log = new Log('c');
    log.append(tab.frames);
    return authorizationIn(log);
  };
  const kinds = () => seen().steps.map(({ kind, outcome }) => `${kind} ${outcome}`);
  /** Runs a step, and returns the new requests to the authorization server. */
  const requestsOf = async (step: string) => {
    const before = oauth.asked.length;
    expect(await run(step)).toMatchObject({ type: 'done' });
    return oauth.asked.slice(before);
  };
  return { oauth, tab, connection, run, requestsOf, events, everything, signIn, seen, kinds };
}

test('each step that needs no person runs alone and again, and is logged without secrets', async () => {
  const { oauth, requestsOf, events, everything } = await start({ revokes: true });
  const resource = () => oauth.server.seen.filter(({ url }) => url.startsWith('/.well-known/')).length;
  const before = resource();
  for (const _ of [1, 2]) {
    expect(await requestsOf('resource-metadata')).toEqual([]);
    expect(await requestsOf('server-metadata')).toEqual(['GET /.well-known/oauth-authorization-server']);
    expect(await requestsOf('register')).toEqual(['POST /register']);
    expect(await requestsOf('refresh')).toEqual(['POST /token']);
    expect(await requestsOf('revoke')).toEqual(['POST /revoke', 'POST /revoke']);
  }
  expect(resource()).toBe(before + 2);
  const steps = events().filter(({ event }) => event === 'auth-step');
  expect(steps.slice(0, 4).map(({ step, phase }) => `${step} ${phase}`)).toEqual([
    'resource-metadata started',
    'resource-metadata done',
    'server-metadata started',
    'server-metadata done',
  ]);
  expect(events().filter(({ by }) => by === 'refresh')).toHaveLength(2);
  const log = everything();
  expect(log).toContain('token_type_hint=refresh_token');
  expect(log).not.toMatch(/secret-/);
});

test('signs in again with the metadata that is known', async () => {
  const { requestsOf, signIn, events, everything } = await start();
  const [asked] = await Promise.all([requestsOf('sign-in'), signIn()]);
  expect(asked).toEqual(['GET /authorize', 'POST /token']);
  expect(events().filter(({ by }) => by === 'sign-in')).toHaveLength(2);
  const [callback] = events().filter(({ event }) => event === 'auth-callback');
  expect(callback.parameters).toContainEqual(['code', '•••']);
  expect(callback.parameters.map(([name]: readonly [string]) => name)).toContain('iss');
  expect(everything()).not.toContain('secret-');
});

test('a code that was used is refused when it is sent again', async () => {
  const { run, everything } = await start();
  expect(await run('exchange')).toMatchObject({ type: 'error', code: 'token-refused' });
  expect(everything()).toContain('"phase":"failed"');
  expect(everything()).not.toContain('secret-');
});

test('a corrupted token is refused, and the real handling of a 401 follows', async () => {
  const { oauth, tab, run, events, everything } = await start();
  expect(await run('corrupt')).toMatchObject({ type: 'done' });
  const before = oauth.server.of('POST').length;
  expect(await run('use')).toMatchObject({ type: 'done' });
  await tab.until(() => events().some(({ by }) => by === 'refresh'));
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('"content":[]')));
  const sent = oauth.server.of('POST').slice(before);
  const tokens = sent.map(({ headers }) => headers.authorization ?? '');
  expect(tokens).toHaveLength(2);
  expect(tokens[0]).toMatch(/^Bearer /);
  expect(oauth.good.has(tokens[0]!.slice(7))).toBe(false);
  expect(oauth.good.has(tokens[1]!.slice(7))).toBe(true);
  // The changed token differs in one character, so it is as secret.
  expect(everything()).not.toContain(tokens[0]!.slice(7));
  // Only one request was changed.
  await run('use');
  await tab.until(() => oauth.server.of('POST').length > before + 2);
  expect(oauth.server.of('POST').at(-1)!.headers.authorization).toBe(tokens[1]);
});

test('a step without what it needs says what to do', async () => {
  const { run } = await start({ token: { refresh_token: undefined } });
  expect(await run('refresh')).toMatchObject({ code: 'no-refresh-token' });
  expect(await run('revoke')).toMatchObject({ code: 'no-revocation' });
  expect(await run('token')).toMatchObject({ code: 'no-grant' });
});

test('a step of a failed connection runs again once the server is corrected', async () => {
  const { oauth, run, requestsOf } = await start({ metadata: { issuer: 'wrong' } });
  expect(await run('use')).toMatchObject({ code: 'not-connected' });
  expect(await run('server-metadata')).toMatchObject({ code: 'issuer-mismatch' });
  oauth.options.metadata = {};
  expect(await run('resource-metadata')).toMatchObject({ type: 'done' });
  expect(await run('server-metadata')).toMatchObject({ type: 'done' });
  expect(await requestsOf('register')).toEqual(['POST /register']);
});

test('only one step runs at a time', async () => {
  const { run, requestsOf, signIn } = await start();
  const signingIn = requestsOf('sign-in');
  expect(await run('refresh')).toMatchObject({ code: 'authorization-busy' });
  await signIn();
  await signingIn;
  expect(await run('refresh')).toMatchObject({ type: 'done' });
});

test('a token is described, but not shown', async () => {
  const payload = { iss: 'https://issuer', aud: ['a'], scope: 'read', email: 'a@b.c', jti: 'id-of-token', exp: 4e9 };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jwt = `${part({ alg: 'ES256', kid: 'k1' })}.${part(payload)}.${'s'.repeat(86)}`;
  const { oauth, events, everything } = await start({ token: { access_token: jwt }, accepts: [jwt] });
  const { issued } = events().find(({ phase }) => phase === 'granted');
  expect(issued).toMatchObject({ scheme: 'Bearer', chars: jwt.length, clientId: 'registered', resource: oauth.url });
  expect(Date.parse(issued.expiresAt)).toBeGreaterThan(Date.now());
  expect(issued.jwt.header).toContainEqual({ name: 'alg', value: '"ES256"' });
  expect(issued.jwt.claims).toContainEqual({ name: 'aud', value: '["a"]' });
  expect(issued.jwt.claims).toContainEqual({ name: 'email', chars: 7 });
  expect(issued.jwt.claims).toContainEqual({ name: 'jti', chars: 13 });
  for (const hidden of ['a@b.c', 'id-of-token', ...jwt.split('.')]) expect(everything()).not.toContain(hidden);
});

test('derives every step of a sign-in from the log, with its request and its response', async () => {
  const { oauth, tab, seen, kinds } = await start({ resource: { scopes_supported: ['read'] } });
  await tab.until(() => kinds().includes('use ok'));
  expect(kinds()).toEqual([
    'challenge refused',
    'resource-metadata ok',
    'server-metadata ok',
    'registration ok',
    'sign-in ok',
    'callback ok',
    'code ok',
    'use ok',
  ]);
  const { steps, token } = seen();
  const [challenge, resource, , registration, signIn, , code, use] = steps;
  expect(challenge).toMatchObject({ response: { status: 401 }, request: { url: oauth.url } });
  expect(resource!.response!.body).toContain('"authorization_servers"');
  expect(registration!.request!.body).toContain('"redirect_uris"');
  expect(signIn!.values).toContainEqual(['code_challenge_method', 'S256']);
  expect(code!.request!.body).toContain('code=•••');
  expect(code!.response!.body).toContain('"access_token":"•••"');
  expect(use!.request!.headers).toContainEqual(['Authorization', '•••']);
  expect(token).toMatchObject({ issuer: oauth.issuer.origin, scopes: ['read'], by: 'sign-in', kept: false });
  expect(JSON.stringify(seen())).not.toContain('secret-');
});

test('marks steps that ran alone, and a token that was corrupted, refreshed, revoked', async () => {
  const { tab, run, kinds, seen } = await start({ revokes: true });
  await tab.until(() => kinds().includes('use ok'));
  const before = seen().steps.length;
  await run('server-metadata');
  await run('corrupt');
  await run('use');
  await tab.until(() => kinds().filter((kind) => kind === 'use ok').length === 2);
  await run('revoke');
  const { steps, token } = seen();
  expect(steps.slice(before).map(({ kind, alone, corrupted }) => [kind, alone, corrupted === true])).toEqual([
    ['server-metadata', true, false],
    ['corrupt', true, false],
    ['challenge', false, true],
    ['resource-metadata', false, false],
    ['server-metadata', false, false],
    ['refresh', false, false],
    ['use', false, false],
    ['revocation', true, false],
    ['revocation', true, false],
  ]);
  expect(token).toMatchObject({ by: 'refresh' });
  expect(token!.revokedSeq).toBeGreaterThan(0);
});

test('says why a step failed, in the words of the authorization server', async () => {
  const { run, seen } = await start();
  await run('exchange');
  const [code, stopped] = seen().steps.slice(-2);
  expect(code).toMatchObject({ kind: 'code', outcome: 'refused', said: 'invalid_grant: no longer', alone: true });
  expect(stopped).toMatchObject({ kind: 'stopped', outcome: 'failed', alone: true });
});

test('reads the same steps however the frames arrive', async () => {
  const { tab, seen, kinds } = await start();
  await tab.until(() => kinds().includes('use ok'));
  const log = new Log('c');
  for (const frame of tab.frames) {
    log.append([frame]);
    authorizationIn(log);
  }
  expect(authorizationIn(log)).toEqual(seen());
  expect(authorizationIn(log)).toBe(authorizationIn(log));
});

test('without a person, the token is requested again by the same grant', async () => {
  const onToken: OAuthOptions['onToken'] = () => ({
    body: { access_token: 'secret-of-client-1', token_type: 'Bearer' },
  });
  const client: ClientSettings = { grant: 'client-credentials', clientId: 'me', clientSecret: 'secret-of-me-1' };
  const { tab, requestsOf, kinds, seen, everything, run } = await start({ onToken, revokes: true }, client);
  await tab.until(() => kinds().includes('use ok'));
  expect(kinds()).toEqual([
    'challenge refused',
    'resource-metadata ok',
    'server-metadata ok',
    'client-credentials ok',
    'use ok',
  ]);
  expect(await requestsOf('token')).toEqual(['POST /token']);
  expect(await requestsOf('revoke')).toEqual(['POST /revoke']);
  expect(await run('register')).toMatchObject({ code: 'own-client' });
  expect(seen().token).toMatchObject({ by: 'client', issued: { clientId: 'me' } });
  expect(everything()).not.toContain('secret-');
});

describe('grants with a JWT from a file', () => {
  const jwt = (sub: string) =>
    [{ alg: 'none' }, { sub }, 'secret-signature']
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');

  function fileOf(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-steps-'));
    open.push({ close: () => rmSync(folder, { recursive: true, force: true }) });
    writeFileSync(join(folder, 'token'), text);
    return join(folder, 'token');
  }

  test('workload identity: the step shows the grant, and runs again with the file as it is then', async () => {
    const assertions: (string | null)[] = [];
    const onToken: OAuthOptions['onToken'] = (form) => {
      assertions.push(form.get('assertion'));
      return { body: { access_token: 'secret-of-workload-1', token_type: 'Bearer' } };
    };
    const tokenFile = fileOf(jwt('one'));
    const client: ClientSettings = { grant: 'workload', clientId: 'w', tokenFile };
    const { tab, requestsOf, kinds, seen, everything } = await start({ onToken }, client);
    await tab.until(() => kinds().includes('use ok'));
    expect(kinds().slice(-2)).toEqual(['jwt-bearer ok', 'use ok']);
    writeFileSync(tokenFile, jwt('two'));
    expect(await requestsOf('token')).toEqual(['POST /token']);
    expect(assertions).toEqual([jwt('one'), jwt('two')]);
    expect(seen().token).toMatchObject({ by: 'client', kept: false });
    expect(everything()).not.toMatch(new RegExp(`secret-|${jwt('one')}|${jwt('two')}`));
  });

  test('enterprise-managed: both exchanges are steps, and run again together', async () => {
    const idToken = jwt('ann');
    const jag = jwt('ann at the server');
    let asked = 0;
    const idp = await startHttp((_, response) => {
      asked++;
      const issued_token_type = 'urn:ietf:params:oauth:token-type:id-jag';
      json(response, { access_token: jag, issued_token_type, token_type: 'N_A' });
    });
    open.push(idp);
    const onToken: OAuthOptions['onToken'] = () => ({
      body: { access_token: 'secret-of-enterprise-1', token_type: 'Bearer' },
    });
    const { tab, requestsOf, kinds, everything } = await start(
      { onToken },
      {
        grant: 'enterprise',
        clientId: 'me',
        clientSecret: 'secret-of-me-1',
        tokenFile: fileOf(idToken),
        idp: `${idp.origin}/token`,
        idpClientId: 'me-there',
      },
    );
    await tab.until(() => kinds().includes('use ok'));
    expect(kinds().slice(-3)).toEqual(['token-exchange ok', 'jwt-bearer ok', 'use ok']);
    expect(await requestsOf('token')).toEqual(['POST /token']);
    expect(asked).toBe(2);
    for (const secret of [idToken, jag, 'secret-']) expect(everything()).not.toContain(secret);
  });
});

test('names the key that a token is bound to', async () => {
  const onToken: OAuthOptions['onToken'] = () => ({ body: { access_token: 'secret-bound-1', token_type: 'DPoP' } });
  const { seen, everything } = await start({ onToken }, { dpop: 'always' });
  const { token, steps } = seen();
  expect(token!.issued).toMatchObject({ scheme: 'DPoP', keyThumbprint: expect.stringMatching(/^[\w-]{43}$/) });
  expect(steps.find(({ kind }) => kind === 'code')!.request!.headers).toContainEqual(['dpop', '•••']);
  expect(everything()).not.toContain('secret-');
});

test('attack: a revocation endpoint without encryption gets no token', async () => {
  const { run, everything } = await start({ metadata: { revocation_endpoint: 'http://192.0.2.1/revoke' } });
  expect(await run('revoke')).toMatchObject({ code: 'authorization-url-refused' });
  expect(everything()).not.toContain('token_type_hint');
});

test('a connection with the token of an earlier one reads the metadata before a step that needs it', async () => {
  const { oauth, tab, connection: first } = await start();
  const connection = await tab.connect({ transport: 'auto', url: oauth.url });
  expect(connection).not.toBe(first);
  const before = oauth.asked.length;
  expect(await tab.ask({ type: 'auth-step', connection, step: 'refresh' })).toMatchObject({ type: 'done' });
  expect(oauth.asked.slice(before)).toEqual(['GET /.well-known/oauth-authorization-server', 'POST /token']);
});
