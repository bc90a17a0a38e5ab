import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { TOKEN_HEADER } from '@/lib/wire/api';
import { resolveBinding } from './addresses';
import { startFixture } from './attacks/fixture';
import { exchange, open, requestText } from './attacks/raw-client';

const occupied: Server[] = [];
afterEach(() => {
  for (const server of occupied.splice(0)) server.close();
});

/** A taken port on 127.0.0.1. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  occupied.push(server);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

describe('attack: a server and its address', () => {
  test.each(['0.0.0.0', '::', '[::]', '::0', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0'])(
    'explains that listening on every network (%s) needs a name',
    async (host) => {
      await expect(startFixture({ host })).rejects.toMatchObject({
        code: 'host-wildcard',
        message: expect.stringContaining('every network'),
        advice: expect.stringContaining('names'),
      });
    },
  );

  test.each(['', '0', '*', 'evil.example', '127.1', '0x7f.0.0.1', '127.0.0.1:80'])(
    '%j is not an address',
    async (host) => {
      await expect(startFixture({ host })).rejects.toMatchObject({ code: 'host-name' });
    },
  );

  test.each(['http://x', 'x:80', 'a b', '', '*', '.', 'x/'])('%j is not a valid host name', async (name) => {
    await expect(startFixture({ hostNames: [name] })).rejects.toMatchObject({ code: 'host-name' });
  });

  test('may listen on every network with names, and answers only to these', async () => {
    const fixture = await startFixture({ host: '0.0.0.0', hostNames: ['My-Box.local'] });
    expect(fixture.server.url).toBe(`http://my-box.local:${fixture.port}/`);
    expect((await fixture.ask('GET', '/', { host: `my-box.local:${fixture.port}` })).status).toBe(200);
    expect((await fixture.ask('GET', '/', { host: `0.0.0.0:${fixture.port}` })).status).toBe(403);
    expect((await fixture.ask('GET', '/', { host: `other.local:${fixture.port}` })).status).toBe(403);
    await fixture.end();
  });

  test('answers to the names of its address', () => {
    expect(resolveBinding('localhost', [])).toMatchObject({ address: '127.0.0.1', shown: '127.0.0.1' });
    expect(resolveBinding('[::1]', [])).toMatchObject({ address: '::1', shown: '[::1]' });
    expect(resolveBinding('192.0.2.7', ['fe80::1']).names).toEqual(expect.arrayContaining(['192.0.2.7', '[fe80::1]']));
  });

  test('explains that an address belongs to another machine', async () => {
    await expect(startFixture({ host: '192.0.2.7' })).rejects.toMatchObject({ code: 'host-unavailable' });
  });

  test('explains that a fixed port is taken', async () => {
    const port = await takenPort();
    await expect(startFixture({ port, portFixed: true })).rejects.toMatchObject({
      code: 'port-taken',
      message: `Port ${port} on 127.0.0.1 is taken or reserved.`,
    });
  });

  test('tries the next ports on the same address if the default one is taken, and reports it', async () => {
    const port = await takenPort();
    const fixture = await startFixture({ port, portFixed: false });
    expect(fixture.server.movedFrom).toBe(port);
    expect(fixture.port).toBeGreaterThan(port);
    expect(fixture.server.url).toBe(`http://127.0.0.1:${fixture.port}/`);
    expect((await fixture.ask('GET', '/')).status).toBe(200);
    await fixture.end();
  });

  test('reports no other port if the requested one was free', async () => {
    const fixture = await startFixture();
    expect(fixture.server).not.toHaveProperty('movedFrom');
    await fixture.end();
  });
});

describe('attack: requests that the parser refuses', () => {
  test('headers of 16 KiB or more get 431, with our headers', async () => {
    const fixture = await startFixture();
    const answer = await fixture.ask('GET', '/', { x: 'a'.repeat(16 * 1024) });
    expect(answer.status).toBe(431);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    await fixture.end();
  });

  test.each([
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nHo st: x\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000',
  ])('%j gets 400', async (text) => {
    const fixture = await startFixture();
    const answer = await exchange(fixture.port, text);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    await fixture.end();
  });

  test('CONNECT gets 400', async () => {
    const fixture = await startFixture();
    const host = `127.0.0.1:${fixture.port}`;
    expect((await exchange(fixture.port, requestText('CONNECT', host, [['host', host]]))).status).toBe(400);
    await fixture.end();
  });

  test('an Expect header changes nothing', async () => {
    const fixture = await startFixture();
    expect((await fixture.ask('GET', '/api/servers', { expect: 'a-miracle' })).status).toBe(401);
    await fixture.end();
  });
});

test('every response has all security headers and no CORS header', async () => {
  const fixture = await startFixture();
  const bearer = { [TOKEN_HEADER]: fixture.token };
  const answers = [
    await fixture.ask('GET', '/'),
    await fixture.ask('GET', '/_next/static/app.js'),
    await fixture.ask('GET', '/nothing.js'),
    await fixture.ask('GET', '/api/servers', bearer),
    await fixture.ask('GET', '/api/servers'),
    await fixture.ask('GET', '/', { host: 'evil.test' }),
    await fixture.ask('POST', '/launch', { 'content-type': 'application/json' }, '{'),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 404, 200, 401, 403, 400]);
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBeTruthy();
    expect(Array.from(headers.keys()).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
  expect(answers[0]!.headers.get('content-security-policy')).toContain("'sha256-");
  await fixture.end();
});

test('close ends idle sockets and frees the port', async () => {
  const fixture = await startFixture();
  const idle = await open(fixture.port);
  const closed = once(idle, 'close');
  await fixture.end();
  await closed;
  const again = await startFixture({ port: fixture.port });
  await again.end();
});
