import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, got, sent } from '@/lib/store/test-frames';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { EventHistory, REPLAY_KEPT, REPLAY_KEPT_CHARS } from './event-stream';
import type { ReplayServer } from './http-server';
import { serveFrames } from './test-serve-frames';

let server: ReplayServer;
afterEach(() => server?.close());

const OLDER = join(import.meta.dirname, '../../../e2e/servers/node_modules/@modelcontextprotocol/sdk/dist/esm/client');

const http = (frame: HttpFrame): FrameSeed => ({ ...got(JSON.stringify(frame)), channel: 'http' });
const post = (exchange: number, seed: FrameSeed): FrameSeed[] => [
  http({ kind: 'request', exchange, method: 'POST', url: 'http://h/mcp', headers: [], bytes: 9 }),
  seed,
  http({ kind: 'response', exchange, status: 200, headers: [['Content-Type', 'text/event-stream']] }),
];
const get = (exchange: number, after?: string): FrameSeed[] => [
  http({
    kind: 'request',
    exchange,
    method: 'GET',
    url: 'http://h/mcp',
    headers: after === undefined ? [] : [['Last-Event-ID', after]],
    bytes: 0,
  }),
  http({ kind: 'response', exchange, status: 200, headers: [['Content-Type', 'text/event-stream']] }),
];
const event = (exchange: number, id: string | undefined, seed: FrameSeed): FrameSeed[] => [
  http({ kind: 'sse', exchange, event: 'message', ...(id !== undefined && { id }) }),
  seed,
];
const ended = (exchange: number) => http({ kind: 'end', exchange, by: 'server' });
const step = (progress: number) =>
  got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress } });
const slow = { name: 'slow', arguments: {} };

/**
 * A server that, during a slow call, says when to come back, closes the stream, and answers a resuming client.
 * `numbered`: with event ids.
 */
function recorded(numbered: boolean): FrameSeed[] {
  const id = (text: string) => (numbered ? text : undefined);
  const primed = [http({ kind: 'sse', exchange: 3, retry: 1 }), http({ kind: 'sse', exchange: 3, id: 'a0', data: '' })];
  const opened = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  };
  return [
    ...post(1, asked(0, 'initialize', {})),
    ...event(1, id('i1'), answered(0, opened)),
    ended(1),
    sent({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    ...get(2),
    ...post(3, asked(1, 'tools/call', { ...slow, _meta: { progressToken: 'p' } })),
    ...(numbered ? primed : []),
    ...event(3, id('a1'), step(1)),
    ...(numbered ? [ended(3), ...get(4, 'a1')] : []),
    ...event(numbered ? 4 : 3, id('a2'), step(2)),
    ...event(numbered ? 4 : 3, id('a3'), answered(1, { content: [{ type: 'text', text: 'done' }] })),
    ...post(5, asked(2, 'tools/call', { name: 'wrong', arguments: {} })),
    ...event(5, id('b1'), got({ jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'no' } })),
  ];
}

/** Serves it and records the requests. */
async function serve(seeds: readonly FrameSeed[]): Promise<void> {
  server = await serveFrames(seeds);
}

const BOTH = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const ask = (id: unknown, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });

function say(message: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url, { method: 'POST', headers: { ...BOTH, ...headers }, body: JSON.stringify(message) });
}

async function session(): Promise<Record<string, string>> {
  const response = await say(ask(0, 'initialize', {}));
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id')! };
}

const goOn = (headers: Record<string, string>, after: string) =>
  fetch(server.url, { headers: { ...headers, accept: 'text/event-stream', 'last-event-id': after } });

const idsIn = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!);

test('closes a stream where the recorded server closed it, and the client resumes to get the answer', async () => {
  await serve(recorded(true));
  const headers = await session();
  const begun = await (await say(ask(1, 'tools/call', { ...slow, _meta: { progressToken: 7 } }), headers)).text();
  const [primed, first] = idsIn(begun);
  expect(begun).toBe(
    `id: ${primed}\nretry: 1\ndata: \n\nevent: message\nid: ${first}\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}\n\n`,
  );
  const rest = await (await goOn(headers, first!)).text();
  expect(rest).toMatch(/"progress":2[\s\S]*"text":"done"/);
  expect(rest).not.toContain('"progress":1');
  expect(await (await goOn(headers, primed!)).text()).toContain('"progress":1');
  expect((await goOn(headers, idsIn(rest).at(-1)!)).status).toBe(204);
});

