import { connect } from 'node:net';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { EXPORT_BYTES } from '../receiver';
import { exportOf, send, sendJson, spanOf, startReceiver, TOKEN } from '../test-receiver';

const PROTOBUF = 'application/x-protobuf';

describe('attack: who may send telemetry', () => {
  it.each([
    ['http://evil.example', 'a foreign page'],
    ['null', 'a sandboxed frame'],
    ['http://127.0.0.1:6270', 'our own page'],
  ])('refuses the Origin %s (%s)', async (origin, _) => {
    const { url, logged } = await startReceiver();
    expect((await sendJson(url, exportOf([spanOf(1)]), { headers: { Origin: origin } })).status).toBe(403);
    expect(logged.units).toEqual([]);
  });

  it('refuses a host name that is rebound to this machine', async () => {
    const { url, logged } = await startReceiver();
    expect((await sendJson(url, exportOf([spanOf(1)]), { headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await sendJson(url, exportOf([spanOf(1)]), { setHost: false })).status).toBe(400);
    expect(logged.units).toEqual([]);
  });

  it('refuses other methods and preflights', async () => {
    const { url } = await startReceiver();
    for (const method of ['GET', 'PUT', 'OPTIONS', 'DELETE']) {
      expect([403, 405], method).toContain((await send(url, '', { method })).status);
    }
  });

  it('refuses wrong tokens, and paths without one', async () => {
    const { url, logged } = await startReceiver();
    const wrong = ['b-token-of-a-connection', `${TOKEN}x`, TOKEN.slice(0, -1)];
    for (const token of wrong) {
      expect((await sendJson(url.replace(TOKEN, token), exportOf([spanOf(1)]))).status, token).toBe(401);
    }
    for (const path of [
      '/v1/traces',
      `/otel/${TOKEN}/v1/profiles`,
      `/otel/${TOKEN}`,
      `/otel/../otel/${TOKEN}/v1/logs`,
    ]) {
      const { origin } = new URL(url);
      const { hostname, port } = new URL(url);
      expect(
        await statusOf(hostname, Number(port), `POST ${path} HTTP/1.1\r\nHost: ${origin.slice(7)}\r\n`),
        path,
      ).toBe(404);
    }
    expect(logged.units).toEqual([]);
  });

  it('names neither token nor connection in a refusal', async () => {
    const { url } = await startReceiver();
    const { body, headers } = await sendJson(url.replace(TOKEN, 'b-token-of-a-connection'), {});
    expect(`${body}${JSON.stringify(headers)}`).not.toMatch(/token-of/);
  });
});

describe('attack: bodies that are not telemetry', () => {
  it.each([
    ['text/plain', {}, 415],
    ['application/x-www-form-urlencoded', {}, 415],
    ['application/json', { 'Content-Encoding': 'br' }, 415],
    ['application/json', { 'Content-Encoding': 'gzip, gzip' }, 415],
    ['application/json', { 'Content-Encoding': 'gzip' }, 400],
  ])('refuses %s with %j by %i', async (type, headers, status) => {
    const { url } = await startReceiver();
    expect((await sendJson(url, exportOf([]), { type, headers })).status).toBe(status);
  });

  it('refuses garbage, and goes on', async () => {
    const { url, logged, receiver } = await startReceiver();
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '\xff\xfe',
      `${'['.repeat(100_000)}`,
      '{"resourceSpans":'.repeat(300),
    ];
    for (const body of bodies) expect((await send(url, body)).status, body.slice(0, 20)).toBe(400);
    for (let seed = 1; seed <= 200; seed++) {
      const { status } = await send(url, noise(seed), { type: PROTOBUF });
      expect([200, 400]).toContain(status);
    }
    expect((await sendJson(url, exportOf([spanOf(1)]))).status).toBe(200);
    expect(logged.spans).toEqual(['span 1']);
    await receiver.close(TOKEN, logged);
    expect(new Set(logged.losses.map(({ why }) => why))).toEqual(new Set(['invalid']));
  });

  it('reads JSON of the wrong shape as nothing', async () => {
    const { url, logged } = await startReceiver();
    const shapes: readonly unknown[] = [
      { resourceSpans: 7 },
      { resourceSpans: [null, 1, { scopeSpans: 'x' }, { resource: [], scopeSpans: [{ scope: 1, spans: {} }] }] },
      { resourceSpans: [{ scopeSpans: [{ spans: [{ ...spanOf(1), attributes: 'x', events: 1, status: [] }] }] }] },
      JSON.parse('{"__proto__":{"resourceSpans":[]},"constructor":1}'),
    ];
    for (const shape of shapes) expect((await sendJson(url, shape)).status).toBe(200);
    expect(logged.spans).toEqual(['span 1']);
  });

  it('refuses values that are nested too deeply in protobuf', async () => {
    const { url } = await startReceiver();
    // Attribute values: lists in lists.
    let value: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 5000; depth++) value = field(5, field(1, value));
    const span = field(9, field(2, value));
    const { status, body } = await send(url, field(1, field(2, field(2, span))), { type: PROTOBUF });
    expect([status, body.subarray(4).toString()]).toEqual([400, 'Values are nested deeper than 32.']);
  });

  it('refuses millions of empty values, which would take much more memory than their body', async () => {
    const { url } = await startReceiver();
    const attributes = Buffer.alloc(EXPORT_BYTES - 100, Buffer.from('4a00', 'hex'));
    const before = process.memoryUsage().heapUsed;
    expect((await send(url, field(1, field(2, field(2, attributes))), { type: PROTOBUF })).status).toBe(400);
    const json = `{"resourceSpans":[${'{},'.repeat(1_000_000)}{}]}`;
    expect((await send(url, json)).status).toBe(400);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024);
  });

  it('reads a long resource once, however many scopes it has', async () => {
    const { url, logged } = await startReceiver();
    const attributes = [{ key: 'long', value: { stringValue: 'x'.repeat(2_000_000) } }];
    const scopeSpans = Array.from({ length: 3000 }, (_, n) => ({ spans: n % 1000 === 0 ? [spanOf(n)] : [] }));
    const body = { resourceSpans: [{ resource: { attributes }, scopeSpans }] };
    expect((await sendJson(url, body)).status).toBe(200);
    expect(logged.spans).toEqual(['span 0', 'span 1000', 'span 2000']);
    const [resource, scope] = [
      field(1, field(1, field(2, field(1, Buffer.alloc(2_000_000))))),
      field(2, Buffer.alloc(0)),
    ];
    const scopes = Buffer.concat(Array.from({ length: 3000 }, () => scope));
    expect((await send(url, field(1, Buffer.concat([resource, scopes])), { type: PROTOBUF })).status).toBe(200);
  });

  it('cuts spans that have too much, and counts what is missing', async () => {
    const { url, logged } = await startReceiver();
    const attributes = Array.from({ length: 1000 }, (_, n) => ({
      key: `k${n}`,
      value: { stringValue: 'é'.repeat(600) },
    }));
    const events = Array.from({ length: 1000 }, () => ({ name: 'x'.repeat(1000), timeUnixNano: 1 }));
    await sendJson(url, exportOf([{ ...spanOf(1), name: 'n'.repeat(100_000), attributes, events }]));
    const [, unit] = logged.units as [unknown, { span: Record<string, number | string> }];
    expect(unit.span).toMatchObject({ droppedAttributesCount: 1000, droppedEventsCount: 1000 });
    expect(unit.span.name).toHaveLength(4096);
  });
});

