import { describe, expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { framesOf, got, happened, sent } from '@/lib/store/test-frames';
import type { HttpFrame, HttpProxyHop, SocketFrame, SocketStep } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { messagesRead } from './attempt-facts';
import { diagnose } from './diagnose';
import { diagnosisText, stepLabel } from './diagnosis';

type Line = HttpFrame | LifecycleEvent | { readonly jsonrpc: '2.0'; readonly id?: number; readonly method: string };

/** Returns a log of these frames, a millisecond apart. */
function logOf(...lines: readonly Line[]): Log {
  const log = new Log('c');
  log.append(
    lines.map((line, index) => ({
      seq: index + 1,
      time: (index + 1) * 1000,
      channel: 'kind' in line ? ('http' as const) : 'event' in line ? ('lifecycle' as const) : ('protocol' as const),
      direction: 'jsonrpc' in line ? ('to-server' as const) : ('to-client' as const),
      flags: 0,
      bytes: new TextEncoder().encode(JSON.stringify(line)),
    })),
  );
  return log;
}

function start(url: string): LifecycleEvent {
  return {
    event: 'start',
    at: '2026-01-01T00:00:00Z',
    name: 'x',
    transport: 'auto',
    url,
    headerNames: [],
    protocol: 'auto',
  };
}

const request = (url: string): HttpFrame => ({
  kind: 'request',
  exchange: 1,
  method: 'POST',
  url,
  headers: [],
  bytes: 9,
});
const asked: Line = { jsonrpc: '2.0', id: 1, method: 'initialize' };
const failure = { event: 'failed', code: 'network-error', message: 'It failed.', advice: 'Look.' } as const;
const end: HttpFrame = { kind: 'end', exchange: 1, by: 'failure', code: 'network-error', message: 'It failed.' };

function socket(step: SocketStep | undefined, code: string, over: Partial<SocketFrame> = {}): SocketFrame {
  const broken = step && { failure: { step, code, message: 'no' } };
  const place = { host: 'h.example', port: 443, addresses: ['192.0.2.1'], dnsMs: 1 };
  return { kind: 'socket', exchange: 1, ...place, ...(step !== 'dns' && { address: '192.0.2.1' }), ...broken, ...over };
}

const MCP = 'https://h.example/mcp';

const HOP: HttpProxyHop = {
  url: 'http://proxy.example:3128',
  variable: 'HTTPS_PROXY',
  address: '198.51.100.1',
  target: 'h.example:443',
  status: 200,
  ms: 7,
};

function diagnosisOf(url: string, ...frames: readonly Line[]) {
  return diagnose(logOf(start(url), request(url), asked, ...frames, end, failure))!;
}

describe('failures that test servers cannot produce', () => {
  test.each<[SocketStep, string, string, RegExp]>([
    ['dns', 'ENOTFOUND', 'host-unknown', /Could not find the host h\.example/],
    ['dns', 'EAI_AGAIN', 'resolver-silent', /online/],
    ['dns', 'EOTHER', 'dns-failed', /It failed/],
    ['tcp', 'ECONNREFUSED', 'refused', /Nothing listens on port 443 of h\.example/],
    ['tcp', 'ETIMEDOUT', 'connect-timeout', /firewall/],
    ['tcp', 'EHOSTUNREACH', 'unreachable', /no route to 192\.0\.2\.1/],
    ['tcp', 'ENETUNREACH', 'unreachable', /VPN/],
    ['tcp', 'ECONNRESET', 'connect-failed', /It failed/],
    ['tls', 'CERT_NOT_YET_VALID', 'tls-not-yet-valid', /clocks/],
    ['tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-unknown-authority', /intermediate/],
    ['tls', 'ECONNRESET', 'tls-cut', /closed during the TLS handshake/],
    ['tls', 'ETIMEDOUT', 'tls-cut', /did not answer the TLS handshake/],
    ['tls', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls-failed', /TLS versions/],
    ['tls', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tls-client-certificate', /client certificate/],
  ])('%s %s', (step, code, remedy, words) => {
    const diagnosis = diagnosisOf('https://h.example/mcp', socket(step, code));
    expect(diagnosis).toMatchObject({ code: remedy, seq: 4 });
    expect(diagnosis.steps.find(({ state }) => state === 'failed')?.id).toBe(step);
    expect(`${diagnosis.what} ${diagnosis.advice}`).toMatch(words);
  });

  test('names both addresses of localhost', () => {
    const here = { host: 'localhost', port: 3000, addresses: ['::1', '127.0.0.1'] };
    const { what, actions, steps } = diagnosisOf(
      'http://localhost:3000/mcp',
      socket('tcp', 'ECONNREFUSED', { ...here, address: '::1' }),
      socket('tcp', 'ECONNREFUSED', { ...here, address: '127.0.0.1' }),
    );
    expect(what).toBe('Nothing listens on port 3000 of this machine (tried ::1 and 127.0.0.1).');
    expect(actions).toEqual([]);
    expect(steps[1]?.evidence).toEqual([
      { text: '[::1]:3000 ECONNREFUSED', seq: 4 },
      { text: '127.0.0.1:3000 ECONNREFUSED', seq: 5 },
    ]);
  });

  test.each([
    'proxy-invalid',
    'proxy-unreachable',
    'proxy-untrusted',
    'proxy-credentials',
    'proxy-refused',
    'proxy-cannot-connect',
  ])('%s is a failure of the HTTP proxy', (code) => {
    const frame = socket('proxy', code, { address: undefined, httpProxy: HOP });
    const failed = { ...failure, code };
    const log = logOf(start(MCP), request(MCP), asked, frame, { ...end, code }, failed);
    expect(diagnose(log)).toMatchObject({ code, what: failure.message, advice: failure.advice, seq: 4 });
    expect(diagnose(log)?.steps.find(({ state }) => state === 'failed')?.id).toBe('proxy');
  });

  test('recognises a gateway’s redirect to https', () => {
    const frames: HttpFrame[] = [
      socket(undefined, '', { port: 80 }),
      { kind: 'response', exchange: 1, status: 301, headers: [['Location', 'https://h.example/mcp']] },
    ];
    const log = logOf(start('http://h.example/mcp'), request('http://h.example/mcp'), asked, ...frames, {
      ...failure,
      code: 'redirect-refused',
    });
    expect(diagnose(log)).toMatchObject({
      code: 'redirected',
      what: expect.stringContaining('it requires HTTPS'),
      actions: [{ kind: 'use-url', url: 'https://h.example/mcp' }],
    });
  });

  test.each<[string, readonly string[], string]>([
    ['one URL', ['/mcp', '/mcp', '/mcp'], '/mcp redirects to itself (HTTP 307).'],
    ['two URLs', ['/a', '/mcp', '/b?c', '/mcp', '/b?c'], '/mcp and /b?c redirect to each other (HTTP 307).'],
    ['three URLs', ['/a', '/b', '/c', '/a'], '/a, /b, and /c redirect in a circle (HTTP 307).'],
    ['new URLs', ['/mcp', '/mcp?k=1', '/mcp?k=2'], `more than 2 times. The last URL was https://h.example/mcp?k=2.`],
    ['masked URLs', ['/?key=•', '/?key=•', '/?key=•'], 'more than 2 times. The last URL was https://h.example/?key=•.'],
  ])('names redirects between %s', (_what, paths, words) => {
    const hops = paths.flatMap((path): HttpFrame[] => [
      request(`https://h.example${path}`),
      { kind: 'response', exchange: 1, status: 307, headers: [['location', '/']] },
    ]);
    const [first, ...rest] = hops;
    const failed = { ...failure, code: 'redirect-loop' };
    const diagnosis = diagnose(logOf(start(MCP), first!, asked, ...rest, failed));
    expect(diagnosis).toMatchObject({ code: 'redirected', what: expect.stringContaining(words) });
  });

  test.each([
    [[], 'If you trust https://other.example, use https://other.example/mcp as the URL.'],
    [['X-Key'], 'If you trust https://other.example, use https://other.example/mcp as the URL, with the same headers.'],
  ])('asks whether another origin is trusted, with the headers %j', (headerNames, advice) => {
    const response: HttpFrame = {
      kind: 'response',
      exchange: 1,
      status: 302,
      headers: [['location', 'https://other.example/mcp']],
    };
    const began = { ...start(MCP), headerNames } as LifecycleEvent;
    const log = logOf(began, request(MCP), asked, response, { ...failure, code: 'redirect-refused' });
    const what = expect.stringContaining('/mcp redirects (HTTP 302) to another origin: https://other.example/mcp.');
    expect(diagnose(log)).toMatchObject({ what, advice });
  });

  test.each(['ftp://h.example/', 'https://u:p@h.example/', 'javascript:alert(1)', 'http://h.example/mcp'])(
    'never offers a redirect from https to %s',
    (location) => {
      const log = logOf(
        start('https://h.example/mcp'),
        request('https://h.example/mcp'),
        asked,
        { kind: 'response', exchange: 1, status: 302, headers: [['location', location]] },
        { ...failure, code: 'redirect-refused' },
      );
      expect(diagnose(log)).toMatchObject({ code: 'redirected', actions: [] });
    },
  );
});

test.each([
  ['http://', 'announces the endpoint "http://", which is an invalid URL'],
  ['https://other.example/x', 'announces an endpoint at another origin, https://other.example.'],
])('says what is wrong with the endpoint %s', (data, words) => {
  const event: HttpFrame = { kind: 'sse', exchange: 1, event: 'endpoint', data };
  const failed = { ...failure, code: 'endpoint-refused' };
  const diagnosis = diagnose(logOf(start(MCP), { ...request(MCP), method: 'GET' } as HttpFrame, asked, event, failed));
  expect(diagnosis).toMatchObject({ code: 'endpoint-refused', what: expect.stringContaining(words) });
});

test('ignores sign-in requests when looking for the failure', () => {
  const refused: HttpFrame = { kind: 'response', exchange: 1, status: 401, headers: [['www-authenticate', 'Bearer']] };
  const metadata = [
    { kind: 'request', exchange: 2, method: 'GET', url: 'https://h.example/.well-known/x', headers: [], bytes: 0 },
    { kind: 'response', exchange: 2, status: 404, headers: [] },
  ] as const;
  expect(diagnosisOf(MCP, refused, ...metadata)).toMatchObject({ code: 'unauthorized', seq: 4 });
});

test('reports why sign-in failed', () => {
  const refused: HttpFrame = { kind: 'response', exchange: 1, status: 401, headers: [['www-authenticate', 'Bearer']] };
  const why = { code: 'issuer-mismatch', message: 'It is another one.', advice: 'Correct it.' };
  const log = logOf(
    start('https://h.example/mcp'),
    { event: 'authorization', phase: 'refused', ...why },
    { event: 'failed', ...why },
  );
  expect(diagnose(log)).toMatchObject({ code: 'sign-in-failed', what: why.message, advice: why.advice });
  expect(diagnosisOf('https://h.example/mcp', refused)).toMatchObject({ code: 'unauthorized' });
});

test('names evicted messages to load, and reads them once they are loaded', () => {
  const http = (frame: HttpFrame) => ({ ...got(JSON.stringify(frame)), channel: 'http' as const });
  const frames = framesOf([
    happened(start(MCP)),
    http(request(MCP)),
    sent({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    http({ kind: 'response', exchange: 1, status: 200, headers: [['content-type', 'application/json']] }),
    http({ kind: 'body', exchange: 1, bytes: 9 }),
    got({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Not today' } }),
    happened({ ...failure, code: 'handshake-failed' }),
  ]);
  const log = new Log('c', { held: 0, again: 10_000 });
  for (const frame of frames) log.append([frame]);
  const away = messagesRead(log).filter((seq) => !log.hasBytes(seq));
  expect(away).toEqual([3, 6]);
  expect(diagnose(log)?.what).not.toContain('Not today');
  log.restore(frames.filter(({ seq }) => away.includes(seq)));
  expect(diagnose(log)).toMatchObject({ code: 'handshake-refused', what: expect.stringContaining('Not today') });
});

describe('a request after the handshake', () => {
  const opened = [
    start(MCP),
    request(MCP),
    asked,
    { kind: 'response', exchange: 1, status: 200, headers: [['content-type', 'application/json']] },
    { event: 'open', era: 'legacy', version: '2025-06-18' },
  ] as const;
  const next = (exchange: number): HttpFrame => ({ ...request(MCP), exchange }) as HttpFrame;

  test('that is redirected leaves the handshake done', () => {
    const log = logOf(
      ...opened,
      next(2),
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { kind: 'response', exchange: 2, status: 302, headers: [['location', '/login']] },
    );
    const diagnosis = diagnose(log, { ...failure, code: 'redirect-refused' })!;
    expect(diagnosis).toMatchObject({
      code: 'redirected',
      what: expect.stringMatching(
        /^After the handshake, tools\/list was redirected \(HTTP 302\) from \/mcp to \S+\/login, which looks like/,
      ),
    });
    expect(diagnosis.steps.at(-1)).toMatchObject({ id: 'mcp', state: 'ok', evidence: [{ text: '2025-06-18' }] });
  });

  test('that timed out is named, not the notification that cancelled it', () => {
    const log = logOf(
      ...opened,
      next(2),
      { jsonrpc: '2.0', id: 2, method: 'tools/call' },
      { kind: 'response', exchange: 2, status: 200, headers: [['content-type', 'text/event-stream']] },
      next(3),
      { jsonrpc: '2.0', method: 'notifications/cancelled' },
      { kind: 'response', exchange: 3, status: 202, headers: [] },
    );
    expect(diagnose(log, { ...failure, code: 'timeout' })).toMatchObject({
      code: 'silent',
      what: 'It failed. HTTP 200 came with text/event-stream, but no response to tools/call.',
    });
  });
});

test.each<[string, [string, string][], string, RegExp]>([
  [
    'a body',
    [['content-type', 'application/json']],
    '1 byte of a body: `{`. Its end did not come.',
    /^End the response\./,
  ],
  [
    'a body that is too short',
    [
      ['content-type', 'application/json'],
      ['content-length', '9'],
    ],
    '1 byte of a body: `{`. Its Content-Length is 9.',
    /^End the response, or correct its Content-Length\./,
  ],
  [
    'an event',
    [['content-type', 'text/event-stream']],
    '1 byte of an event: `{`. The empty line that ends it did not come.',
    /^Write an empty line after each event/,
  ],
])('says what came of %s that never ends', (_what, headers, came, advice) => {
  const late = { ...failure, code: 'handshake-timeout' } as const;
  const log = logOf(
    start(MCP),
    request(MCP),
    asked,
    { kind: 'response', exchange: 1, status: 200, headers } as const,
    { kind: 'body', exchange: 1, bytes: 1, text: '{', cut: true },
    { kind: 'end', exchange: 1, by: 'client' },
    late,
  );
  expect(diagnose(log)).toMatchObject({
    code: 'silent',
    seq: 5,
    advice: expect.stringMatching(advice),
    what: `It failed. HTTP 200 came in answer to initialize, with ${came}`,
  });
});

describe('a log', () => {
  test('of another kind has no diagnosis', () => {
    expect(diagnose(new Log('c'))).toBeUndefined();
    expect(diagnose(logOf(start('http://h/')))).toBeUndefined();
  });

  test('without HTTP has the reported failure as its cause', () => {
    const diagnosis = diagnose(logOf(start('https://h/'), failure))!;
    expect(diagnosis).toMatchObject({ code: 'unknown', what: 'It failed.', seq: 2 });
    expect(diagnosis.steps.slice(0, 4).map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown', 'failed']);
  });

  test('with malformed frames has a diagnosis too', () => {
    const odd = [
      { kind: 'response', exchange: 1 },
      { kind: 'constructor', exchange: 1 },
      { kind: 'request' },
      { kind: 'end', exchange: 1 },
      { event: 'look-further' },
    ] as unknown as Line[];
    expect(diagnosisOf('http://${HOST}/mcp', ...odd)).toMatchObject({ code: 'unknown' });
  });
});

test('shows the HTTP proxy as a step, which leaves TCP to it', () => {
  const unknown = { addresses: [], address: undefined, dnsMs: 2, httpProxy: HOP };
  const { steps } = diagnosisOf(MCP, socket('tls', 'CERT_HAS_EXPIRED', unknown));
  expect(steps.slice(0, 4)).toMatchObject([
    { id: 'dns', state: 'ok', evidence: [{ text: 'h.example does not resolve here, so the HTTP proxy looks it up' }] },
    {
      id: 'proxy',
      state: 'ok',
      ms: 7,
      evidence: [
        { text: 'http://proxy.example:3128 at 198.51.100.1, from HTTPS_PROXY', seq: 4 },
        { text: 'CONNECT h.example:443: HTTP 200', seq: 4 },
      ],
    },
    { id: 'tcp', state: 'unused' },
    { id: 'tls', state: 'failed' },
  ]);
  expect(stepLabel(steps[2]!)).toBe('by the HTTP proxy');
  const direct = diagnosisOf(MCP, socket('tls', 'CERT_HAS_EXPIRED'));
  expect(direct.steps.map(({ id }) => id)).not.toContain('proxy');
});

test('says that the HTTP proxy may have replaced the certificate', () => {
  const { advice } = diagnosisOf(MCP, socket('tls', 'SELF_SIGNED_CERT_IN_CHAIN', { httpProxy: HOP }));
  expect(advice).toContain('The HTTP proxy may have replaced');
});

test('does not claim that a name resolved if the variable is wrong', () => {
  const failed = { ...failure, code: 'proxy-invalid' };
  const frame = socket('proxy', 'proxy-invalid', { addresses: [], address: undefined });
  const { steps } = diagnose(logOf(start(MCP), request(MCP), asked, frame, end, failed))!;
  expect(steps.map(({ state }) => state).slice(0, 3)).toEqual(['unknown', 'failed', 'not reached']);
});

test('writes text for a bug report', () => {
  const diagnosis = diagnosisOf('https://h.example/mcp', socket('tcp', 'ECONNREFUSED'));
  expect(diagnosisText(diagnosis, 'https://h.example/mcp')).toBe(
    `Connection doctor: https://h.example/mcp

ok      DNS            1 ms
          h.example resolves to 192.0.2.1  (#4)
FAILED  TCP
          192.0.2.1:443 ECONNREFUSED  (#4)
-       TLS            not reached
-       HTTP           not reached
-       Authorization  not reached
-       Content type   not reached
-       MCP version    not reached

Nothing listens on port 443 of h.example.
Start the server and check the port. Make sure that it listens on an address that this machine can reach, not only on 127.0.0.1.
Code: refused`,
  );
});
