import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { request as message } from '@/proxy/connection/fixtures/hostile';
import { type Answer, json, openStreamable, stream } from '@/proxy/connection/fixtures/http-fixture';
import { egress, fixture, open, request, textOf } from './test-egress';

describe('floods', () => {
  const most = LIMITS.httpBodyBytes;

  async function refused(answer: Answer): Promise<string> {
    const server = await fixture(answer);
    const { transport, sink } = await openStreamable(`${server.origin}/mcp`);
    open.push(transport);
    transport.send(message(1, 'ping'));
    await sink.until((seen) => seen.lost.length === 1);
    return sink.lost[0]!.why.code;
  }

  test('an endless body', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    let sent = 0;
    const code = await refused((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        if (response.destroyed) return;
        sent += chunk.length;
        response.write(chunk, () => more());
      };
      more();
    });
    expect(code).toBe('body-too-large');
    expect(sent).toBeLessThan(most * 2);
  });

  test('a small body that decompresses to a large one', async () => {
    const bomb = gzipSync(Buffer.alloc(most + 1));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const code = await refused((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(code).toBe('body-too-large');
  });

  test('4 GiB of compressed zeros after a message', async () => {
    const zeros = gzipSync(Buffer.alloc(most));
    const code = await refused((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.write(gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}'));
      response.end(Buffer.concat(Array.from({ length: 64 }, () => zeros)));
    });
    expect(code).toBe('body-too-large');
  });

  test('an endless line of an event stream', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x61);
    const code = await refused((_, response) => {
      stream(response, 'data: ');
      const more = (): void => {
        if (!response.destroyed) response.write(chunk, () => more());
      };
      more();
    });
    expect(code).toBe('body-too-large');
  });

  test('a body shorter than its Content-Length', async () => {
    const code = await refused((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"jsonrpc"', () => response.destroy());
    });
    expect(code).toBe('connection-reset');
  });

  test('endless headers', async () => {
    const code = await refused((_, response) => json(response, {}, 200, { 'x-long': 'x'.repeat(64 * 1024) }));
    expect(code).toBe('headers-too-large');
  });
});

describe('compression', () => {
  test('is requested and decoded, for event streams without delay', async () => {
    const server = await fixture((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.write(gzipSync('data: {"id":1,"result":{}}\n\n', { finishFlush: 2 }));
    });
    const { transport, sink } = await openStreamable(`${server.origin}/mcp`);
    open.push(transport);
    transport.send(message(1, 'ping'));
    await sink.until((seen) => seen.messages.length === 1);
    expect(server.seen[0]!.headers['accept-encoding']).toContain('gzip');
  });

  test.each(['compress', 'gzip, gzip, gzip'])('%s is refused', async (encoding) => {
    const server = await fixture((_, response) => json(response, {}, 200, { 'content-encoding': encoding }));
    await expect(egress().send(request(server.origin))).rejects.toMatchObject({ code: 'encoding-unknown' });
  });

  test('may be named with an empty body', async () => {
    const server = await fixture((_, response) => response.writeHead(202, { 'content-encoding': 'gzip' }).end());
    expect(await textOf((await egress().send(request(server.origin))).body)).toBe('');
  });

  test('is reported if it is damaged', async () => {
    const server = await fixture((_, response) => json(response, {}, 200, { 'content-encoding': 'gzip' }));
    const answer = await egress().send(request(server.origin));
    await expect(textOf(answer.body)).rejects.toMatchObject({ code: 'body-broken' });
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('%s without its end is reported, after the bytes before it', async (encoding, compress) => {
    const whole = compress(JSON.stringify({ tools: 'x'.repeat(100), random: Math.random() }));
    const server = await fixture((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
      response.end(whole.subarray(0, -4));
    });
    const answer = await egress().send(request(server.origin));
    let text = '';
    const read = async (): Promise<void> => {
      for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
    };
    await expect(read()).rejects.toMatchObject({
      code: 'body-broken',
      message: `The server’s ${encoding}-compressed response ends too early.`,
    });
    if (encoding !== 'br') expect(text).toMatch(/^\{"tools":"xxx/);
  });
});

describe('failures', () => {
  test('an unknown host', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    await expect(egress({ resolve }).send(request('http://nowhere.example/'))).rejects.toMatchObject({
      code: 'dns-failed',
      message: expect.stringContaining('ENOTFOUND'),
    });
  });

  test('TLS to a server without it', async () => {
    const server = await fixture((_, response) => json(response, {}));
    await expect(egress().send(request(server.origin.replace('http:', 'https:')))).rejects.toMatchObject({
      code: 'tls-failed',
    });
  });

  test.each(['ftp://x/', 'file:///etc/passwd', 'x'])('%s is not a valid URL', async (url) => {
    await expect(egress().send(request(url))).rejects.toMatchObject({ code: 'not-http' });
  });

  test('an abort before and during the body', async () => {
    const server = await fixture((_, response) => void stream(response, ': x\n'));
    const before = new AbortController();
    before.abort();
    await expect(egress().send(request(server.origin, { signal: before.signal }))).rejects.toMatchObject({
      code: 'closed',
    });
    const during = new AbortController();
    const answer = await egress().send(request(server.origin, { signal: during.signal }));
    const reading = textOf(answer.body);
    during.abort();
    await expect(reading).rejects.toMatchObject({ code: 'connection-reset' });
  });
});
