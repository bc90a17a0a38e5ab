import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { HttpRequest, SocketAttempt } from '@/lib/transports/http-link';
import { systemClock } from '@/lib/wire/clock';
import type { TlsOptions } from '@/lib/wire/connection-settings';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { startConnectProxy } from '@/proxy/connection/fixtures/connect-proxy';
import { type HttpFixture, json, startHttp, stream } from '@/proxy/connection/fixtures/http-fixture';
import { AUTHORITY, certificateFile, keyFile, startTls } from '@/proxy/connection/fixtures/tls-fixture';
import type { Resolver } from './address-policy';
import { Egress, type EgressOptions } from './egress';
import { loadTls } from './tls-material';

const open = closedAfterEach();

function started<T extends { close(): unknown }>(one: T): T {
  open.push(one);
  return one;
}

/** This machine's DNS. Names without a row are unknown to it. */
const HERE: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['192.0.2.1'],
  'two.example': ['192.0.2.1', '192.0.2.2'],
  'inner.example': ['10.1.2.3'],
  'near.example': ['127.0.0.1'],
  'a.elsewhere.example': ['192.0.2.1'],
};

const resolve: Resolver = async (host) => {
  const addresses = HERE[host];
  if (addresses) return addresses;
  throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
};

/** Returns a link that uses this HTTP proxy, unless the environment says otherwise. */
function linkBy(proxy: string, over: Partial<EgressOptions> & { readonly env?: Record<string, string> } = {}): Egress {
  const { env, ...options } = over;
  const environment = { NODE_ENV: 'test', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ...env } as const;
  return started(
    new Egress({ clock: systemClock, version: '1.2', allowLocal: false, environment, resolve, ...options }),
  );
}

interface Outcome {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly advice?: string;
  readonly attempts: readonly SocketAttempt[];
}

async function ask(link: Egress, url: string, over: Partial<HttpRequest> = {}): Promise<Outcome> {
  const attempts: SocketAttempt[] = [];
  const request: HttpRequest = {
    method: 'POST',
    url,
    headers: [],
    body: Buffer.from('{}'),
    signal: new AbortController().signal,
    onSocket: (attempt) => attempts.push(attempt),
    onRedirect: () => {},
    ...over,
  };
  const answered = await link.send(request).then(
    ({ status }) => ({ status }),
    ({ code, message, advice }: { code: string; message: string; advice: string }) => ({ code, message, advice }),
  );
  return { ...answered, attempts };
}

async function okServer(): Promise<HttpFixture> {
  return started(await startHttp((_, response) => json(response, { ok: true })));
}

