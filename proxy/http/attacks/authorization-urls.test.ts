import { describe, expect, test } from 'vitest';
import { Credentials } from '@/lib/auth/credentials';
import { systemClock } from '@/lib/wire/clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { json, startHttp } from '@/proxy/connection/fixtures/http-fixture';
import { type OAuthOptions, startOAuth } from '@/proxy/connection/fixtures/oauth-fixture';
import { openHub } from '@/proxy/connection/test-hub';
import { PendingSignIns } from '../pending-sign-ins';

const open = closedAfterEach();

/** Connects to a server with an authorization server as in `options`, and resolves with the failure. */
async function connectTo(options: Partial<OAuthOptions>) {
  const oauth = await startOAuth(options);
  const signIns = new PendingSignIns();
  signIns.setRoot('http://127.0.0.1:6270/');
  const hub = await openHub(systemClock, undefined, { store: new Credentials(), signIn: signIns });
  open.push(oauth, hub);
  const tab = await hub.tab();
  await tab.connect({ transport: 'http', url: oauth.url }, 'failed');
  const failed = tab.texts('lifecycle').find((text) => text.includes('"event":"failed"'))!;
  const shown = tab.events.flatMap((event) => (event.type === 'connection' ? [event.connection.signInUrl] : []));
  return { oauth, failure: JSON.parse(failed) as { code: string; message: string }, shown };
}

describe('attack: the sign-in page', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'vscode://file/etc/passwd',
    'blob:http://127.0.0.1/1',
    '--upload-pack=x',
    '$(calc)',
    '`calc`',
    '//evil.example/authorize',
    '/authorize',
    '',
    'http://evil.example/authorize',
    'http://127.0.0.1.evil.example/authorize',
    'http://localhost.evil.example/authorize',
    'https://user:password@evil.example/',
    'https://evil.example\\@good.example/',
    'https://evil.example/ --flag',
    'https://evil.example/\r\nX: 1',
    'http://[::ffff:127.0.0.1]/authorize',
  ])('%j is refused, and shown as text', async (url) => {
    const { failure, shown } = await connectTo({ metadata: { authorization_endpoint: url } });
    expect(failure.code).toBe('authorization-url-refused');
    expect(failure.message).toContain(JSON.stringify(url.replace('user:password@', '•••@')));
    expect(shown.filter((address) => address !== undefined)).toEqual([]);
  });

  test.each([1, null, ['https://a.example/'], { href: 'https://a.example/' }])('%j is not a URL', async (url) => {
    const { failure, shown } = await connectTo({ metadata: { authorization_endpoint: url } });
    expect(failure.code).toBe('authorization-metadata');
    expect(shown.filter((address) => address !== undefined)).toEqual([]);
  });
});

describe('secrets', () => {
  test.each(['http://evil.example/register', 'ftp://127.0.0.1/', 'https://user:pass@evil.example/'])(
    'are never sent to %s',
    async (url) => {
      const { failure } = await connectTo({ metadata: { registration_endpoint: url } });
      expect(failure.code).toMatch(/^authorization-(url-refused|metadata)$/);
    },
  );

  test('are never redirected to another origin', async () => {
    const thief = await startHttp((_, response) => json(response, {}));
    const moved = await startHttp((_, response) => response.writeHead(307, { location: thief.origin }).end());
    open.push(thief, moved);
    const { failure } = await connectTo({ metadata: { registration_endpoint: `${moved.origin}/register` } });
    expect(failure.code).toBe('redirect-refused');
    expect(thief.seen).toEqual([]);
  });

  test('an endless response of an authorization server is cut off', async () => {
    const { failure } = await connectTo({ metadata: { padding: 'x'.repeat(300 * 1024) } });
    expect(failure.code).toBe('body-too-large');
  });
});

describe('attack: the callback', () => {
  const signIn = { url: 'https://a.example/', state: 's'.repeat(43), issuer: 'https://a.example', scopes: [] };

  test.each([
    '',
    'code=1',
    'code=1&state=',
    'code=1&state=wrong',
    `code=1&state=${signIn.state}&state=x`,
    `state=${signIn.state}&code=1&code=2`,
  ])('is refused with %j', async (query) => {
    const signIns = new PendingSignIns();
    const gone = new AbortController();
    const waiting = signIns.waitForCallback(signIn, gone.signal);
    expect(signIns.handleCallback(query)).toBe(false);
    gone.abort();
    await expect(waiting).rejects.toBeDefined();
  });

  test('works once', async () => {
    const signIns = new PendingSignIns();
    const waiting = signIns.waitForCallback(signIn, new AbortController().signal);
    expect(signIns.handleCallback(`code=1&state=${signIn.state}`)).toBe(true);
    expect(signIns.handleCallback(`code=2&state=${signIn.state}`)).toBe(false);
    expect((await waiting).get('code')).toBe('1');
  });

  test('is refused once the wait is over', async () => {
    const signIns = new PendingSignIns();
    const gone = new AbortController();
    const waiting = signIns.waitForCallback(signIn, gone.signal);
    gone.abort();
    await expect(waiting).rejects.toBeDefined();
    expect(signIns.handleCallback(`code=1&state=${signIn.state}`)).toBe(false);
  });
});
