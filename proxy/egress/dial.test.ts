import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { type DialingRequest, dialingAgents } from './dial';

const open = closedAfterEach();

/** Starts a server that never closes an idle socket. `answer` returns the delay of a response in ms. */
async function startServer(delayOf: (path: string | undefined) => number) {
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    setTimeout(() => response.end('done'), delayOf(request.url));
  });
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push({ close: () => server.close() });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** Sends a request through the agent and returns the body of the response. */
async function send(agents: ReturnType<typeof dialingAgents>, port: number, path: string): Promise<string> {
  const host = '127.0.0.1';
  const { signal } = new AbortController();
  const dial = { host, port, to: host, clock: systemClock, signal, report: () => {} };
  const options: RequestOptions & DialingRequest = { host, port, path, agent: agents.http, dial };
  const [message] = (await once(httpRequest(options).end(), 'response')) as [IncomingMessage];
  return Buffer.concat(await message.toArray()).toString();
}

test('closes an idle socket before a server does, but waits as long as it takes for a response', async () => {
  const { port, sockets } = await startServer((path) => (path === '/slow' ? 300 : 0));
  const agents = dialingAgents(100);
  open.push({ close: () => agents.http.destroy() });
  expect(await send(agents, port, '/')).toBe('done');
  expect(await send(agents, port, '/slow')).toBe('done');
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
});
