import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '@/proxy/connection/fixtures/ports';
import { runningTaps } from '../find-taps';
import { ask, sendRaw, type TestHttpTaps, testHttpTaps } from './test-http-tap';

let taps: TestHttpTaps;
beforeEach(async () => {
  taps = await testHttpTaps();
});
afterEach(() => taps.remove());

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';
/** Bytes of a body that passes in each direction. */
const SIZE = (process.env.TEST_LONG ? 64 : 32) * 1024 * 1024;
/** Calls at a time, and streams that are open meanwhile. */
const [CALLS, STREAMS] = process.env.TEST_LONG ? [200, 100] : [50, 25];

const JSON_HEADERS = { 'content-type': 'application/json' };

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Resolves once a stream has sent this text. */
async function textOf(stream: IncomingMessage, text: string): Promise<void> {
  let read = '';
  await vi.waitFor(() => {
    read += String(stream.read() ?? '');
    expect(read).toContain(text);
  });
}

test('attack: a tap of its own address is refused, and listens no longer', async () => {
  const port = await freePort();
  // The second start finds the port free again.
  for (const host of ['127.0.0.1', 'localhost'])
    await expect(taps.start(`http://${host}:${port}/mcp`, { port })).rejects.toMatchObject({
      code: 'own-address',
    });
});

