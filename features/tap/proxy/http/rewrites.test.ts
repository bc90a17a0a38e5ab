import { describe, expect, test } from 'vitest';
import {
  EndpointRewriter,
  endToEnd,
  isResourceMetadata,
  isServerMetadata,
  metadataPath,
  moved,
  responseHeaders,
  rewriteIssuer,
  rewrittenRequestHeaders,
} from './rewrites';

const ORIGINS = { server: 'https://mcp.example', host: 'mcp.example', tap: 'http://127.0.0.1:6280' };

test.each([
  ['https://mcp.example/a?b#c', 'http://127.0.0.1:6280/a?b#c'],
  ['https://mcp.example', 'http://127.0.0.1:6280'],
  ['https://mcp.example:443/', 'http://127.0.0.1:6280/'],
  ['https://mcp.example.evil/', 'https://mcp.example.evil/'],
  ['https://mcp.example@evil.example/', 'https://mcp.example@evil.example/'],
  ['http://mcp.example/', 'http://mcp.example/'],
  ['/mcp', '/mcp'],
])('moves %s to %s', (from, to) => {
  expect(moved(from, ORIGINS.server, ORIGINS.tap)).toBe(to);
});

describe('headers', () => {
  test('attack: a Connection header hides neither the length of a body nor anything that it does not name', () => {
    const headers = [
      ['Connection', 'close, X-Secret, Content-Length'],
      ['X-Secret', '1'],
      ['Content-Length', '3'],
      ['Transfer-Encoding', 'chunked'],
      ['Keep-Alive', 'timeout=5'],
      ['Proxy-Authorization', 'Basic x'],
      ['TE', 'trailers'],
      ['Upgrade', 'h2c'],
      ['Expect', '100-continue'],
      ['Mcp-Session-Id', 's'],
    ] as const;
    expect(endToEnd(headers)).toEqual([
      ['Content-Length', '3'],
      ['Mcp-Session-Id', 's'],
    ]);
  });

  test('of a request are those that the server would have got', () => {
    const headers = [
      ['host', '127.0.0.1:6280'],
      ['origin', ORIGINS.tap],
      ['Referer', `${ORIGINS.tap}/x`],
      ['accept-encoding', 'gzip'],
      ['Authorization', 'Bearer t'],
      ['X-Twice', '1'],
      ['x-twice', '2'],
    ] as const;
    expect(rewrittenRequestHeaders(headers, ORIGINS)).toEqual([
      ['Host', 'mcp.example'],
      ['origin', 'https://mcp.example'],
      ['Referer', 'https://mcp.example/x'],
      ['Authorization', 'Bearer t'],
      ['X-Twice', '1'],
      ['x-twice', '2'],
      ['Accept-Encoding', 'identity'],
    ]);
  });

  test('of a response lead to the tap', () => {
    const challenge =
      'Bearer error="x", resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"';
    expect(
      responseHeaders(
        [
          ['Location', 'https://mcp.example/other'],
          ['location', 'https://elsewhere.example/'],
          ['WWW-Authenticate', challenge],
          ['www-authenticate', 'Bearer resource_metadata=https://elsewhere.example/x'],
        ],
        ORIGINS,
      ),
    ).toEqual([
      ['Location', 'http://127.0.0.1:6280/other'],
      ['location', 'https://elsewhere.example/'],
      ['WWW-Authenticate', challenge.replace('https://mcp.example', ORIGINS.tap)],
      ['www-authenticate', 'Bearer resource_metadata=https://elsewhere.example/x'],
    ]);
    expect(metadataPath([['www-authenticate', challenge]], ORIGINS.server)).toBe(
      '/.well-known/oauth-protected-resource/mcp',
    );
    expect(metadataPath([['www-authenticate', 'Bearer resource_metadata=https://e.example/x']], ORIGINS.server)).toBe(
      undefined,
    );
  });
});

describe('metadata', () => {
  test('of an authorization server names the tap as issuer, and everything else as it was', () => {
    const issuer = { issuer: 'https://mcp.example', token_endpoint: 'https://mcp.example/token' };
    expect(JSON.parse(rewriteIssuer(JSON.stringify(issuer), ORIGINS)!)).toEqual({ ...issuer, issuer: ORIGINS.tap });
  });

  test.each([
    ['another issuer, which a host has to refuse', '{"issuer":"https://evil.example"}'],
    ['text', 'not JSON'],
    ['an array', '["https://mcp.example"]'],
    ['a prototype', '{"issuer":"https://mcp.example","__proto__":{}}'],
  ])('with %s passes as it is', (_what, text) => {
    expect(rewriteIssuer(text, ORIGINS)).toBe(undefined);
  });

  test('is known by its path', () => {
    expect(
      ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'].map(isResourceMetadata),
    ).toEqual([true, true]);
    expect(isResourceMetadata('/.well-known/oauth-protected-resources')).toBe(false);
    expect(
      [
        '/.well-known/oauth-authorization-server/a',
        '/.well-known/openid-configuration',
        '/a/.well-known/openid-configuration',
      ].map(isServerMetadata),
    ).toEqual([true, true, true]);
    expect(isServerMetadata('/mcp')).toBe(false);
  });
});

describe('the endpoint event of HTTP+SSE', () => {
  const rewritten = (text: string, bytes = text.length): string => {
    const rewriter = new EndpointRewriter(ORIGINS);
    const passed: Buffer[] = [];
    for (let at = 0; at < text.length; at += bytes) {
      passed.push(rewriter.rewrite(Buffer.from(text.slice(at, at + bytes), 'latin1')));
    }
    return Buffer.concat([...passed, rewriter.end()]).toString('latin1');
  };
  const rest = 'event: message\ndata: {"x":"https://mcp.example/"}\n\nid: 1\ndata:';

  test.each([1, 7, 1000])('leads to the tap, in pieces of %d bytes', (bytes) => {
    const stream = (origin: string) =>
      `: hello\n\nevent: endpoint\r\ndata: ${origin}/message?sessionId=1\r\n\r\n${rest}`;
    expect(rewritten(stream('https://mcp.example'), bytes)).toBe(stream(ORIGINS.tap));
  });

  test.each([
    `event: endpoint\ndata: /message?s=1\n\n${rest}`,
    `event: endpoint\ndata: https://evil.example/x\n\n${rest}`,
    rest,
    ': no event',
    `data: ${'x'.repeat(40_000)}`,
    '',
  ])('is the only thing that changes', (text) => {
    expect(rewritten(text, 1000)).toBe(text);
  });

  test.each(['\n\r\n', '\r\n\n', '\r\n\r\n', '\n\r', '\r\r', '\r\r\n'])(
    'does not hold a stream whose event ends with %j',
    (blank) => {
      const rewriter = new EndpointRewriter(ORIGINS);
      const event = `data: {"n":1}${blank}`;
      expect(String(rewriter.rewrite(Buffer.from(event)))).toBe(event);
      const endpoint = (origin: string) => `: a${blank}event: endpoint\ndata: ${origin}/m${blank}data: 1`;
      for (const bytes of [1, 3, 1000]) {
        expect(rewritten(endpoint('https://mcp.example'), bytes)).toBe(endpoint(ORIGINS.tap));
      }
    },
  );

  test('waits for no more than its event', () => {
    const rewriter = new EndpointRewriter(ORIGINS);
    expect(String(rewriter.rewrite(Buffer.from('id: 1\ndata:\n\nda')))).toBe('id: 1\ndata:\n\nda');
    expect(String(rewriter.rewrite(Buffer.from('ta: 2')))).toBe('ta: 2');
  });
});
