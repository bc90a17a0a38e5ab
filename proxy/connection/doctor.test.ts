import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { diagnose } from '@/lib/doctor/diagnose';
import { type Diagnosis, diagnosisText } from '@/lib/doctor/diagnosis';
import { Log } from '@/lib/store/log';
import type { UrlTarget } from '@/lib/wire/command';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { type ConnectProxy, startConnectProxy } from './fixtures/connect-proxy';
import { type Answer, event, initialized, json, result, startHttp, stream, text } from './fixtures/http-fixture';
import { AUTHORITY, type Certificate, startTls } from './fixtures/tls-fixture';
import { openHub, type TestTab } from './test-hub';

const open = closedAfterEach();

function started<T extends { close(): unknown }>(one: T): T {
  open.push(one);
  return one;
}

function logOf(tab: TestTab): Log {
  const log = new Log('c');
  log.append(tab.frames);
  return log;
}

/** Connects, expects a failure, and diagnoses its log. */
async function failAt(url: string, over: Partial<UrlTarget> = {}, protocol = 'auto') {
  const tab = await started(await openHub()).tab();
  const connection = await tab.connect({ transport: 'auto', url, ...over }, 'failed', protocol);
  const examine = (): Diagnosis => diagnose(logOf(tab))!;
  const further = async (where = 'paths'): Promise<Diagnosis> => {
    expect(await tab.ask({ type: 'look-further', connection, where })).toMatchObject({ type: 'done' });
    return examine();
  };
  return { tab, connection, further, diagnosis: examine(), examine };
}

const failed = ({ steps }: Diagnosis) => steps.find(({ state }) => state === 'failed')!.id;
const line = ({ steps }: Diagnosis, id: string) =>
  steps
    .find((step) => step.id === id)!
    .evidence.map((one) => one.text)
    .join('\n');

const refuse =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

const rpcError =
  (status: number, error: object): Answer =>
  (_, response) =>
    json(response, { jsonrpc: '2.0', id: null, error }, status);

