import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { resolveLaunch } from '@/proxy/connection/launch';
import { checkLaunch, ERAS } from './test-check';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
});

const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: ERAS.legacy,
    capabilities: { tools: {} },
    serverInfo: { name: 'statuses', version: '1' },
  },
  ping: {},
  'tools/list': { tools: [{ name: 'echo', description: 'Answers.', inputSchema: { type: 'object' } }] },
};

/** Answers every request that it does not know with a status and a plain text. `get` answers a GET. */
async function checkStatuses(status: number, get: (response: ServerResponse) => void, transport: 'auto' | 'http') {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') return get(response);
    if (request.headers.origin !== undefined) return void response.writeHead(403).end();
    let text = '';
    for await (const chunk of request) text += chunk;
    if (text.length > 1000 || !text.endsWith('}')) return void response.writeHead(400).end('Bad request');
    const { id, method } = JSON.parse(text);
    if (id === undefined) return void response.writeHead(202).end();
    const result = RESULTS[method];
    if (result === undefined) return void response.writeHead(status).end('Not handled');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const began = performance.now();
  const checked = await checkLaunch(resolveLaunch({ transport, url }, ERAS.legacy, []), { stepMs: 10_000 });
  return { ...checked, ms: performance.now() - began };
}

const refuse = (response: ServerResponse): void => void response.writeHead(405).end();

test('a 4xx status refuses bad input, and the session goes on', async () => {
  const { found, sources } = await checkStatuses(400, refuse, 'http');
  expect(found.map(({ rule, message }) => [rule, message])).toEqual([
    ['unknown-method-code', 'The server answered an unknown method with HTTP 400, expected error −32601.'],
  ]);
  expect(sources[0]!.steps.filter(({ name }) => name === 'connect')).toHaveLength(1);
});

test('a 5xx status is a fault', async () => {
  const { found } = await checkStatuses(500, refuse, 'http');
  expect(found.map(({ rule, message }) => [rule, message])).toContainEqual([
    'server-lost',
    'During “bad parameters”: The server failed with HTTP 500: "Not handled".',
  ]);
});

test('a list that is cut off is explained as by the doctor, and the server is not called gone', async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const message = text.endsWith('}') ? JSON.parse(text) : {};
    if (message.method === 'tools/list') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${message.id},"result":{"tools":[`);
    } else if (message.id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else {
      const result = RESULTS[message.method];
      const body = result === undefined ? { error: { code: -32601, message: 'Unknown' } } : { result };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }));
    }
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const { found } = await checkLaunch(resolveLaunch({ transport: 'http', url }, ERAS.legacy, []), {});
  const lost = found.find(({ rule }) => rule === 'server-lost');
  expect(lost).toMatchObject({
    title: 'Request failed during a step',
    message: expect.stringMatching(/^During “list tools”: .+ looks like the response to tools\/list.+incomplete\.$/),
    advice: expect.stringContaining('Correct the server’s response'),
  });
}, 30_000);

test.each([400, 404])(
  'a session that the server forgets, and refuses with %d, is a fault',
  async (status) => {
    let [session, requests] = [0, 0];
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      if (request.headers.origin !== undefined) return void response.writeHead(403).end();
      let text = '';
      for await (const chunk of request) text += chunk;
      if (!text.endsWith('}')) return void response.writeHead(400).end('Bad request');
      const { id, method } = JSON.parse(text);
      if (id === undefined) return void response.writeHead(202).end();
      const answer = (code: number, body: object) => {
        response.writeHead(code, { 'content-type': 'application/json', 'mcp-session-id': `s${session}` });
        response.end(JSON.stringify({ jsonrpc: '2.0', ...body }));
      };
      if (method === 'initialize') [session, requests] = [session + 1, 0];
      else if (request.headers['mcp-session-id'] !== `s${session}` || ++requests > 6)
        return answer(status, { id: null, error: { code: -32000, message: 'No valid session ID' } });
      const result = RESULTS[method];
      answer(200, { id, ...(result === undefined ? { error: { code: -32601, message: 'Unknown' } } : { result }) });
    };
    server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { found } = await checkLaunch(resolveLaunch({ transport: 'http', url }, ERAS.legacy, []), {});
    expect(found).toContainEqual(
      expect.objectContaining({
        rule: 'server-lost',
        title: 'Session lost during a step',
        message: expect.stringContaining('The server forgot its session.'),
        frames: [expect.any(Number)],
      }),
    );
  },
  30_000,
);

test('a stream without events is given up early as HTTP+SSE', async () => {
  const open = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  };
  const { sources, ms } = await checkStatuses(400, open, 'auto');
  expect(sources[0]!.notes).toContain('Not offered: HTTP+SSE. It sent no endpoint within 5 s.');
  expect(ms).toBeLessThan(13_000);
}, 30_000);