describe('what passes', () => {
  test('is method, path, query, headers, body and status, as they were', async () => {
    const seen: { url?: string | undefined; method?: string | undefined; raw: string[]; body: string }[] = [];
    const origin = await taps.serve(async (req, res) => {
      seen.push({ url: req.url, method: req.method, raw: req.rawHeaders, body: await bodyOf(req) });
      res.writeHead(418, 'Teapot', ['X-Twice', '1', 'x-twice', '2', 'Content-Length', '2']);
      res.end('ok');
    });
    const tap = await taps.start(`${origin}/mcp`, { records: false });
    const target = '/mcp/../%2e%2e/a?b=%20c&&d';
    const base = new URL(tap.url).origin;
    const read = await sendRaw(
      base,
      `POST ${target} HTTP/1.1\r\nHost: ${new URL(base).host}\r\nMcp-Session-Id: s\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello`,
    );
    expect(read).toMatch(/^HTTP\/1\.1 418 Teapot\r\nX-Twice: 1\r\nx-twice: 2\r\nContent-Length: 2\r\n/);
    expect(read.endsWith('\r\n\r\nok')).toBe(true);
    const { raw, ...rest } = seen[0]!;
    expect(rest).toEqual({ url: target, method: 'POST', body: 'hello' });
    expect(raw.join('\n')).toContain('Mcp-Session-Id\ns\nX-A\n1\nx-a\n2\nContent-Length\n5');
    expect(raw.slice(0, 2)).toEqual(['Host', new URL(origin).host]);
  });

  test('is each event as it comes, and the end of a host or of a server', async () => {
    const streams: ServerResponse[] = [];
    const gone: string[] = [];
    const origin = await taps.serve((req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.flushHeaders();
      res.on('close', () => gone.push(req.url!));
      streams.push(res);
    });
    const tap = await taps.start(`${origin}/mcp`);
    const base = new URL(tap.url).origin;
    const open = async (path: string) => {
      const sent = get(`${base}${path}`, { headers: { accept: 'text/event-stream' }, agent: false });
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return answer;
    };
    const left = await open('/left');
    streams[0]!.write('data: {"n":1}\n\n');
    await textOf(left, 'data: {"n":1}\n\n');
    left.destroy();
    await vi.waitFor(() => expect(gone).toEqual(['/left']));

    const cut = await open('/cut');
    streams[1]!.write('data: {"n":2}\n\n');
    await textOf(cut, 'data: {"n":2}\n\n');
    streams[1]!.destroy();
    const [error] = (await once(cut, 'error')) as [Error];
    expect(error.message).toBe('aborted');

    const ended = await open('/ended');
    streams[2]!.end('data: {"n":3}\n\n');
    ended.resume();
    await once(ended, 'end');
    expect(ended.complete).toBe(true);
  });

  test('is a request that the host gives up before there is a response', async () => {
    let closed = false;
    const origin = await taps.serve((_req, res) => {
      res.on('close', () => {
        closed = true;
      });
      sent.destroy();
    });
    const tap = await taps.start(origin);
    const sent = request(tap.url, { method: 'POST', agent: false });
    sent.on('error', () => {});
    sent.end('{}');
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  test('is a body of any size, at the pace of who reads it', async () => {
    const origin = await taps.serve(async (req, res) => {
      let bytes = 0;
      for await (const chunk of req) bytes += (chunk as Buffer).length;
      res.setHeader('x-read', String(bytes));
      const piece = Buffer.alloc(1024 * 1024, 'x');
      for (let sent = 0; sent < SIZE; sent += piece.length) if (!res.write(piece)) await once(res, 'drain');
      res.end();
    });
    const { child, url } = await taps.spawn(origin);
    const { memoryOf } = await import('../test-tap');
    const before = memoryOf(child.pid!);
    const sent = request(url, { method: 'POST', agent: false });
    const piece = Buffer.alloc(1024 * 1024, 'y');
    for (let at = 0; at < SIZE; at += piece.length) if (!sent.write(piece)) await once(sent, 'drain');
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    // The recording may hold a body. What passes may not.
    expect(answer.headers['x-read']).toBe(String(SIZE));
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(SIZE);
    expect(memoryOf(child.pid!) - before).toBeLessThan(6.25 * SIZE);
  });

  test('waits for a host that does not read', async () => {
    let written = 0;
    const origin = await taps.serve((_req, res) => {
      const piece = Buffer.alloc(256 * 1024, 'x');
      const write = (): void => {
        while (written < 512 * 1024 * 1024) {
          written += piece.length;
          if (!res.write(piece)) return void res.once('drain', write);
        }
      };
      write();
    });
    const tap = await taps.start(origin, { records: false });
    const [answer] = (await once(get(tap.url, { agent: false }), 'response')) as [IncomingMessage];
    answer.pause();
    let before = 0;
    await vi.waitFor(
      () => {
        const grown = written - before;
        before = written;
        expect([before > 0, grown]).toEqual([true, 0]);
      },
      { interval: 200, timeout: 10_000 },
    );
    expect(written).toBeLessThan(64 * 1024 * 1024);
    answer.destroy();
  });

  test('is 502 with the reason if the server can’t be reached, said once', async () => {
    const tap = await taps.start('http://127.0.0.1:1/mcp');
    for (let n = 0; n < 2; n++) {
      const { status, body } = await ask(tap.url, { body: INITIALIZE });
      expect([status, body]).toEqual([
        502,
        'mcp-inspect tap: Connection refused: http://127.0.0.1:1 (ECONNREFUSED).\n',
      ]);
    }
    expect(taps.notes).toEqual([
      'Connection refused: http://127.0.0.1:1 (ECONNREFUSED). Start the server, or correct the host and port.',
    ]);
  });
});

describe('signing in', () => {
  test('metadata is found at the tap, and tokens go straight to the authorization server', async () => {
    const origin = await taps.serve((req, res) => {
      const own = `http://${req.headers.host}`;
      if (req.url === '/mcp') {
        const metadata = `Bearer resource_metadata="${own}/custom/metadata"`;
        res.writeHead(401, { 'WWW-Authenticate': metadata }).end();
      } else if (req.url === '/custom/metadata') {
        res.setHeader('content-type', 'application/json');
        res.end(JSON.stringify({ resource: `${own}/mcp`, authorization_servers: ['https://as.example'] }));
      } else res.writeHead(404).end();
    });
    const tap = await taps.start(`${origin}/mcp`);
    const refused = await ask(tap.url, { body: INITIALIZE, headers: { authorization: 'Bearer old-token-of-mine' } });
    const { origin: own } = new URL(tap.url);
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe(`Bearer resource_metadata="${own}/custom/metadata"`);
    expect(taps.notes[0]).toMatch(/^The server refused a token\./);
    const metadata = await ask(`${own}/custom/metadata`, { method: 'GET' });
    expect(JSON.parse(metadata.body)).toEqual({ resource: tap.url, authorization_servers: ['https://as.example'] });
    expect(metadata.headers['content-length']).toBe(String(metadata.body.length));
    await tap.close();
    expect(taps.lines().join('\n')).not.toContain('old-token-of-mine');
  });
});

describe('attack', () => {
  const forwarded: string[] = [];
  const start = async (headersMs?: number) => {
    forwarded.length = 0;
    const origin = await taps.serve((req, res) => {
      forwarded.push(`${req.method} ${req.url}`);
      req.resume();
      res.end('secret');
    });
    const tap = await taps.start(`${origin}/mcp`, { records: false }, headersMs);
    return { tap, host: new URL(tap.url).host };
  };

  test.each([
    ['a rebound name', 'GET /mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n', 403],
    ['another port', 'GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n', 403],
    ['two hosts', 'GET /mcp HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n', 400],
    ['no host', 'GET /mcp HTTP/1.0\r\n\r\n', 400],
    ['a web page', 'POST /mcp HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n\r\n', 403],
    ['a sandboxed page', 'POST /mcp HTTP/1.1\r\nHost: HOST\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n', 403],
    ['a preflight', 'OPTIONS /mcp HTTP/1.1\r\nHost: HOST\r\nOrigin: https://evil.example\r\n\r\n', 403],
    ['an absolute target', 'GET http://evil.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n', 400],
    ['another method', 'PATCH /mcp HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n', 405],
    [
      'both lengths',
      'POST /mcp HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two lengths', 'POST /mcp HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd', 400],
    ['a bad encoding', 'POST /mcp HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n', 400],
    ['a line break in a name', 'GET /mcp HTTP/1.1\r\nHost: HOST\r\nX\n: 1\r\n\r\n', 400],
    ['headers of 300 KiB', `GET /mcp HTTP/1.1\r\nHost: HOST\r\nX: ${'x'.repeat(300 * 1024)}\r\n\r\n`, 431],
  ])('%s is refused by the HTTP tap, and nothing reaches the server', async (_what, text, status) => {
    const { tap, host } = await start();
    const read = await sendRaw(tap.url, text.replaceAll('HOST', host));
    expect(read).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(read).not.toContain('secret');
    expect(forwarded).toEqual([]);
  });

  test('a smuggled request in a body stays in the body', async () => {
    const { tap, host } = await start();
    const inner = 'GET /inner HTTP/1.1\r\nHost: x\r\n\r\n';
    await sendRaw(
      tap.url,
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close, content-length\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    );
    expect(forwarded).toEqual(['POST /mcp']);
  });

  test('a body is only asked for once the guard has allowed it', async () => {
    const { tap, host } = await start();
    const head = 'Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    const refused = await sendRaw(tap.url, `POST /mcp HTTP/1.1\r\nHost: evil.example\r\n${head}`);
    expect(refused).toMatch(/^HTTP\/1\.1 403 /);
    const allowed = await sendRaw(tap.url, `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${head}{}`);
    expect(allowed).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test('a host that sends its headers slowly is cut', { timeout: 30_000 }, async () => {
    // In the long form, as long as a tap waits.
    const { tap, host } = await start(process.env.TEST_LONG ? undefined : 500);
    expect(await sendRaw(tap.url, `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nX: `)).toMatch(/^HTTP\/1\.1 408 /);
    expect(forwarded).toEqual([]);
  });

  test('a link-local address is not tapped', async () => {
    const tap = await taps.start('http://169.254.169.254/latest/meta-data');
    const { status, body } = await ask(tap.url, { method: 'GET' });
    expect(status).toBe(502);
    expect(body).toContain('link-local');
  });
});

describe('the recording', () => {
  const legacyServer = () =>
    taps.serve(async (req, res) => {
      const body = await bodyOf(req);
      if (req.method === 'DELETE') return void res.writeHead(200).end();
      const { id, method, params } = JSON.parse(body);
      res.setHeader('content-type', 'application/json');
      if (method === 'initialize') res.setHeader('mcp-session-id', `session-id-${id}-of-this-test`);
      const result =
        method === 'initialize' ? { protocolVersion: '2025-11-25', serverInfo: { name: 's', version: '1' } } : params;
      res.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });

  test('has a file for each session, with what our own transports log, and no secret', async () => {
    const tap = await taps.start(`${await legacyServer()}/mcp?api_key=k3y-of-the-url`, {
      host: 'cursor',
      name: 'files',
    });
    const headers = { ...JSON_HEADERS, authorization: 'Bearer t0ken-of-the-host' };
    await ask(tap.url, { body: INITIALIZE, headers });
    await ask(tap.url, { body: INITIALIZE.replace('"id":1', '"id":2'), headers });
    const id = { ...headers, 'mcp-session-id': 'session-id-1-of-this-test' };
    const call = '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","token":"t0ken-of-the-host"}}';
    await ask(tap.url, { body: call, headers: id });
    await ask(tap.url, { method: 'DELETE', headers: id });
    await tap.close();
    const isCalled = (name: string): boolean => taps.lines(name).some((line) => line.includes('tools/call'));
    const [first, second] = [taps.names().find(isCalled)!, taps.names().find((name) => !isCalled(name))!];
    const kinds = taps
      .lines(first)
      .map((line) => line.replace(/^(. \S+) \{"(kind|event|jsonrpc)":"([^"]*)".*$/s, '$1 $3'));
    expect(kinds).toEqual([
      '< lifecycle start',
      '> http request',
      '> protocol 2.0',
      '< http socket',
      '< http response',
      '< http body',
      '< protocol 2.0',
      '< lifecycle open',
      '> http request',
      '> protocol 2.0',
      '< http response',
      '< http body',
      '< protocol 2.0',
      '> http request',
      '< http response',
      '< lifecycle closed',
    ]);
    const text = [...taps.lines(first), ...taps.lines(second)].join('\n');
    expect(text).not.toMatch(/k3y-of-the-url|t0ken-of-the-host|session-id-\d-of/);
    expect(taps.lines(second).filter((line) => !line.includes('"socket"'))).toHaveLength(8);
    expect(text).toContain('"event":"open","era":"legacy","version":"2025-11-25"');
  });

  test('begins with the first message, which names the host; what came before is part of it', async () => {
    const origin = await taps.serve(async (req, res) => {
      const body = await bodyOf(req);
      if (req.method === 'GET') res.writeHead(404);
      res.end(body === '' ? '' : '{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    const { child, url } = await taps.spawn(`${origin}/mcp`);
    const stray = () => ask(url, { method: 'GET', headers: { 'user-agent': 'x' } });
    await stray();
    // What is recorded is recorded in order, so the file of the stray request would be there first.
    await ask(url, { body: INITIALIZE, headers: { ...JSON_HEADERS, 'user-agent': 'y' } });
    await vi.waitFor(() => expect(taps.lines().some((line) => line.includes('"result"'))).toBe(true));
    expect(taps.names()).toHaveLength(1);
    expect(runningTaps(taps.recordings)).toMatchObject([{ pid: child.pid, host: 'x' }]);
    expect(taps.lines().join('\n')).not.toContain('"method":"GET"');
    await ask(url, { body: INITIALIZE, headers: { ...JSON_HEADERS, 'user-agent': 'x' } });
    await vi.waitFor(() => expect(taps.names()).toHaveLength(2));
    const withStray = (name: string): boolean => taps.lines(name).join('\n').includes('"method":"GET"');
    await vi.waitFor(() => expect(taps.names().filter(withStray)).toHaveLength(1));
    await vi.waitFor(() =>
      expect(taps.lines(taps.names().find(withStray)).join('\n')).toContain('"method":"initialize"'),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test('has a request for an event stream that the server does not answer, while it waits', async () => {
    const tap = await taps.start(`${await taps.serve(() => {})}/sse`);
    const sent = get(tap.url, { headers: { accept: 'text/event-stream' }, agent: false });
    sent.on('error', () => {});
    await vi.waitFor(() => expect(taps.names()).toHaveLength(1));
    await vi.waitFor(() => expect(taps.lines().join('\n')).toContain('"method":"GET"'));
    sent.destroy();
  });

  test('masks what OAuth sends through the tap', async () => {
    const origin = await taps.serve((req, res) => {
      req.resume();
      res.setHeader('content-type', 'application/json');
      res.end('{"access_token":"acc3ss-t0ken","token_type":"Bearer"}');
    });
    const tap = await taps.start(`${origin}/mcp`);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await ask(`${new URL(tap.url).origin}/token`, { body: 'code=c0de-from-as&x=1', headers });
    expect(body).toContain('acc3ss-t0ken');
    await tap.close();
    const text = taps.lines().join('\n');
    expect(text).toContain('"about":"authorization"');
    expect(text).not.toMatch(/acc3ss-t0ken|c0de-from-as/);
  });

  test('begins another file when one is large, which repeats the handshake', async () => {
    const tap = await taps.start(`${await legacyServer()}/mcp`, { mostBytes: 20_000 });
    await ask(tap.url, { body: INITIALIZE, headers: JSON_HEADERS });
    const id = { ...JSON_HEADERS, 'mcp-session-id': 'session-id-1-of-this-test' };
    for (let n = 0; n < 3; n++) {
      const call = { jsonrpc: '2.0', id: 10 + n, method: 'tools/call', params: { name: 'x'.repeat(10_000) } };
      await ask(tap.url, { body: JSON.stringify(call), headers: id });
    }
    await tap.close();
    expect(taps.names().length).toBeGreaterThan(1);
    for (const name of taps.names()) {
      const lines = taps.lines(name);
      expect(lines.some((line) => line.includes('"method":"initialize"'))).toBe(true);
      expect(lines.some((line) => line.includes('"event":"open"'))).toBe(true);
    }
  });

  test('keeps every exchange that was answered before a SIGKILL, but the last milliseconds', async () => {
    const { child, url } = await taps.spawn(`${await legacyServer()}/mcp`);
    for (let n = 1; n <= 20; n++) {
      await ask(url, { body: `{"jsonrpc":"2.0","id":${n},"method":"ping","params":{}}`, headers: JSON_HEADERS });
    }
    await vi.waitFor(() => expect(taps.lines().filter((line) => line.includes('"result"'))).toHaveLength(20));
    expect(runningTaps(taps.recordings)).toMatchObject([{ pid: child.pid, part: 1 }]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(runningTaps(taps.recordings)).toEqual([]);
    expect(taps.lines().filter((line) => line.includes('"method":"ping"'))).toHaveLength(20);
  });

  test('that can’t be written is reported once, and the session goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-full-'));
    const home = join(folder, 'file');
    writeFileSync(home, '');
    const { url } = await taps.spawn(`${await legacyServer()}/mcp`, home);
    for (let n = 1; n <= 3; n++) {
      const { status } = await ask(url, { body: `{"jsonrpc":"2.0","id":${n},"method":"ping"}`, headers: JSON_HEADERS });
      expect(status).toBe(200);
    }
    await vi.waitFor(() => expect(taps.notes).toHaveLength(1));
    expect(taps.notes[0]).toMatch(/recorded/);
    rmSync(folder, { recursive: true });
  });
});

test('a port in use is an error that says so', async () => {
  const origin = await taps.serve(() => {});
  const { port } = new URL(origin);
  await expect(taps.start('http://127.0.0.1:1/', { port: Number(port) })).rejects.toMatchObject({ code: 'port-taken' });
});

test(`${CALLS} calls at a time get their own answers, and ${STREAMS} streams stay open`, {
  timeout: 30_000,
}, async () => {
  const streams: ServerResponse[] = [];
  const origin = await taps.serve(async (req, res) => {
    if (req.method === 'GET') {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.flushHeaders();
      streams.push(res);
      return;
    }
    const body = await bodyOf(req);
    setTimeout(() => res.end(body), 5);
  });
  const tap = await taps.start(`${origin}/mcp`);
  const open = await Promise.all(
    Array.from({ length: STREAMS }, async (_, n) => {
      const sent = get(tap.url, { headers: { 'mcp-session-id': `s${n}` }, agent: false });
      return ((await once(sent, 'response')) as [IncomingMessage])[0];
    }),
  );
  const bodies = Array.from({ length: CALLS }, (_, n) => `{"jsonrpc":"2.0","id":${n},"method":"x"}`);
  const answers = await Promise.all(bodies.map((body) => ask(tap.url, { body, headers: JSON_HEADERS })));
  expect(answers.map(({ body }) => body)).toEqual(bodies);
  for (const response of streams) response.end('data: {"last":1}\n\n');
  const texts = await Promise.all(open.map(bodyOf));
  expect(texts.every((text) => text === 'data: {"last":1}\n\n')).toBe(true);
});
