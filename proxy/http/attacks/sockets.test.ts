import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket as Client } from 'ws';
import {
  COMMAND_BYTES,
  COMMAND_CHUNKS,
  HEARTBEAT_MISSES,
  HEARTBEAT_MS,
  VIEWER_CLOSE_MS,
  VIEWERS,
} from '@/proxy/http/sockets';
import { type Fixture, startFixture } from './fixture';
import { closeCode, frameHead, openRawSocket } from './raw-client';

const MIB = 1024 * 1024;
const TEXT = 1;
const CONTINUATION = 0;

let fixture: Fixture;
const clients: (Client | Socket)[] = [];
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(async () => {
  for (const client of clients.splice(0)) 'terminate' in client ? client.terminate() : client.destroy();
  await fixture.end();
});

function connect(origin = `http://127.0.0.1:${fixture.port}`): Client {
  const client = new Client(`ws://127.0.0.1:${fixture.port}/ws`, ['mcp-inspect.1', `bearer.${fixture.token}`], {
    origin,
  });
  // Closing a refused socket makes it emit an error.
  client.on('error', () => {});
  clients.push(client);
  return client;
}

async function opened(): Promise<Client> {
  const client = connect();
  await once(client, 'open');
  return client;
}

async function refusal(client: Client): Promise<number> {
  const [, response] = (await once(client, 'unexpected-response')) as [unknown, { statusCode: number }];
  return response.statusCode;
}

async function raw(): Promise<Socket> {
  const socket = await openRawSocket(fixture);
  clients.push(socket);
  return socket;
}

test('a browser gets the protocol without the token, no compression, and its messages', async () => {
  const client = await opened();
  expect(client.protocol).toBe('mcp-inspect.1');
  expect(client.extensions).toBe('');
  const received = once(fixture.sockets[0]!, 'message');
  client.send('{"type":"x"}');
  expect(String((await received)[0])).toBe('{"type":"x"}');
});

test('attack: a refused socket is not counted', async () => {
  expect(await refusal(connect('http://evil.example'))).toBe(403);
  expect(fixture.sockets).toEqual([]);
});

test('one browser too many gets 503 before the upgrade, until another one leaves', async () => {
  const all = await Promise.all(Array.from({ length: VIEWERS }, opened));
  expect(await refusal(connect())).toBe(503);
  expect(fixture.sockets).toHaveLength(VIEWERS);
  const left = once(fixture.sockets[0]!, 'close');
  all[0]!.close();
  await left;
  await opened();
});

test.each([
  { name: 'no key', wrong: { 'sec-websocket-key': '' } },
  { name: 'an old version', wrong: { 'sec-websocket-version': '7' } },
])('a handshake with $name gets 400, with our headers', async ({ wrong }) => {
  const answer = await fixture.ask('GET', '/ws', {
    origin: `http://127.0.0.1:${fixture.port}`,
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-version': '13',
    'sec-websocket-protocol': `mcp-inspect.1, bearer.${fixture.token}`,
    ...wrong,
  });
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-security-policy')).toBeTruthy();
});

describe('attack: messages that are too large', () => {
  test('a message of the largest size arrives', async () => {
    const client = await opened();
    const received = once(fixture.sockets[0]!, 'message');
    client.send('x'.repeat(COMMAND_BYTES));
    expect((await received)[0]).toHaveLength(COMMAND_BYTES);
  });

  test('one byte more closes the socket with 1009 before the body is read', async () => {
    const socket = await raw();
    const code = closeCode(socket);
    socket.write(frameHead(TEXT, true, COMMAND_BYTES + 1));
    expect(await code).toBe(1009);
  });

  test('the same in fragments closes the socket with 1009', async () => {
    const socket = await raw();
    const code = closeCode(socket);
    const part = Buffer.alloc(MIB, 'x');
    const parts = Array.from({ length: 5 }, (_, i) => [frameHead(i === 0 ? TEXT : CONTINUATION, false, MIB), part]);
    socket.write(Buffer.concat(parts.flat()));
    expect(await code).toBe(1009);
  });

  test('a million tiny fragments close the socket with 1008 and cost less than 32 MiB', async () => {
    const socket = await raw();
    const code = closeCode(socket);
    const fragment = Buffer.concat([frameHead(CONTINUATION, false, 1), Buffer.from('x')]);
    const many = Buffer.alloc(fragment.length * 10_000, fragment);
    const before = process.memoryUsage().rss;
    let most = before;
    socket.write(Buffer.concat([frameHead(TEXT, false, 1), Buffer.from('x')]));
    for (let i = 0; i < 100 && !socket.destroyed; i++) {
      if (!socket.write(many)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
      most = Math.max(most, process.memoryUsage().rss);
    }
    expect(await code).toBe(1008);
    expect(most - before).toBeLessThan(32 * MIB);
  });

  test('a message in more chunks than COMMAND_CHUNKS closes the socket with 1008', async () => {
    let wire: Duplex | undefined;
    const own = await startFixture({ onSocket: (_, duplex) => (wire = duplex) });
    try {
      const socket = await openRawSocket(own);
      clients.push(socket);
      const code = closeCode(socket);
      // The network would join them.
      wire!.emit('data', frameHead(TEXT, true, COMMAND_BYTES));
      for (let chunk = 0; chunk <= COMMAND_CHUNKS; chunk++) wire!.emit('data', Buffer.from('x'));
      expect(await code).toBe(1008);
    } finally {
      await own.end();
    }
  });

  test('a protocol error of one browser does not affect the others', async () => {
    const other = await opened();
    const socket = await raw();
    const code = closeCode(socket);
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    expect(await code).toBe(1002);
    expect(other.readyState).toBe(Client.OPEN);
  });
});

describe('attack: a silent browser', () => {
  test('is cut after unanswered pings, within 10 s', async () => {
    await raw();
    const gone = once(fixture.sockets[0]!, 'close');
    const beats = HEARTBEAT_MISSES + 1;
    fixture.clock.advance(HEARTBEAT_MS * beats - 1);
    expect(fixture.sockets[0]!.readyState).toBe(Client.OPEN);
    fixture.clock.advance(1);
    await gone;
    expect(HEARTBEAT_MS * beats).toBeLessThanOrEqual(10_000);
    expect(fixture.clock.waiting).toBe(0);
  });

  test('is kept as long as it answers', async () => {
    await opened();
    for (let i = 0; i < 5; i++) {
      const answered = once(fixture.sockets[0]!, 'pong');
      fixture.clock.advance(HEARTBEAT_MS);
      await answered;
    }
    expect(fixture.sockets[0]!.readyState).toBe(Client.OPEN);
  });
});

describe('when the proxy ends', () => {
  test('browsers are closed with 1001', async () => {
    const client = await opened();
    const closed = once(client, 'close');
    await fixture.server.close();
    expect((await closed)[0]).toBe(1001);
  });

  test('a browser that does not answer is cut', async () => {
    await raw();
    const waiting = fixture.clock.waiting;
    const closed = fixture.server.close();
    await vi.waitFor(() => expect(fixture.clock.waiting).toBeGreaterThan(waiting));
    fixture.clock.advance(VIEWER_CLOSE_MS);
    await closed;
  });
});