describe('a server that refuses', () => {
  test.each<[string, Answer, string, string, RegExp]>([
    ['400', refuse(400, {}, 'Bad Request: nope'), 'bad-request', 'http', /HTTP 400: "Bad Request: nope"/],
    [
      '400 for https',
      refuse(400, {}, 'The plain HTTP request was sent to HTTPS port'),
      'tls-expected',
      'http',
      /expects HTTPS/,
    ],
    ['401', refuse(401), 'unauthorized', 'authorization', /does not say how/],
    [
      '401 with a challenge',
      refuse(401, { 'www-authenticate': 'Bearer realm="r", resource_metadata="https://h/.well-known/x", scope="a b"' }),
      'unauthorized',
      'authorization',
      /bearer token.*scope "a b".*https:\/\/h\/\.well-known\/x/s,
    ],
    ['403', refuse(403), 'forbidden', 'authorization', /denied access/],
    [
      '403 for a host',
      rpcError(403, { code: -32000, message: 'Invalid Host: 127.0.0.1' }),
      'host-refused',
      'authorization',
      /DNS rebinding/,
    ],
    ['421', refuse(421, {}, 'Invalid Host header'), 'host-refused', 'authorization', /allowed hosts/],
    [
      '404',
      refuse(404, { 'content-type': 'text/html' }, '<h1>Cannot POST</h1>'),
      'not-found',
      'http',
      /HTTP 404 with a web page.*Check the path/s,
    ],
    ['405', refuse(405, { allow: 'GET' }), 'method-refused', 'http', /does not accept POST requests, only GET/],
    ['406', refuse(406), 'not-acceptable', 'http', /cannot respond with JSON or an event stream/],
    ['415', refuse(415), 'media-type-refused', 'http', /does not accept JSON/],
    ['429', refuse(429, { 'retry-after': '17' }), 'too-many-requests', 'http', /Wait 17 seconds/],
    ['500', refuse(500, {}, 'boom'), 'server-error', 'http', /HTTP 500: "boom"/],
    ['502', refuse(502, { server: 'nginx/1.27' }), 'gateway', 'http', /nginx\/1\.27\) answered 502/],
    ['503', refuse(503), 'gateway', 'http', /not ready/],
    ['504', refuse(504), 'gateway', 'http', /in time/],
    ['521', refuse(521), 'gateway', 'http', /Cloudflare/],
    ['a web page', (_, response) => text(response, '<html>app</html>'), 'web-page', 'content', /web page/],
    ['another type', (_, response) => text(response, 'hi', 200, 'text/plain'), 'wrong-type', 'content', /text\/plain/],
    [
      'version',
      rpcError(400, { code: -32022, message: 'no', data: { supported: ['2001-01-01'] } }),
      'version-mismatch',
      'mcp',
      /version that it supports: 2001-01-01/,
    ],
    [
      'JSON-RPC error',
      rpcError(400, { code: -32000, message: 'not today' }),
      'handshake-refused',
      'mcp',
      /-32000: "not today"/,
    ],
    ['301 to a slash', refuse(301, { location: '/mcp/' }), 'redirected', 'http', /only the trailing slash/],
    ['302 to a login', refuse(302, { location: '/login?next=1' }), 'redirected', 'http', /sign-in page/],
    ['302 elsewhere', refuse(302, { location: '/v2/mcp' }), 'redirected', 'http', /did not follow it/],
    ['307 in circles', refuse(307, { location: '/mcp' }), 'redirected', 'http', /^\/mcp redirects to itself/],
    [
      'cut',
      (_, response) => void response.destroy(),
      'tls-expected',
      'http',
      /closed the connection without a response/,
    ],
  ])('%s', async (_what, answer, code, step, words) => {
    const { origin } = started(await startHttp(answer));
    const { diagnosis, tab } = await failAt(`${origin}/mcp`);
    expect(diagnosis).toMatchObject({ code, steps: { length: 7 } });
    expect(failed(diagnosis)).toBe(step);
    expect(`${diagnosis.what}\n${diagnosis.advice}`).toMatch(words);
    const states = diagnosis.steps.map(({ state }) => state);
    const at = states.indexOf('failed');
    expect(states.slice(at + 1).every((state) => state === 'not reached')).toBe(true);
    expect(states.slice(0, at).every((state) => state === 'ok' || state === 'unused')).toBe(true);
    expect(diagnosis.seq).toBeGreaterThan(0);
    expect(diagnosis.seq).toBeLessThanOrEqual(tab.frames.length);
    expect(line(diagnosis, 'tcp')).toMatch(/^127\.0\.0\.1:\d+ connected in [\d.]+ ms$/);
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['ends early', { 'content-encoding': 'gzip' }, -12, 'gzip-compressed response to server/discover ends too early.'],
    [
      'is not named',
      {},
      9999,
      'response to server/discover is compressed with gzip, but has no `Content-Encoding: gzip`',
    ],
  ])('a compression that %s', async (_name, headers, end, expected) => {
    const { origin } = started(
      await startHttp(({ message }, response) => {
        const body = gzipSync(JSON.stringify(initialized(message?.id))).subarray(0, end);
        response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
      }),
    );
    const { tab, diagnosis } = await failAt(origin);
    expect(diagnosis.what).toContain(expected);
    const log = logOf(tab);
    for (let index = 0; index < log.size; index++) expect(log.text(index)).not.toContain('\ufffd');
  });

  test('an event stream without its first event', async () => {
    const { origin } = started(await startHttp((_, response) => stream(response, ': nothing\n\n').end()));
    const { diagnosis } = await failAt(`${origin}/sse`, { transport: 'sse' });
    expect(diagnosis).toMatchObject({ code: 'no-endpoint' });
    expect(failed(diagnosis)).toBe('mcp');
    expect(diagnosis.advice).toContain('Leave out `--transport`');
  });

  test.each([400, 405, 406])('HTTP+SSE on a Streamable HTTP server, which answers GET with %i', async (status) => {
    const { origin } = started(await startHttp(refuse(status)));
    const url = `${origin}/mcp`;
    const { diagnosis } = await failAt(url, { transport: 'sse' });
    expect(diagnosis).toMatchObject({ code: 'not-sse', actions: [{ kind: 'use-url', url, transport: 'auto' }] });
    expect(diagnosis.advice).toContain('Leave out `--transport`');
  });

  test('an unknown session', async () => {
    const { origin } = started(
      await startHttp(({ method, message }, response) => {
        if (method !== 'POST') response.writeHead(405).end();
        else if (message?.method === 'initialize') {
          json(response, initialized(message.id, { tools: {} }), 200, { 'mcp-session-id': 's' });
        } else if (message?.id === undefined) response.writeHead(202).end();
        else json(response, {}, 404);
      }),
    );
    const { diagnosis } = await failAt(`${origin}/mcp`, {}, '2025-11-25');
    expect(diagnosis).toMatchObject({ code: 'session-invalid' });
  });

  test('shows its challenge as evidence of the step, without secrets', async () => {
    const challenge = 'Bearer error="invalid_token", error_description="The token is old"';
    const { origin } = started(await startHttp(refuse(401, { 'www-authenticate': challenge })));
    const { diagnosis } = await failAt(`${origin}/mcp`, { headers: { Authorization: 'Bearer s3cret' } });
    expect(diagnosis.what).toMatch(/rejected the credentials.*The token is old/);
    expect(line(diagnosis, 'authorization')).toContain('error="invalid_token"');
    expect(line(diagnosis, 'authorization')).toContain('sent: Authorization');
    expect(JSON.stringify(diagnosis)).not.toContain('s3cret');
  });
});

