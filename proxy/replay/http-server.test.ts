import { Agent, type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, got, sent } from '@/lib/store/test-frames';
import type { ReplayServer } from './http-server';
import { serveFrames } from './test-serve-frames';

let server: ReplayServer;
afterEach(() => server.close());

async function serve(...seeds: readonly FrameSeed[]): Promise<void> {
  server = await serveFrames(seeds);
}

const BOTH = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

function post(message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return fetch(server.url, { method: 'POST', headers: { ...BOTH, ...headers }, body });
}

const ask = (id: unknown, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
const note = (method: string, params: object = {}) => got({ jsonrpc: '2.0', method, params });

/** Yields the messages of an event stream. */
async function* messagesOf(response: Response): AsyncGenerator<unknown> {
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop()!;
    for (const event of events) yield JSON.parse(/^data: (.*)$/m.exec(event)![1]!);
  }
}

async function all(response: Response): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of messagesOf(response)) messages.push(message);
  return messages;
}

describe('legacy', () => {
  const serveLegacy = () =>
    serve(
      asked(0, 'initialize', {}),
      answered(0, { protocolVersion: '2025-11-25', capabilities: {} }),
      sent({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      note('notifications/tools/list_changed'),
      asked(1, 'tools/call', { name: 'a' }),
      answered(1, 'one'),
      asked(2, 'tools/call', { name: 'a' }),
      note('notifications/message'),
      answered(2, 'two'),
    );

  async function session(): Promise<Record<string, string>> {
    const response = await post(ask(0, 'initialize', {}));
    expect(await response.json()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    return { 'mcp-session-id': response.headers.get('mcp-session-id')! };
  }

  test('each session has its own position; messages before an answer turn the response into a stream', async () => {
    await serveLegacy();
    const [first, second] = [await session(), await session()];
    expect(first).not.toEqual(second);
    const call = ask(1, 'tools/call', { name: 'a' });
    expect(await (await post(call, first)).json()).toMatchObject({ id: 1, result: 'one' });
    expect(await (await post(call, second)).json()).toMatchObject({ result: 'one' });
    const streamed = await post(call, first);
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    expect(await all(streamed)).toMatchObject([{ method: 'notifications/message' }, { id: 1, result: 'two' }]);
  });

  test('messages that belong to no request wait for the one stream that GET opens', async () => {
    await serveLegacy();
    const headers = await session();
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status).toBe(202);
    const stream = await fetch(server.url, { headers });
    const { value } = await messagesOf(stream).next();
    expect(value).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect((await fetch(server.url, { headers })).status).toBe(409);
  });

  test('events recorded on another exchange come on the stream of GET, if there is one', async () => {
    const on = (exchange: number, seed: FrameSeed) => [
      { ...got(JSON.stringify({ kind: 'sse', exchange })), channel: 'http' as const },
      seed,
    ];
    const log = (data: string) => note('notifications/message', { level: 'info', data });
    await serve(
      asked(0, 'initialize', {}),
      answered(0, { protocolVersion: '2025-11-25', capabilities: {} }),
      ...on(5, asked(1, 'tools/call', { name: 'a' })),
      ...on(5, log('its own')),
      ...on(2, log('of another')),
      ...on(5, answered(1, 'one')),
    );
    const data = (messages: unknown[]) => messages.map((message: any) => message.params?.data ?? message.result);
    const [first, second] = [await session(), await session()];
    const call = ask(1, 'tools/call', { name: 'a' });
    expect(data(await all(await post(call, first)))).toEqual(['its own', 'of another', 'one']);
    const stream = messagesOf(await fetch(server.url, { headers: second }));
    expect(data(await all(await post(call, second)))).toEqual(['its own', 'one']);
    expect(data([(await stream.next()).value])).toEqual(['of another']);
  });

  test('refuses a missing, unknown or ended session, and another version', async () => {
    await serveLegacy();
    const headers = await session();
    const ping = ask(1, 'ping');
    expect((await post(ping)).status).toBe(400);
    expect((await post(ping, { 'mcp-session-id': 'x' })).status).toBe(404);
    expect((await post(ping, { ...headers, 'mcp-protocol-version': '2024-11-05' })).status).toBe(400);
    expect((await post(ping, { ...headers, 'mcp-protocol-version': '2025-11-25' })).status).toBe(200);
    expect((await fetch(server.url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await post(ping, headers)).status).toBe(404);
    expect((await fetch(server.url, { method: 'PUT', headers })).status).toBe(405);
  });

  test('refuses what MCP clients never send', async () => {
    await serveLegacy();
    const headers = await session();
    expect((await post('nonsense', headers)).status).toBe(400);
    expect((await post(ask(1, 'ping'), { ...headers, accept: 'application/json' })).status).toBe(406);
    expect((await post(ask(1, 'ping'), { ...headers, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await fetch(server.url.replace('/mcp', '/'), { headers })).status).toBe(404);
  });
});

describe('recorded statuses', () => {
  const http = (frame: object): FrameSeed => ({ ...got({ exchange: 1, ...frame }), channel: 'http' });

  // An HTTP parser accepts statuses up to 999. Other numbers never become http frames.
  test.each([
    [202, 202],
    [404, 404],
    [0, 200],
    [99, 200],
    [100, 200],
    [204, 200],
    [304, 200],
    [600, 200],
    [1000, 200],
    ['x', 200],
  ])('answers %j with %j, and the next request as well', async (status, answer) => {
    await serve(
      http({ kind: 'request', method: 'POST', url: 'http://h/', headers: [], bytes: 2 }),
      asked(0, 'initialize', {}),
      http({ kind: 'response', status, headers: [] }),
      http({ kind: 'body', bytes: 2 }),
      answered(0, { protocolVersion: '2025-11-25', capabilities: {} }),
    );
    for (let count = 0; count < 2; count++) {
      const response = await post(ask(0, 'initialize', {}));
      expect([response.status, await response.json()]).toMatchObject([answer, { result: { capabilities: {} } }]);
    }
  });
});

describe('modern', () => {
  const VERSION = '2026-07-28';
  const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': VERSION } };
  const schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  const call = { name: 'in', arguments: { region: 'größer' } };
  const serveModern = () =>
    serve(
      asked(1, 'tools/list', meta),
      answered(1, { tools: [{ name: 'in', inputSchema: schema }] }),
      asked(2, 'tools/call', { ...call, ...meta }),
      answered(2, { content: [] }),
      asked(3, 'tools/call', { name: 'gone', ...meta }),
      got({ jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'no' } }),
    );
  const standard = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call' };

  test('headers must match the message, plain or in base64', async () => {
    await serveModern();
    const headers = { ...standard, 'mcp-name': '=?base64?aW4=?=', 'mcp-param-region': '=?base64?Z3LDtsOfZXI=?=' };
    const message = ask(9, 'tools/call', { ...call, ...meta });
    expect((await post(message, headers)).status).toBe(200);
    for (const wrong of [
      { 'mcp-name': 'other' },
      { 'mcp-param-region': 'x' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-protocol-version': '2027-01-01' },
    ]) {
      const refused = await post(message, { ...headers, ...wrong });
      expect([refused.status, await refused.json()]).toMatchObject([400, { id: 9, error: { code: -32020 } }]);
    }
  });

  test('answers errors with their HTTP status, and allows only POST', async () => {
    await serveModern();
    const gone = await post(ask(9, 'tools/call', { name: 'gone', ...meta }), { ...standard, 'mcp-name': 'gone' });
    expect([gone.status, await gone.json()]).toMatchObject([404, { error: { code: -32601 } }]);
    expect((await post(ask(1, 'initialize', {}))).status).toBe(400);
    expect((await fetch(server.url)).status).toBe(405);
  });

  test('clients with one name have separate positions, and one client on several sockets has one', async () => {
    const count = (id: number) => [asked(id, 'tools/call', { name: 'n', ...meta }), answered(id, `n ${id}`)];
    await serve(asked(0, 'server/discover', meta), answered(0, {}), ...[1, 2, 3].flatMap(count));
    const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
    const from = async (agent: Agent | undefined, method: string, params: object) => {
      const headers = { ...BOTH, ...standard, 'mcp-method': method, 'mcp-name': 'n' };
      const response = await new Promise<IncomingMessage>((resolve) =>
        request(server.url, { method: 'POST', headers, agent: agent ?? false }, resolve).end(
          JSON.stringify(ask(1, method, { ...params, ...meta })),
        ),
      );
      return JSON.parse(Buffer.concat(await response.toArray()).toString()).result;
    };
    const [first, second] = agents;
    await from(first, 'server/discover', {});
    expect(await from(first, 'tools/call', { name: 'n' })).toBe('n 1');
    await from(second, 'server/discover', {});
    expect(await from(second, 'tools/call', { name: 'n' })).toBe('n 1');
    expect(await from(first, 'tools/call', { name: 'n' })).toBe('n 2');
    expect(await from(undefined, 'tools/call', { name: 'n' })).toBe('n 3');
    expect(await from(second, 'tools/call', { name: 'n' })).toBe('n 2');
    await from(first, 'server/discover', {});
    expect(await from(first, 'tools/call', { name: 'n' })).toBe('n 1');
    for (const agent of agents) agent.destroy();
  });

  test('a subscription stays open until its client closes it', async () => {
    await serveModern();
    const closing = new AbortController();
    const listen = ask('s', 'subscriptions/listen', { notifications: {}, ...meta });
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { ...BOTH, ...standard, 'mcp-method': 'subscriptions/listen' },
      body: JSON.stringify(listen),
      signal: closing.signal,
    });
    const { value } = await messagesOf(response).next();
    expect(value).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    closing.abort();
  });
});

test.each([
  [{ host: 'evil.test' }, 403],
  [{ host: 'localhost.evil.test:80' }, 403],
  [{ origin: 'http://evil.test' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: 'http://localhost:3000' }, 403],
  [{}, 400],
])('keeps web pages out: %j', async (headers, status) => {
  await serve(asked(0, 'initialize', {}), answered(0, { protocolVersion: '2025-11-25' }));
  const { hostname, port, pathname: path } = new URL(server.url);
  const got = await new Promise<number>((resolve) => {
    const options = { hostname, port, path, method: 'POST', headers: { ...BOTH, ...headers } };
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  });
  expect(got).toBe(status);
});