describe('attack: exports that are too large or too slow', () => {
  it('refuses a declared length of 100 MB before the body is read', async () => {
    const { url } = await startReceiver();
    const { hostname, port, pathname } = new URL(url);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n`;
    expect(await statusOf(hostname, Number(port), head)).toBe(413);
  });

  it('refuses 100 MB without a length after 4 MiB of it, and its memory stays', async () => {
    const { url, logged } = await startReceiver();
    const { hostname, port, pathname } = new URL(url);
    const before = process.memoryUsage().rss;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const gone = new Promise((resolve) => socket.on('close', resolve));
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.from(`100000\r\n${'x'.repeat(1024 * 1024)}\r\n`);
    let written = 0;
    while (written < 100 && !socket.destroyed && socket.writable) {
      written++;
      if (!socket.write(chunk)) {
        await Promise.race([gone, new Promise((resolve) => socket.once('drain', resolve))]);
      }
    }
    await gone;
    expect(written).toBeLessThan(100);
    expect(answer === '' || answer.startsWith('HTTP/1.1 413')).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    expect(logged.units).toEqual([]);
  });

  it('refuses a gzip bomb', async () => {
    const { url, receiver, logged } = await startReceiver();
    const bomb = gzipOfZeros(500);
    expect(bomb.length).toBeLessThan(EXPORT_BYTES);
    const before = process.memoryUsage().rss;
    expect((await send(url, bomb, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    await receiver.close(TOKEN, logged);
    expect(logged.losses).toMatchObject([{ why: 'too-large', requests: 1 }]);
  });

  it('cuts bodies that come too slowly, and reads others meanwhile', async () => {
    // In the long form, as slowly as the receiver allows.
    const { url, logged } = await startReceiver(undefined, process.env.TEST_LONG ? undefined : 500);
    const { hostname, port, pathname } = new URL(url);
    const began = performance.now();
    const slow = Array.from({ length: 10 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      );
      socket.resume();
      return new Promise((resolve) => socket.on('close', resolve));
    });
    expect((await sendJson(url, exportOf([spanOf(1)]))).status).toBe(200);
    expect(logged.spans).toEqual(['span 1']);
    await Promise.all(slow);
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});

describe('attack: a flood of telemetry', () => {
  it('is refused with 429 once it is too fast, counted, and accepted again later', async () => {
    const clock = new FakeClock();
    const { url, logged } = await startReceiver(clock);
    const attributes = Array.from({ length: 10 }, (_, n) => ({
      key: `k${n}`,
      value: { stringValue: 'x'.repeat(2000) },
    }));
    const body = JSON.stringify(exportOf(Array.from({ length: 150 }, (_, n) => ({ ...spanOf(n), attributes }))));
    const statuses: number[] = [];
    const refusals = () => statuses.filter((status) => status === 429).length;
    while (statuses.length < 30 && refusals() < 3) {
      const { status, headers } = await send(url, body);
      if (status === 429) expect(headers['retry-after']).toBe('1');
      statuses.push(status);
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(5);
    expect(statuses.at(-1)).toBe(429);
    expect(logged.bytes).toBeLessThan(60 * 1024 * 1024);
    clock.advance(2000);
    expect(logged.losses).toMatchObject([{ why: 'too-fast', requests: refusals(), items: 0 }]);
    clock.advance(60_000);
    expect((await sendJson(url, exportOf([spanOf(1)]))).status).toBe(200);
  });

  it.each([
    ['nothing in them', `{"x":"${' '.repeat(4_000_000)}"}`],
    ['no JSON in them', `"${' '.repeat(4_000_000)}`],
  ])('of bodies with %s is refused with 429, since reading them takes time as well', async (_what, text) => {
    const { url } = await startReceiver(new FakeClock());
    const body = gzipSync(text);
    const statuses: number[] = [];
    for (let n = 0; n < 10; n++)
      statuses.push((await send(url, body, { headers: { 'Content-Encoding': 'gzip' } })).status);
    expect(statuses[0]).not.toBe(429);
    expect(statuses.at(-1)).toBe(429);
  });

  it('of requests at once gets 429 beyond 16, and needs no more memory', async () => {
    const { url } = await startReceiver();
    const { hostname, port, pathname } = new URL(url);
    const held = Array.from({ length: 16 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      );
      return socket;
    });
    await expect.poll(async () => (await sendJson(url, exportOf([]))).status).toBe(429);
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await sendJson(url, exportOf([]))).status).toBe(200);
  });
});

/** Bytes that look random, and are the same for each seed. */
function noise(seed: number): Buffer {
  let state = seed;
  return Buffer.from(
    Array.from({ length: 200 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) & 0xff;
    }),
  );
}

/** A gzip of this many MiB of zeros, without its end: the same block again and again. */
function gzipOfZeros(mebibytes: number): Buffer {
  const head = gzipSync('').subarray(0, 10);
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([head, ...new Array<Buffer>(mebibytes).fill(block)]);
}

/** A field of a protobuf message with bytes. */
function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  let left = bytes.length;
  for (; left > 127; left = Math.floor(left / 128)) length.push((left % 128) + 128);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, left]), bytes]);
}

/** Sends a head alone and returns the status of the answer. */
function statusOf(host: string, port: number, head: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(`${head}\r\n`));
    socket.once('data', (chunk) => {
      resolve(Number(chunk.toString().split(' ')[1]));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