describe('a TLS failure', () => {
  test.each<[Certificate, Partial<UrlTarget>, string, RegExp]>([
    ['self-signed', {}, 'tls-self-signed', /self-signed/],
    ['server', {}, 'tls-unknown-authority', /CN=mcp-inspect test authority/],
    ['expired', { tls: { ca: [AUTHORITY] } }, 'tls-expired', /expired on 2021-01-01/],
    [
      'elsewhere',
      { tls: { ca: [AUTHORITY] } },
      'tls-wrong-name',
      /not for 127\.0\.0\.1 but for elsewhere\.example, \*\.elsewhere\.example/,
    ],
  ])('%s: shows the certificate and can be bypassed', async (certificate, over, code, words) => {
    const { origin } = started(await startTls(certificate, refuse(404)));
    const { diagnosis } = await failAt(`${origin}/mcp`, over);
    expect(diagnosis).toMatchObject({ code, actions: [{ kind: 'skip-verification' }] });
    expect(failed(diagnosis)).toBe('tls');
    expect(diagnosis.what).toMatch(words);
    expect(line(diagnosis, 'tls')).toMatch(
      /TLSv1\.3.*\ncertificate NOT verified\nsubject CN=.*\nissuer CN=.*\nnames .*\nvalid 20.*\nSHA-256 /,
    );
  });

  test('shows that a client certificate is needed', async () => {
    const demanding = { requestCert: true, rejectUnauthorized: true };
    const { origin } = started(await startTls('server', refuse(404), demanding));
    const { diagnosis } = await failAt(`${origin}/mcp`, { tls: { ca: [AUTHORITY] } });
    expect(diagnosis).toMatchObject({
      code: 'tls-client-certificate',
      what: expect.stringContaining('none was given'),
    });
  });

  test('offers http for a plain server reached by https, and https for a TLS server reached by http', async () => {
    const plain = started(await startHttp(refuse(404)));
    const asHttps = plain.origin.replace('http:', 'https:');
    expect((await failAt(`${asHttps}/mcp`)).diagnosis).toMatchObject({
      code: 'tls-plain-server',
      actions: [{ kind: 'use-url', url: `${plain.origin}/mcp` }],
    });
    const secure = started(await startTls('server', refuse(404)));
    const { diagnosis } = await failAt(`${secure.origin.replace('https:', 'http:')}/mcp`);
    expect(diagnosis).toMatchObject({
      code: 'tls-expected',
      actions: [{ kind: 'use-url', url: `${secure.origin}/mcp` }],
    });
  });
});

