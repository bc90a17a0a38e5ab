import { describe, expect, test } from 'vitest';
import type { HttpRequest, RedirectedRequest } from '@/lib/transports/http-link';
import { LIMITS } from '@/lib/wire/limits';
import { json } from '@/proxy/connection/fixtures/http-fixture';
import { pin } from '../address-policy';
import { redirected } from '../egress';
import { egress, fixture, request, textOf } from './test-egress';

describe('link-local addresses and metadata services', () => {
  const forbidden = [
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://metadata.google.internal/',
    'http://metadata.google.internal./',
    'http://METADATA.google.internal/',
    'http://0xA9FEA9FE/',
    'http://2852039166/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
  ];
  const publicly = async () => ['93.184.216.34'];

  test.each(forbidden)('%s is refused, and the reason names the flag', async (url) => {
    await expect(pin(new URL(url), { allowLocal: false }, publicly)).rejects.toMatchObject({
      code: 'address-refused',
      advice: expect.stringContaining('--allow-link-local'),
    });
  });

  test.each(forbidden)('%s is allowed with the flag', async (url) => {
    expect((await pin(new URL(url), { allowLocal: true }, publicly)).addresses).toHaveLength(1);
  });

  test('a name with one such address is refused', async () => {
    const resolve = async () => ['93.184.216.34', '169.254.169.254'];
    await expect(pin(new URL('http://x.example/'), { allowLocal: false }, resolve)).rejects.toMatchObject({
      code: 'address-refused',
    });
  });

  test('get no request from the egress', async () => {
    await expect(egress().send(request('http://169.254.169.254/'))).rejects.toMatchObject({ code: 'address-refused' });
  });
});