/** Starts a TCP server on a free port. */
async function portOf(server: Server): Promise<number> {
  started(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const ok: Parameters<typeof startTls>[1] = (_, response) => json(response, { ok: true });

describe('a tunnel', () => {
  test('leads to the checked address if nothing but the address says which server answers', async () => {
    const server = await okServer();
    const proxy = started(await startConnectProxy({ leads: { '192.0.2.1:80': server.port } }));
    const { status, attempts } = await ask(linkBy(proxy.origin), 'http://public.example/mcp?a=1', {
      headers: [['X-Team', 'blue']],
    });
    expect(status).toBe(200);
    expect(proxy.asked).toEqual([
      {
        method: 'CONNECT',
        target: '192.0.2.1:80',
        headers: { host: '192.0.2.1:80', 'user-agent': 'mcp-inspect/1.2', connection: 'keep-alive' },
        certified: false,
      },
    ]);
    expect(server.seen).toMatchObject([
      { method: 'POST', url: '/mcp?a=1', text: '{}', headers: { host: 'public.example', 'x-team': 'blue' } },
    ]);
    // The server learns nothing of the HTTP proxy, and the HTTP proxy nothing of the request.
    expect(server.seen[0]!.headers).not.toHaveProperty('via');
    expect(proxy.asked[0]!.headers).not.toHaveProperty('x-team');
    expect(attempts).toEqual([
      {
        host: 'public.example',
        port: 80,
        addresses: ['192.0.2.1'],
        address: '192.0.2.1',
        dnsMs: expect.any(Number),
        httpProxy: {
          url: proxy.origin,
          variable: 'HTTP_PROXY',
          address: '127.0.0.1',
          target: '192.0.2.1:80',
          status: 200,
          ms: expect.any(Number),
        },
      },
    ]);
  });

  test('leads to the name if a verified certificate proves which server answers', async () => {
    const server = started(await startTls('elsewhere', ok));
    const proxy = started(await startConnectProxy({ leads: { 'a.elsewhere.example:443': server.port } }));
    const url = 'https://a.elsewhere.example/mcp';
    const link = linkBy(proxy.origin, { tls: await loadTls(url, { ca: [AUTHORITY] }, process.env) });
    const { status, attempts } = await ask(link, url);
    expect(status).toBe(200);
    expect(attempts).toMatchObject([
      { addresses: ['192.0.2.1'], tls: { verified: true }, httpProxy: { target: 'a.elsewhere.example:443' } },
    ]);
    expect(attempts[0]).not.toHaveProperty('address');
    expect(server.seen[0]!.headers.host).toBe('a.elsewhere.example');
  });

  test('leads to the checked address with --tls insecure', async () => {
    const server = started(await startTls('elsewhere', ok));
    const proxy = started(await startConnectProxy({ leads: { '192.0.2.1:443': server.port } }));
    const url = 'https://public.example/mcp';
    const link = linkBy(proxy.origin, { tls: await loadTls(url, { insecure: true }, process.env) });
    expect(await ask(link, url)).toMatchObject({
      status: 200,
      attempts: [{ address: '192.0.2.1', tls: { verified: false } }],
    });
  });

  test('does not weaken the verification of the server', async () => {
    const server = started(await startTls('elsewhere', ok));
    const leads = { 'public.example:443': server.port, 'a.elsewhere.example:443': server.port };
    const proxy = started(await startConnectProxy({ leads }));
    const link = linkBy(proxy.origin);
    const url = 'https://public.example/';
    expect(await ask(link, 'https://a.elsewhere.example/')).toMatchObject({ code: 'tls-untrusted' });
    const trusting = linkBy(proxy.origin, { tls: await loadTls(url, { ca: [AUTHORITY] }, process.env) });
    expect(await ask(trusting, url)).toMatchObject({ code: 'tls-wrong-name' });
    expect(server.seen).toEqual([]);
  });

  test('carries a client certificate to the server, not to the HTTP proxy', async () => {
    const server = started(await startTls('elsewhere', ok, { requestCert: true, rejectUnauthorized: true }));
    const leads = { 'a.elsewhere.example:443': server.port };
    const proxy = started(await startConnectProxy({ leads, certificate: 'server' }));
    const url = 'https://a.elsewhere.example/';
    const trust = { ca: [AUTHORITY] };
    const client = { ...trust, cert: certificateFile('client'), key: keyFile('client') };
    const linkWith = async (tls: TlsOptions) => linkBy(proxy.origin, { tls: await loadTls(url, tls, process.env) });
    expect(await ask(await linkWith(client), url)).toMatchObject({ status: 200 });
    expect(await ask(await linkWith(trust), url)).toMatchObject({ code: 'tls-client-certificate' });
    expect(proxy.asked.map(({ certified }) => certified)).toEqual([false, false]);
  });

  test('is reused for the next request, and carries a stream without delay', async () => {
    const server = started(
      await startHttp(({ url }, response) => {
        if (url === '/stream') stream(response, 'data: 1\n\n');
        else json(response, {});
      }),
    );
    const proxy = started(await startConnectProxy({ leads: { '192.0.2.1:80': server.port } }));
    const link = linkBy(proxy.origin);
    const abort = new AbortController();
    const request: HttpRequest = {
      method: 'GET',
      url: 'http://public.example/stream',
      headers: [],
      signal: abort.signal,
      onRedirect: () => {},
    };
    for await (const chunk of (await link.send(request)).body) {
      expect(Buffer.from(chunk).toString()).toBe('data: 1\n\n');
      break;
    }
    await expect
      .poll(async () => {
        const before = proxy.asked.length;
        for await (const _ of (await link.send({ ...request, url: 'http://public.example/json' })).body);
        return proxy.asked.length - before;
      })
      .toBe(0);
  });

  test('is tried with each address of a name', async () => {
    const server = await okServer();
    const proxy = started(await startConnectProxy({ leads: { '192.0.2.2:80': server.port } }));
    expect(await ask(linkBy(proxy.origin), 'http://two.example/')).toMatchObject({
      status: 200,
      attempts: [
        { address: '192.0.2.1', httpProxy: { status: 502 }, failure: { step: 'proxy' } },
        { address: '192.0.2.2', httpProxy: { status: 200 } },
      ],
    });
  });
});

describe('credentials', () => {
  const authorization = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;
  const withUser = (origin: string, password: string) => origin.replace('//', `//ada:${password}@`);

  test('reach the HTTP proxy only, and appear nowhere', async () => {
    const server = await okServer();
    const proxy = started(await startConnectProxy({ leads: { '192.0.2.1:80': server.port }, authorization }));
    const outcome = await ask(linkBy(withUser(proxy.origin, 's3cret')), 'http://public.example/');
    expect(outcome.status).toBe(200);
    expect(proxy.asked[0]!.headers['proxy-authorization']).toBe(authorization);
    expect(server.seen[0]!.headers).not.toHaveProperty('proxy-authorization');
    expect(JSON.stringify(outcome)).not.toMatch(/s3cret|ada/);
  });

  test.each<[string, string, string | undefined, RegExp]>([
    ['missing', '', undefined, /requires a user name and password \(HTTP 407\).*Write them into HTTP_PROXY/],
    ['wrong', 'ada:wr0ng@', undefined, /rejected the user name and password in HTTP_PROXY.*percent-encoded/],
    ['of another scheme', 'ada:s3cret@', 'Negotiate, NTLM', /sign-in with Negotiate or NTLM.*only Basic.*local proxy/],
  ])('%s: one error says so, without them', async (_what, user, challenge, words) => {
    const required = challenge === undefined ? authorization : 'NTLM x';
    const proxy = started(
      await startConnectProxy({ leads: {}, authorization: required, ...(challenge && { challenge }) }),
    );
    const outcome = await ask(linkBy(proxy.origin.replace('//', `//${user}`)), 'http://public.example/');
    expect(outcome).toMatchObject({
      code: 'proxy-credentials',
      message: expect.stringContaining(proxy.origin),
      attempts: [{ httpProxy: { status: 407 }, failure: { step: 'proxy', code: 'proxy-credentials' } }],
    });
    expect(`${outcome.message} ${outcome.advice}`).toMatch(words);
    expect(JSON.stringify(outcome)).not.toMatch(/s3cret|wr0ng|ada/);
  });
});

describe('an HTTP proxy with TLS', () => {
  test('is verified with the same authorities', async () => {
    const server = await okServer();
    const proxy = started(await startConnectProxy({ leads: { '192.0.2.1:80': server.port }, certificate: 'server' }));
    const url = 'http://public.example/';
    const trusting = linkBy(proxy.origin, { tls: await loadTls(url, { ca: [AUTHORITY] }, process.env) });
    expect(await ask(trusting, url)).toMatchObject({ status: 200 });
    const outcome = await ask(linkBy(proxy.origin), url);
    expect(outcome).toMatchObject({
      code: 'proxy-untrusted',
      message: expect.stringContaining(proxy.origin),
      advice: expect.stringContaining('--tls ca'),
      attempts: [{ failure: { step: 'proxy', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } }],
    });
  });

  test('is verified in spite of --tls insecure, which is for the server', async () => {
    const proxy = started(await startConnectProxy({ leads: {}, certificate: 'self-signed' }));
    const url = 'https://public.example/';
    const link = linkBy(proxy.origin, { tls: await loadTls(url, { insecure: true }, process.env) });
    expect(await ask(link, url)).toMatchObject({ code: 'proxy-untrusted' });
    expect(proxy.asked).toEqual([]);
  });

  test('may carry TLS', async () => {
    const server = started(await startTls('elsewhere', ok));
    const leads = { 'a.elsewhere.example:443': server.port };
    const proxy = started(await startConnectProxy({ leads, certificate: 'server' }));
    const url = 'https://a.elsewhere.example/';
    const link = linkBy(proxy.origin, { tls: await loadTls(url, { ca: [AUTHORITY] }, process.env) });
    expect(await ask(link, url)).toMatchObject({ status: 200, attempts: [{ tls: { verified: true } }] });
  });
});

describe('a name', () => {
  test('that resolves here is checked as without an HTTP proxy', async () => {
    const server = await okServer();
    const proxy = started(await startConnectProxy({ leads: {} }));
    const link = linkBy(proxy.origin);
    expect(await ask(link, 'http://169.254.169.254/')).toMatchObject({ code: 'address-refused' });
    expect(await ask(link, 'http://metadata.google.internal/')).toMatchObject({ code: 'address-refused' });
    expect(await ask(link, 'http://inner.example/', { fromServer: true })).toMatchObject({ code: 'redirect-refused' });
    expect(await ask(link, `http://near.example:${server.port}/`)).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([]);
  });

  test('that only the HTTP proxy resolves is fine when a person typed it, and is looked up once', async () => {
    const server = await okServer();
    const proxy = started(await startConnectProxy({ leads: { 'there.example:80': server.port } }));
    let lookups = 0;
    const link = linkBy(proxy.origin, { resolve: (host) => resolve(host).finally(() => lookups++) });
    const { status, attempts } = await ask(link, 'http://there.example/mcp');
    expect(status).toBe(200);
    expect(attempts).toMatchObject([{ addresses: [], httpProxy: { target: 'there.example:80' } }]);
    expect(await ask(link, 'http://there.example/mcp')).toMatchObject({ status: 200 });
    // The server may name itself, as in OAuth metadata.
    expect(await ask(link, 'http://there.example/x', { fromServer: true })).toMatchObject({ status: 200 });
    expect(lookups).toBe(1);
  });

  test('that only the HTTP proxy resolves is refused when a server gave it', async () => {
    const server = started(
      await startHttp((_, response) => response.writeHead(307, { location: 'http://secret.example/' }).end()),
    );
    const leads = { '192.0.2.1:80': server.port, 'secret.example:80': server.port };
    const proxy = started(await startConnectProxy({ leads }));
    const link = linkBy(proxy.origin);
    const redirect = await ask(link, 'http://public.example/');
    expect(redirect).toMatchObject({ code: 'redirect-refused', message: expect.stringContaining('secret.example') });
    expect(await ask(link, 'http://secret.example/', { fromServer: true })).toMatchObject({ code: 'redirect-refused' });
    expect(proxy.asked.map(({ target }) => target)).toEqual(['192.0.2.1:80']);
  });

  test('that resolved here may not become one that only the HTTP proxy resolves', async () => {
    const server = await okServer();
    const proxy = started(await startConnectProxy({ leads: { '192.0.2.1:80': server.port } }));
    const answers = [['192.0.2.1']];
    const flips: Resolver = async (host) => answers.shift() ?? resolve(host);
    const link = linkBy(proxy.origin, { resolve: flips });
    expect(await ask(link, 'http://flips.example/')).toMatchObject({ status: 200 });
    expect(await ask(link, 'http://flips.example/')).toMatchObject({ code: 'dns-failed' });
    expect(proxy.asked.map(({ target }) => target)).toEqual(['192.0.2.1:80']);
  });

  test('that only the HTTP proxy resolved never leads to this machine later', async () => {
    const own = await okServer();
    const server = await okServer();
    const proxy = started(await startConnectProxy({ leads: { [`flips.example:${own.port}`]: server.port } }));
    let known = false;
    const flips: Resolver = async (host) => (known ? ['127.0.0.1'] : resolve(host));
    const link = linkBy(proxy.origin, { resolve: flips });
    const url = `http://flips.example:${own.port}/`;
    expect(await ask(link, url)).toMatchObject({ status: 200 });
    known = true;
    expect(await ask(link, url)).toMatchObject({ status: 200 });
    // Other names of the server have to be public.
    expect(await ask(link, 'http://other.example/', { fromServer: true })).toMatchObject({ code: 'redirect-refused' });
    expect(own.seen).toEqual([]);
    expect(server.seen).toHaveLength(2);
  });

  test('in NO_PROXY is resolved here and reached directly', async () => {
    const proxy = started(await startConnectProxy({ leads: {} }));
    const link = linkBy(proxy.origin, { env: { NO_PROXY: '.example' } });
    expect(await ask(link, 'http://there.example/')).toMatchObject({ code: 'dns-failed' });
    expect(proxy.asked).toEqual([]);
  });
});

describe('an HTTP proxy that fails', () => {
  test.each([
    [403, 'https://public.example/', 'proxy-refused', /refused a connection to public\.example:443 \(HTTP 403\)\. Ask/],
    [403, 'http://public.example/', 'proxy-refused', /refused a connection to 192\.0\.2\.1:80.*only port 443/],
    [302, 'http://public.example/', 'proxy-refused', /HTTP 302/],
    [502, 'http://public.example/', 'proxy-cannot-connect', /could not connect to 192\.0\.2\.1:80 \(HTTP 502\)/],
    [504, 'https://public.example/', 'proxy-cannot-connect', /resolve and reach/],
  ])('with status %i for %s', async (status, url, code, words) => {
    const proxy = started(await startConnectProxy({ leads: {}, status }));
    const outcome = await ask(linkBy(proxy.origin), url);
    expect(outcome).toMatchObject({ code, attempts: [{ httpProxy: { status }, failure: { step: 'proxy', code } }] });
    expect(`${outcome.message} ${outcome.advice}`).toMatch(words);
    expect(outcome.message).toContain(proxy.origin);
  });

  test('by not listening', async () => {
    const proxy = await startConnectProxy({ leads: {} });
    await proxy.close();
    const outcome = await ask(linkBy(proxy.origin), 'http://two.example/');
    expect(outcome).toMatchObject({
      code: 'proxy-unreachable',
      message: `Could not connect to the HTTP proxy ${proxy.origin} (ECONNREFUSED).`,
      advice: expect.stringContaining('HTTP_PROXY'),
    });
    expect(outcome.attempts).toMatchObject([{ failure: { step: 'proxy', code: 'ECONNREFUSED' } }]);
  });

  test('by having no address', async () => {
    expect(await ask(linkBy('http://nowhere.example:3128'), 'http://public.example/')).toMatchObject({
      code: 'proxy-unreachable',
      message: 'Could not connect to the HTTP proxy http://nowhere.example:3128 (ENOTFOUND).',
    });
  });

  test('by not being one', async () => {
    const junk = createServer((socket) => socket.on('error', () => {}).end('220 mail.example ESMTP\r\n'));
    const port = await portOf(junk);
    expect(await ask(linkBy(`http://127.0.0.1:${port}`), 'http://public.example/')).toMatchObject({
      code: 'proxy-unreachable',
      message: expect.stringContaining('did not answer as an HTTP proxy'),
      advice: 'Check host and port in HTTP_PROXY, or write https:// there.',
    });
    expect(await ask(linkBy(`https://127.0.0.1:${port}`), 'http://public.example/')).toMatchObject({
      code: 'proxy-unreachable',
      advice: 'Check host and port in HTTP_PROXY, or write http:// there.',
    });
  });

  test('by hanging up, and by silence', async () => {
    let fire = (): void => {};
    const clock = {
      now: () => 0,
      after(ms: number, run: () => void) {
        if (ms === 30_000) fire = run;
        return () => {};
      },
    };
    let asked = 0;
    const mute = createServer((socket) =>
      socket.on('error', () => {}).once('data', () => (++asked === 1 ? socket.destroy() : fire())),
    );
    const link = linkBy(`http://127.0.0.1:${await portOf(mute)}`, { clock });
    expect(await ask(link, 'http://public.example/')).toMatchObject({
      code: 'proxy-unreachable',
      message: expect.stringMatching(/closed the connection without an answer \(ECONNRESET\)/),
      advice: expect.stringContaining('unable to reach 192.0.2.1:80'),
    });
    expect(await ask(link, 'http://public.example/')).toMatchObject({
      code: 'proxy-unreachable',
      message: expect.stringMatching(/did not answer in time \(ETIMEDOUT\)/),
    });
  });

  test('is left at once when the request is aborted', async () => {
    const abort = new AbortController();
    const mute = createServer((socket) => socket.on('error', () => {}).once('data', () => abort.abort()));
    const link = linkBy(`http://127.0.0.1:${await portOf(mute)}`);
    expect(await ask(link, 'http://public.example/', { signal: abort.signal })).toMatchObject({
      code: 'closed',
      attempts: [],
    });
  });

  test('because its variable is no URL', async () => {
    expect(await ask(linkBy('socks5://ada:s3cret@127.0.0.1'), 'http://public.example/')).toMatchObject({
      code: 'proxy-invalid',
      attempts: [{ failure: { step: 'proxy', code: 'proxy-invalid', message: expect.not.stringContaining('s3cret') } }],
    });
  });
});
