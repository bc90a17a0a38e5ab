import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOKEN_HEADER } from '@/lib/wire/api';
import type { HttpRoute } from '../routes';
import { SOCKET_LIMITS, type SocketLimits } from '../server';
import { type Fixture, PAGE, startFixture } from './fixture';
import { open } from './raw-client';

/**
 * Limits of the server: a part of ours, or ours. A busy machine may stop the process for half a second. Then the limit
 * for headers must not be over before any byte is read, nor the one for idle sockets before all others.
 */
const LIMITS: SocketLimits = process.env.TEST_LONG
  ? SOCKET_LIMITS
  : { headersMs: 1000, requestMs: 1500, idleMs: 4000, checkMs: 50 };

/** As many as are open before the first one is cut. */
const IDLE_SOCKETS = process.env.TEST_LONG ? 500 : 50;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ routes: [FILE_ROUTE, LARGE_ROUTE], limits: LIMITS });
});
afterAll(() => fixture.end());

/** Returns the milliseconds until the server closes the socket, and its response. Sends `drip` repeatedly meanwhile. */
async function lifetime(socket: Socket, drip?: string): Promise<{ ms: number; said: string }> {
  const started = performance.now();
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
  });
  socket.on('error', () => {});
  // Reads before it writes: a write to a closed socket resets it and loses the response.
  const send = () => drip && socket.writable && socket.write(drip);
  const timer = setInterval(() => setImmediate(send), LIMITS.requestMs / 50);
  // It may end with a reset.
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return { ms: performance.now() - started, said };
}

/** A route that takes a file, and what became of each file. */
const files: string[] = [];
const FILE_ROUTE: HttpRoute = {
  method: 'POST',
  path: '/api/file',
  upgrade: false,
  access: 'token',
  takesFile: true,
  async handle({ file, gone }) {
    let bytes = 0;
    gone!.addEventListener('abort', () => files.push(`closed after ${bytes} bytes`));
    for await (const chunk of file!) bytes += chunk.length;
    return { status: 200, body: String(bytes) };
  },
};

/** A route with a response that no buffer of the system takes. */
const LARGE_ROUTE: HttpRoute = {
  method: 'GET',
  path: '/api/large',
  upgrade: false,
  access: 'token',
  handle: () => ({ status: 200, body: 'x'.repeat(32 * 1024 * 1024) }),
};

/** Resolves with the server’s end of the socket that asks for `path`. */
function servedSocket(path: string): Promise<Socket> {
  return new Promise((resolve) => {
    subscribe('http.server.request.start', (message) => {
      const { request, socket } = message as { request: IncomingMessage; socket: Socket };
      if (request.url === path) resolve(socket);
    });
  });
}

function fileHead(length: number): string {
  const fields = [
    `Host: 127.0.0.1:${fixture.port}`,
    `${TOKEN_HEADER}: ${fixture.token}`,
    'Content-Type: application/octet-stream',
    `Content-Length: ${length}`,
    'Connection: close',
  ];
  return `POST /api/file HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`;
}

test('our limits cut slow clients within 10 s', () => {
  const { headersMs, requestMs, idleMs, checkMs } = SOCKET_LIMITS;
  for (const ms of [headersMs + 2 * checkMs, requestMs, idleMs]) expect(ms).toBeLessThan(10_000);
});

/** These wait for Node's own timers, which our test clock can't advance, so they run concurrently. */
describe.concurrent('attack: slow clients are cut within 10 s', () => {
  test('headers that never end', async () => {
    const socket = await open(fixture.port);
    socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${fixture.port}\r\n`);
    const { ms, said } = await lifetime(socket, 'x: y\r\n');
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
    expect(ms).toBeLessThan(10_000);
  });

  test('bytes that follow a refused request: the client can read why, and is cut', async () => {
    const socket = await open(fixture.port);
    socket.write('nonsense\r\n\r\n');
    const { ms, said } = await lifetime(socket, 'more nonsense\r\n\r\n');
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(ms).toBeLessThan(10_000);
  });

  test('a body that never ends', async () => {
    const socket = await open(fixture.port);
    const type = 'Content-Type: application/json';
    socket.write(`POST /launch HTTP/1.1\r\nHost: 127.0.0.1:${fixture.port}\r\n${type}\r\nContent-Length: 1000\r\n\r\n`);
    expect((await lifetime(socket, ' ')).ms).toBeLessThan(10_000);
    expect(fixture.notes).toEqual([]);
  });

  test('a socket that is kept open after a response', async () => {
    const socket = await open(fixture.port);
    socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${fixture.port}\r\n\r\n`);
    const { ms, said } = await lifetime(socket);
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(ms).toBeLessThan(10_000);
  });

  test('but not a file, which may take longer', async () => {
    const socket = await open(fixture.port);
    socket.write(fileHead(70));
    // A byte each 50th of the limit: longer than other requests may take.
    const { ms, said } = await lifetime(socket, ' ');
    expect(ms).toBeGreaterThan(1.2 * LIMITS.requestMs);
    expect(said).toMatch(/^HTTP\/1\.1 200 [\s\S]*70$/);
    expect(files).toContain('closed after 70 bytes');
  });

  test('and the handler of a file learns that its sender is gone', async () => {
    const socket = await open(fixture.port);
    socket.write(`${fileHead(70)}abc`);
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(70);
    socket.destroy();
    await expect.poll(() => files).toContain('closed after 3 bytes');
    expect(fixture.notes).toEqual([]);
  });

  test(`${IDLE_SOCKETS} idle sockets, while the page still loads`, async () => {
    const idle = Array.from({ length: IDLE_SOCKETS }, () => open(fixture.port));
    const ends = idle.map(async (socket) => lifetime(await socket));
    await Promise.all(idle);
    expect((await fixture.ask('GET', '/')).body).toBe(PAGE);
    const lives = await Promise.all(ends);
    expect(Math.max(...lives.map(({ ms }) => ms))).toBeLessThan(10_000);
    expect(lives.map(({ said }) => said).join('')).toBe('');
  });
});

test.concurrent('attack: a response that nobody reads is given up within 20 s', async () => {
  const socket = await open(fixture.port);
  const served = servedSocket('/api/large');
  const head = `Host: 127.0.0.1:${fixture.port}\r\n${TOKEN_HEADER}: ${fixture.token}`;
  socket.pause().write(`GET /api/large HTTP/1.1\r\n${head}\r\n\r\n`);
  const started = performance.now();
  await once(await served, 'close');
  expect(performance.now() - started).toBeLessThan(20_000);
  socket.destroy();
});