describe('redirects', () => {
  const at = (url: string, method: HttpRequest['method'] = 'GET'): RedirectedRequest => ({ method, url, headers: [] });
  const to = (location: string) => [['Location', location]] as const;

  test.each([
    ['file:///etc/passwd'],
    ['gopher://x/'],
    ['ftp://x/'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['http://x.example/'],
    ['https://user:pw@y.example/'],
    ['http://['],
  ])('may not lead to %s from https', (location) => {
    expect(() => redirected(at('https://x.example/mcp'), 307, to(location))).toThrow(
      expect.objectContaining({ code: 'redirect-refused' }),
    );
  });

  test.each(['10.0.0.1', '127.0.0.1', '[::1]', '192.168.0.1', '[::ffff:127.0.0.1]', '0x7f000001'])(
    'may not lead from a public server to %s',
    async (host) => {
      const policy = { allowLocal: true, from: 'public' } as const;
      await expect(pin(new URL(`http://${host}/`), policy, async () => [])).rejects.toMatchObject({
        code: 'redirect-refused',
      });
    },
  );

  test('stop at a refused hop on the wire, with the redirect logged', async () => {
    const inner = await fixture((_, response) => json(response, {}));
    const outer = await fixture((_, response) => response.writeHead(307, { location: `${inner.origin}/x` }).end());
    const shown: string[] = [];
    const link = egress({ resolve: async (host) => (host === 'outer.example' ? ['127.0.0.1'] : []) });
    const answer = await link.send(
      request(outer.origin.replace('127.0.0.1', 'outer.example'), { onRedirect: (_, next) => shown.push(next!.url) }),
    );
    expect(answer.status).toBe(200);
    expect(shown).toEqual([`${inner.origin}/x`]);
    const far = await fixture((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end());
    await expect(egress().send(request(far.origin))).rejects.toMatchObject({ code: 'address-refused' });
    expect(far.seen).toHaveLength(1);
  });

  const SENT = [
    ['Content-Type', 'application/json'],
    ['Authorization', 'Bearer s3cret'],
  ] as const;

  test('turn a message into a GET only for a host that does so, and without its headers elsewhere', () => {
    for (const status of [301, 302, 303]) {
      expect(() => redirected(at('http://a/mcp', 'POST'), status, to('/other'))).toThrow(
        expect.objectContaining({ code: 'redirect-refused', message: expect.stringContaining(String(status)) }),
      );
    }
    const asHost = { ...at('http://a/mcp', 'POST'), headers: SENT };
    expect(redirected(asHost, 302, to('http://b/mcp'), true)).toEqual({
      method: 'GET',
      url: 'http://b/mcp',
      headers: [],
    });
    expect(redirected(asHost, 302, to('/mcp/'), true).headers.map(([name]) => name)).toEqual(['Authorization']);
    expect(redirected(at('http://a/mcp', 'POST'), 308, to('/mcp/'))).toMatchObject({
      method: 'POST',
      url: 'http://a/mcp/',
    });
  });

  test('end after five hops', async () => {
    const loop = await fixture((_, response) => response.writeHead(307, { location: '/again?k=1&token=s3same' }).end());
    await expect(egress().send(request(loop.origin))).rejects.toMatchObject({
      code: 'redirect-loop',
      message: expect.stringMatching(/The last URL was http:\S+\/again\?k=1&token=(?!s3same)\S+\.$/),
    });
    expect(loop.seen).toHaveLength(LIMITS.redirects + 1);
  });
});

test('resolves a name once a request, and connects to the result', async () => {
  const server = await fixture((_, response) => json(response, { ok: true }));
  const answers = [['127.0.0.1'], ['203.0.113.1']];
  let asked = 0;
  const link = egress({ resolve: async () => answers[asked++]! });
  const { port } = new URL(server.origin);
  const answer = await link.send(request(`http://flips.example:${port}/`));
  expect(await textOf(answer.body)).toBe('{"ok":true}');
  expect(asked).toBe(1);
  expect(server.seen[0]!.headers.host).toBe(`flips.example:${port}`);
});

test('tries the next address of a name only if nothing can have been received', async () => {
  const server = await fixture((_, response) => response.destroy());
  const { port } = new URL(server.origin);
  const first = egress({ resolve: async () => ['127.0.0.2', '127.0.0.1'] });
  await expect(first.send(request(`http://two.example:${port}/`))).rejects.toMatchObject({ code: 'connection-reset' });
  expect(server.seen).toHaveLength(1);
});

test('sends no secrets to another origin', async () => {
  const other = await fixture((_, response) => json(response, {}));
  const server = await fixture((_, response) => response.writeHead(307, { location: `${other.origin}/mcp` }).end());
  const headers = [
    ['Authorization', 'Bearer s3cret'],
    ['x-api-key', 's3cret'],
    ['Mcp-Session-Id', 's3cret'],
    ['Cookie', 'a=s3cret'],
    ['X-Custom', 's3cret'],
    ['Mcp-Param-Region', 's3cret'],
    ['Last-Event-ID', 's3cret'],
    ['Content-Type', 'application/json'],
    ['MCP-Protocol-Version', '2026-07-28'],
  ] as const;
  const shown: unknown[] = [];
  const post = {
    method: 'POST',
    headers,
    body: Buffer.from('{}'),
    onRedirect: (...hop: unknown[]) => shown.push(hop),
  } as const;
  await egress().send(request(server.origin, post));
  expect(server.seen[0]!.headers).toMatchObject({ authorization: 'Bearer s3cret', 'mcp-session-id': 's3cret' });
  expect(JSON.stringify(other.seen[0]!.headers)).not.toContain('s3cret');
  expect(other.seen[0]).toMatchObject({ method: 'POST', text: '{}', headers: { 'content-type': 'application/json' } });
  expect(JSON.stringify(shown[0])).not.toContain('s3cret');
});

test('sends secrets to the same origin', async () => {
  const server = await fixture((seen, response) => {
    if (seen.url === '/mcp') response.writeHead(308, { location: '/mcp/' }).end();
    else json(response, {});
  });
  const headers = [['Authorization', 'Bearer x']] as const;
  await egress().send(request(`${server.origin}/mcp`, { method: 'POST', headers, body: Buffer.from('1') }));
  expect(server.seen[1]).toMatchObject({ url: '/mcp/', text: '1', headers: { authorization: 'Bearer x' } });
});

describe('an address that a server named', () => {
  const told = { fromServer: true } as const;

  test('may be as little public as the server’s own', async () => {
    const server = await fixture((_, response) => json(response, {}));
    const link = egress();
    await link.send(request(server.origin));
    expect((await link.send(request(server.origin, told))).status).toBe(200);
  });

  test.each(['http://192.168.0.1/', 'http://[::1]/', 'http://127.0.0.1:9/'])(
    'is refused while the server’s own address is unknown: %s',
    async (url) => {
      await expect(egress().send(request(url, told))).rejects.toMatchObject({ code: 'redirect-refused' });
    },
  );

  test('is checked against the first address after any number of redirects', async () => {
    const server = await fixture((_, response) => json(response, {}));
    const link = egress();
    await link.send(request(server.origin));
    await expect(link.send(request('http://169.254.169.254/', told))).rejects.toMatchObject({
      code: 'address-refused',
    });
    expect((await link.send(request(server.origin, told))).status).toBe(200);
  });
});
