import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Negotiated } from '@/lib/mcp/handshake';
import { AUTHORITY, certificateFile, startTls } from '@/proxy/connection/fixtures/tls-fixture';
import { type ProxyUrlLaunch, prepareLaunch, resolveLaunch } from '@/proxy/connection/launch';
import { ERAS } from './test-check';
import { checkUrl } from './url-step';

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

type Fault = 'redirect' | 'host' | 'origin' | 'cors' | 'credentials' | 'preflight' | 'authorization' | 'everywhere';
/** Methods that the server got. */
let methods: string[] = [];

function handle(faults: readonly Fault[], request: IncomingMessage, response: ServerResponse): void {
  const has = (fault: Fault): boolean => faults.includes(fault);
  const { host = '', origin } = request.headers;
  methods.push(request.method!);
  if (request.method === 'OPTIONS') {
    const { 'access-control-request-method': method, 'access-control-request-headers': names } = request.headers;
    if (!has('preflight') || method !== 'POST' || !names?.includes('content-type'))
      return void response.writeHead(405).end();
    return void response
      .writeHead(204, { 'access-control-allow-origin': '*', 'access-control-allow-headers': names })
      .end();
  }
  if (request.method === 'DELETE') return void response.writeHead(200).end();
  if (has('redirect')) return void response.writeHead(307, { location: '/mcp/' }).end();
  if (has('authorization')) return void response.writeHead(401).end();
  const isForeignHost = !/^(?:localhost|127\.0\.0\.\d):\d+$/.test(host);
  if (isForeignHost && !has('host')) return void response.writeHead(403).end();
  if (origin !== undefined && !has('origin') && !(has('host') && origin === `http://${host}`))
    return void response.writeHead(403).end();
  response.writeHead(200, {
    'content-type': 'application/json',
    'mcp-session-id': 'a',
    ...(has('cors') && { 'access-control-allow-origin': '*' }),
    ...(has('credentials') && {
      'access-control-allow-origin': origin ?? '',
      'access-control-allow-credentials': 'true',
    }),
  });
  response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
}

async function check(era: keyof typeof ERAS, ...faults: Fault[]) {
  methods = [];
  server = createServer((request, response) => handle(faults, request, response));
  await new Promise<void>((resolve) =>
    server!.listen(0, faults.includes('everywhere') ? '0.0.0.0' : '127.0.0.1', resolve),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return checkUrl({
    launch: resolveLaunch({ transport: 'http', url }, 'auto', []) as ProxyUrlLaunch,
    negotiated: { era, version: ERAS[era], capabilities: {} } as Negotiated,
    version: '0.0.0-test',
    allowLocal: false,
    addresses: ['127.0.0.2'],
  });
}

describe.each(['legacy', 'modern'] as const)('a %s server', (era) => {
  test('that refuses foreign pages and hosts has no problems, and its sessions are ended', async () => {
    expect(await check(era)).toMatchObject({ findings: [] });
    expect(methods).toEqual(['POST', 'DELETE', 'POST', 'POST']);
  });

  test.each<[Fault[], string[]]>([
    [['host'], ['dns-rebinding']],
    [['origin'], ['foreign-origin-accepted']],
    [
      ['origin', 'host'],
      ['foreign-origin-accepted', 'dns-rebinding'],
    ],
    [
      ['origin', 'cors'],
      ['foreign-origin-accepted', 'cors-any-origin'],
    ],
    [
      ['origin', 'credentials'],
      ['foreign-origin-accepted', 'cors-credentials'],
    ],
    [
      ['origin', 'preflight'],
      ['foreign-origin-accepted', 'cors-any-origin'],
    ],
    // No page can send the request.
    [['preflight'], []],
    [['everywhere'], ['listens-beyond-loopback']],
  ])('%j: %j', async (faults, rules) => {
    expect((await check(era, ...faults)).findings.map(({ rule }) => rule)).toEqual(rules);
  });

  test('that asks for authorization is protected by it', async () => {
    expect(await check(era, 'authorization', 'origin', 'host')).toMatchObject({
      findings: [],
      skipped: expect.stringContaining('authorization'),
    });
  });

  test('that redirects is not said to want a session', async () => {
    expect((await check(era, 'redirect')).skipped).toMatch(/no response in time, or a redirect\.$/);
  });
});

test.each([
  [15, []],
  [13, ['certificate-expires']],
  [-1, ['certificate-expires']],
])('a certificate that is valid for %i more days: %j', async (days, rules) => {
  const { validTo } = new X509Certificate(readFileSync(certificateFile('server')));
  const tls = await startTls('server', (_, response) => response.writeHead(200).end('{"result":{}}'));
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse(validTo) - days * 24 * 60 * 60 * 1000);
  try {
    const url = `${tls.origin}/mcp`;
    const launch = await prepareLaunch({ transport: 'http', url, tls: { ca: [AUTHORITY] } }, 'auto', []);
    const { findings } = await checkUrl({
      launch: launch as ProxyUrlLaunch,
      negotiated: { era: 'legacy', version: ERAS.legacy, capabilities: {} } as Negotiated,
      version: '0.0.0-test',
      allowLocal: false,
      addresses: [],
    });
    expect(findings.map(({ rule }) => rule).filter((rule) => rule.startsWith('certificate'))).toEqual(rules);
  } finally {
    vi.restoreAllMocks();
    await tls.close();
  }
});

test('a host elsewhere without TLS', async () => {
  const step = await checkUrl({
    launch: resolveLaunch({ transport: 'http', url: 'http://no-such-host.invalid/mcp' }, 'auto', []) as ProxyUrlLaunch,
    negotiated: { era: 'legacy', version: ERAS.legacy, capabilities: {} } as Negotiated,
    version: '0.0.0-test',
    allowLocal: false,
    addresses: [],
  });
  expect(step.findings.map(({ rule }) => rule)).toEqual(['no-encryption']);
});