describe('an HTTP proxy', () => {
  afterEach(() => vi.unstubAllEnvs());

  /** Names the HTTP proxy in the environment, with a user name and a password. */
  async function named(options: Parameters<typeof startConnectProxy>[0]): Promise<ConnectProxy> {
    const proxy = started(await startConnectProxy(options));
    vi.stubEnv('HTTP_PROXY', proxy.origin.replace('//', '//ada:s3cret@'));
    vi.stubEnv('NO_PROXY', '');
    return proxy;
  }

  test('that fails is the failed step, without its password', async () => {
    const proxy = await named({ leads: {}, authorization: 'Basic other' });
    const { diagnosis, tab } = await failAt('http://192.0.2.1/mcp');
    expect(diagnosis).toMatchObject({ code: 'proxy-credentials', steps: { length: 8 } });
    expect(failed(diagnosis)).toBe('proxy');
    expect(line(diagnosis, 'proxy')).toBe(`${proxy.origin}, from HTTP_PROXY\nCONNECT 192.0.2.1:80: HTTP 407`);
    expect(diagnosisText(diagnosis, '')).toMatch(/^- +TCP +by the HTTP proxy$/m);
    for (const { bytes } of tab.frames) expect(Buffer.from(bytes).toString()).not.toMatch(/s3cret|ada:/);
    expect(JSON.stringify(diagnosis)).not.toMatch(/s3cret|ada/);
  });

  test('that does not listen is named with the reason', async () => {
    const proxy = await named({ leads: {} });
    await proxy.close();
    open.pop();
    const { diagnosis } = await failAt('http://192.0.2.1/mcp');
    expect(diagnosis.code).toBe('proxy-unreachable');
    expect(line(diagnosis, 'proxy')).toBe(`${proxy.origin}, from HTTP_PROXY: ECONNREFUSED`);
  });

  test('that works is an earlier step of another failure', async () => {
    const server = started(await startHttp(refuse(404)));
    const proxy = await named({ leads: { '192.0.2.1:80': server.port } });
    const { diagnosis, further } = await failAt('http://192.0.2.1/mcp');
    expect(diagnosis).toMatchObject({ code: 'not-found' });
    expect(diagnosis.steps.map(({ state }) => state).slice(0, 5)).toEqual(['ok', 'ok', 'unused', 'unused', 'failed']);
    expect(line(diagnosis, 'proxy')).toContain('CONNECT 192.0.2.1:80: HTTP 200');
    // The requests of "Look further" go through it too.
    await further();
    expect(proxy.asked.every(({ target }) => target === '192.0.2.1:80')).toBe(true);
    expect(server.seen.map(({ url }) => url)).toContain('/sse');
  });

  test('is not used for this machine', async () => {
    const server = started(await startHttp(refuse(404)));
    const proxy = await named({ leads: {} });
    expect((await failAt(`${server.origin}/mcp`)).diagnosis).toMatchObject({ code: 'not-found', steps: { length: 7 } });
    expect(proxy.asked).toEqual([]);
  });
});

describe('an address without a server', () => {
  async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  test('both addresses refuse', async () => {
    const { diagnosis, further } = await failAt(`http://127.0.0.1:${await freePort()}/mcp`);
    expect(diagnosis).toMatchObject({ code: 'refused-here', actions: [{ kind: 'look-further', where: 'loopback' }] });
    expect(failed(diagnosis)).toBe('tcp');
    expect(line(diagnosis, 'tcp')).toContain('ECONNREFUSED');
    expect((await further('loopback')).what).toContain('tried 127.0.0.1 and ::1');
  });

  test('the server listens at the other address', async () => {
    const { origin } = started(await startHttp(refuse(404)));
    const { port } = new URL(origin);
    const { diagnosis, further } = await failAt(`http://[::1]:${port}/mcp`, { headers: { 'X-Team': 's3cret' } });
    expect(diagnosis).toMatchObject({ code: 'refused-here' });
    expect(await further('loopback')).toMatchObject({
      what: expect.stringContaining('something answers at 127.0.0.1'),
      actions: [{ kind: 'use-url', url: `${origin}/mcp` }],
    });
  });

  test('an address that mcp-inspect refuses', async () => {
    const { diagnosis } = await failAt('http://169.254.169.254/mcp');
    expect(diagnosis).toMatchObject({ code: 'address-refused', advice: expect.stringContaining('--allow-link-local') });
    expect(failed(diagnosis)).toBe('dns');
  });
});

