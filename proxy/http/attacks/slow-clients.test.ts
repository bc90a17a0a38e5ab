import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, PAGE, startFixture } from './fixture';
import { open } from './raw-client';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
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
  const timer = setInterval(() => drip && socket.writable && socket.write(drip), 100);
  await once(socket, 'close');
  clearInterval(timer);
  return { ms: performance.now() - started, said };
}

/** These wait for Node's own timers, which our test clock can't advance, so they run concurrently. */
describe.concurrent('attack: slow clients are cut within 10 s', () => {
  test('headers that never end', async () => {
    const socket = await open(fixture.port);
    socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${fixture.port}\r\n`);
    const { ms, said } = await lifetime(socket, 'x: y\r\n');
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
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

  test('500 idle sockets, while the page still loads', async () => {
    const idle = await Promise.all(Array.from({ length: 500 }, () => open(fixture.port)));
    expect((await fixture.ask('GET', '/')).body).toBe(PAGE);
    const lives = await Promise.all(idle.map((socket) => lifetime(socket)));
    expect(Math.max(...lives.map(({ ms }) => ms))).toBeLessThan(10_000);
    expect(lives.map(({ said }) => said).join('')).toBe('');
  });
});