test('refuses to resume another session’s stream, or to resume after an unknown event', async () => {
  await serve(recorded(true));
  const [mine, other] = [await session(), await session()];
  const [first] = idsIn(await (await say(ask(1, 'tools/call', slow), mine)).text());
  expect((await goOn(other, first!)).status).toBe(400);
  expect((await goOn(mine, 'a1')).status).toBe(400);
  expect((await goOn(mine, first!)).status).toBe(200);
});

test('a client without a progress token can resume, too', async () => {
  await serve(recorded(true));
  const headers = await session();
  const [primed] = idsIn(await (await say(ask(1, 'tools/call', slow), headers)).text());
  expect(await (await goOn(headers, primed!)).text()).toContain('"text":"done"');
});

test('sends no event ids and cuts no stream if the recorded server sent no ids', async () => {
  await serve(recorded(false));
  const headers = await session();
  const text = await (await say(ask(1, 'tools/call', { ...slow, _meta: { progressToken: 7 } }), headers)).text();
  expect([idsIn(text), text.match(/"progress":\d/g)]).toEqual([[], ['"progress":1', '"progress":2']]);
  expect(text).toContain('"text":"done"');
});

test('resumes the stream of GET, too', async () => {
  const changed = (id: string) => event(2, id, got({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
  await serve([...recorded(true), ...changed('g1'), ...changed('g2')]);
  const headers = await session();
  const listening = new AbortController();
  const stream = await fetch(server.url, { headers, signal: listening.signal });
  await (await say(ask(1, 'tools/call', { name: 'wrong' }), headers)).text();
  let text = '';
  for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (idsIn(text).length === 2) break;
  }
  listening.abort();
  const again = await goOn(headers, idsIn(text)[0]!);
  const { value } = await again.body!.pipeThrough(new TextDecoderStream()).getReader().read();
  expect(idsIn(value!)).toEqual([idsIn(text)[1]]);
});

const CLIENTS: [string, () => Promise<any>][] = [
  [
    '1.x',
    async () => {
      const of = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(OLDER, name)).href);
      const { Client: Older } = await of('index.js');
      const { StreamableHTTPClientTransport: Transport } = await of('streamableHttp.js');
      const client = new Older({ name: 'test', version: '1' });
      await client.connect(new Transport(new URL(server.url)));
      return { client, call: (params: object, options: object) => client.callTool(params, undefined, options) };
    },
  ],
  [
    '2.x',
    async () => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
      return { client, call: (params: any, options: object) => client.callTool(params, options) };
    },
  ],
];

test.each(CLIENTS.filter(([version]) => version === '2.x' || existsSync(OLDER)))(
  'the official client %s resumes to get its answer',
  async (_version, open) => {
    await serve(recorded(true));
    const { client, call } = await open();
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    for (let time = 1; time <= 3; time++) {
      expect(await call(slow, { onprogress })).toMatchObject({ content: [{ text: 'done' }] });
      await expect(call({ name: 'wrong', arguments: {} }, {})).rejects.toThrow('no');
    }
    expect(seen).toEqual([1, 2, 1, 2, 1, 2]);
    await client.close();
  },
  20_000,
);

test('bounds the events kept, by number and by size', () => {
  const kept = new EventHistory<object>();
  const stream = {};
  for (let at = 0; at <= REPLAY_KEPT; at++) kept.add({ stream, id: `a${at}`, text: '' });
  expect([kept.streamOf('a0'), kept.streamOf('a1')]).toEqual([undefined, stream]);
  const text = 'x'.repeat(REPLAY_KEPT_CHARS / 2);
  for (const id of ['b1', 'b2', 'b3']) kept.add({ stream, id, text });
  expect(['a1', 'b1', 'b2', 'b3'].map((id) => kept.streamOf(id))).toEqual([undefined, undefined, stream, stream]);
  expect(kept.after('b2', stream).map(({ id }) => id)).toEqual(['b3']);
});