describe('looking further', () => {
  const at =
    (paths: Record<string, Answer>): Answer =>
    (seen, response) =>
      (paths[seen.url] ?? refuse(404))(seen, response);

  test('finds Streamable HTTP at /mcp, with the headers of its origin', async () => {
    const mcp: Answer = ({ message }, response) =>
      json(response, { jsonrpc: '2.0', id: message?.id, error: { code: -32000, message: 'not initialized' } }, 400);
    const server = started(await startHttp(at({ '/mcp': mcp })));
    const { diagnosis, further, tab } = await failAt(`${server.origin}/`, { headers: { 'X-Team': 's3cret' } });
    expect(diagnosis.actions).toEqual([{ kind: 'look-further', where: 'paths' }]);
    const found = await further();
    expect(found).toMatchObject({
      code: 'not-found',
      advice: expect.stringContaining('A Streamable HTTP server answers at /mcp'),
      actions: [{ kind: 'use-url', url: `${server.origin}/mcp`, transport: 'http' }],
    });
    expect(server.seen.filter(({ url }) => url === '/mcp')[0]).toMatchObject({
      headers: { 'x-team': 's3cret' },
      message: { method: 'ping' },
    });
    expect(tab.frames.every(({ bytes }) => !Buffer.from(bytes).includes('s3cret'))).toBe(true);
    expect(tab.texts('lifecycle').at(-1)).toBe('{"event":"look-further","where":"paths"}');
    expect(logOf(tab).state.connection.state).toBe('failed');
  });

  test('suggests another transport if nothing answers with the chosen one', async () => {
    const { origin } = started(await startHttp(refuse(404)));
    const { further } = await failAt(`${origin}/mcp`, { transport: 'sse' });
    expect(await further()).toMatchObject({
      code: 'not-found',
      advice: 'No MCP server answered at /sse or / either. Leave out `--transport`, or choose the transport auto.',
      actions: [{ kind: 'use-url', url: `${origin}/mcp`, transport: 'auto' }],
    });
  });

  test('finds HTTP+SSE at /sse, and closes its stream', async () => {
    let closed = false;
    const sse: Answer = (_, response) => {
      stream(response, 'event: endpoint\ndata: /messages?s=1\n\n').on('close', () => {
        closed = true;
      });
    };
    const server = started(await startHttp(at({ '/sse': sse })));
    const { further } = await failAt(`${server.origin}/api/mcp`);
    expect((await further()).actions).toEqual([{ kind: 'use-url', url: `${server.origin}/sse`, transport: 'sse' }]);
    await server.until(() => closed);
  });

  test('finds nothing, and says where it looked', async () => {
    const { origin } = started(await startHttp((_, response) => text(response, '<html>')));
    const { further } = await failAt(`${origin}/mcp`);
    expect(await further()).toMatchObject({
      code: 'web-page',
      advice: expect.stringContaining('at /sse or / either'),
      actions: [],
    });
  });

  test('takes an address that wants a token for the server', async () => {
    const wants = refuse(401, { 'www-authenticate': 'Bearer' });
    const { origin } = started(await startHttp(at({ '/mcp': wants })));
    const { further } = await failAt(`${origin}/`);
    expect(await further()).toMatchObject({ actions: [{ kind: 'use-url', url: `${origin}/mcp`, transport: 'auto' }] });
  });

  test('works only after a failure, and never for a command', async () => {
    const { origin } = started(
      await startHttp(({ message, method }, response) => {
        if (method !== 'POST') response.writeHead(405).end();
        else if (message?.method === 'initialize') json(response, initialized(message.id));
        else if (message?.id === undefined) response.writeHead(202).end();
        else json(response, result(message.id, {}));
      }),
    );
    const tab = await started(await openHub()).tab();
    const connection = await tab.connect({ transport: 'http', url: `${origin}/mcp` }, 'open', '2025-11-25');
    const answer = await tab.ask({ type: 'look-further', connection, where: 'paths' });
    expect(answer).toMatchObject({ type: 'error', code: 'nothing-failed' });
    expect(diagnose(logOf(tab))).toBeUndefined();
  });

  test('does not take an unrelated event stream for the server', async () => {
    const { origin } = started(
      await startHttp(at({ '/sse': (_, response) => void stream(response, event({ news: 1 })) })),
    );
    const { further } = await failAt(`${origin}/nothing`);
    expect(await further()).toMatchObject({ actions: [] });
  });
});
