import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CallBook } from '@/lib/replay/call-book';
import type { Replay } from '@/lib/replay/replay';
import type { OpenedSession } from '@/lib/session/open-session';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import { climbKillLadder } from '../process/kill-ladder';
import { spawnServer } from '../process/spawn';
import { freePort, listens } from '../transports/fixtures/ports';
import { serveHttp } from './http-server';
import { serveStdio } from './stdio-server';
import { ANSWERS, type Call, capture, recordedResults } from './test-capture';

const SERVERS = join(import.meta.dirname, '../../e2e/servers');
const bin = (name: string): string => join(SERVERS, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
const MODERN = join(SERVERS, 'modern-server.mjs');

const tool = (name: string, args: object): Call => ({ method: 'tools/call', params: { name, arguments: args } });

const EVERYTHING: readonly Call[] = [
  tool('echo', { message: 'hello' }),
  tool('get-sum', { a: 1, b: 2.5 }),
  tool('get-structured-content', { location: 'Chicago' }),
  tool('trigger-long-running-operation', { duration: 0.2, steps: 4 }),
  tool('trigger-sampling-request', { prompt: 'Say it.', maxTokens: 5 }),
  tool('no such tool', {}),
  { method: 'prompts/get', params: { name: 'simple-prompt' } },
  { method: 'resources/read', params: { uri: 'demo://resource/dynamic/text/1' } },
];

const TWO_FACES: readonly Call[] = [
  tool('add', { a: 1, b: 2 }),
  tool('range', { count: 3 }),
  tool('count', { steps: 3 }),
  tool('ask', {}),
  tool('throws', {}),
  { method: 'prompts/get', params: { name: 'greet', arguments: { name: 'Ada' } } },
  { method: 'resources/read', params: { uri: 'fixture://notes' } },
];

interface Case {
  readonly name: string;
  readonly words: readonly string[];
  readonly calls: readonly Call[];
  /** What comes of progress, and what is asked of the client. */
  readonly progress?: readonly number[];
  readonly asks?: readonly string[];
  /** Of its URL, if it is reached over HTTP. */
  readonly path?: string;
}

const EVERYTHING_ASKS = { calls: EVERYTHING, progress: [1, 2, 3, 4], asks: ['sampling/createMessage'] };
const MODERN_ASKS = {
  calls: TWO_FACES,
  // The SDK tells of the rounds of input, too.
  progress: [1, 2, 3, 1, 2],
  asks: ['elicitation/create', 'elicitation/create', 'sampling/createMessage'],
};

const CASES: readonly Case[] = [
  { name: 'everything', words: [bin('server-everything'), 'stdio'], ...EVERYTHING_ASKS },
  {
    name: 'everything over HTTP',
    words: [bin('server-everything'), 'streamableHttp'],
    ...EVERYTHING_ASKS,
    path: '/mcp',
  },
  {
    name: 'everything over HTTP+SSE',
    words: [bin('server-everything'), 'sse'],
    calls: EVERYTHING.slice(0, 3),
    path: '/sse',
  },
  {
    name: 'filesystem',
    words: [bin('server-filesystem'), join(SERVERS, 'files')],
    calls: [
      tool('list_directory', { path: join(SERVERS, 'files') }),
      tool('read_text_file', { path: join(SERVERS, 'files/hello.txt') }),
      tool('read_text_file', { path: '/nowhere' }),
    ],
  },
  {
    name: 'memory',
    words: [bin('server-memory')],
    calls: [
      tool('read_graph', {}),
      tool('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] }),
      tool('read_graph', {}),
    ],
  },
  {
    name: 'sequential-thinking',
    words: [bin('server-sequential-thinking')],
    calls: [
      tool('sequentialthinking', { thought: 'a', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }),
      tool('sequentialthinking', { thought: 'b', nextThoughtNeeded: false, thoughtNumber: 2, totalThoughts: 2 }),
    ],
  },
  { name: 'modern', words: [MODERN, 'reject'], ...MODERN_ASKS },
  { name: 'modern over HTTP', words: [MODERN, 'reject', 'http'], ...MODERN_ASKS, path: '/mcp' },
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Records a session with a real server. */
async function recorded({ words, calls, path }: Case): Promise<OpenedSession> {
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.json') };
  if (path === undefined) {
    return capture(folder, { transport: 'stdio', command: process.execPath, args: words, env } as Target, calls);
  }
  const port = await freePort();
  const server = await spawnServer(
    { command: process.execPath, args: [...words], cwd: folder, env: { ...process.env, ...env, PORT: String(port) } },
    () => {},
  );
  server.child.stdout.resume();
  server.child.stderr.resume();
  try {
    await expect.poll(() => listens(port, 'localhost'), { timeout: 15_000 }).toBe(true);
    return await capture(folder, { transport: 'auto', url: `http://localhost:${port}${path}` }, calls);
  } finally {
    await climbKillLadder({ tree: server.tree, endStdin: () => {} }, 'SIGTERM', systemClock, () => {});
  }
}

/** The SDK's client at the other end of a replay on stdio. */
function stdioTransport(replay: Replay, notes: string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {
      void serveStdio(replay, { clock: systemClock, note: (line) => notes.push(line) }, input, output);
      let rest = '';
      output.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop()!;
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as never);
      });
    },
    async send(message: unknown) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
}

/** Makes the calls with the SDK's client; what came of each, and the progress of all. */
async function perform(client: Client, calls: readonly Call[]) {
  const results: unknown[] = [];
  const progress: unknown[] = [];
  for (const { method, params } of calls) {
    const request = { method, params } as Parameters<Client['request']>[0];
    results.push(await client.request(request as never, { onprogress: (step) => progress.push(step.progress) }));
  }
  return { results, progress };
}

/** `asked` gets the method of each question that it answers. */
function sdkClient(mode: 'legacy' | 'auto', asked: string[]): Client {
  const client = new Client(
    { name: 'oracle', version: '1' },
    { capabilities: { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} }, versionNegotiation: { mode } },
  );
  for (const method of ['sampling/createMessage', 'elicitation/create'] as const) {
    client.setRequestHandler(method, async () => {
      asked.push(method);
      return ANSWERS[method] as never;
    });
  }
  client.setRequestHandler('roots/list', async () => ({ roots: [] }));
  return client;
}

describe.skipIf(!existsSync(bin('server-everything')))('real servers, if `npm ci` was run in e2e/servers', () => {
  test.each(CASES.map((one) => [one.name, one] as const))(
    '%s: the SDK’s client gets from a replay what was recorded',
    async (_name, one) => {
      const { session } = await recorded(one);
      const expected = recordedResults(session, one.calls);
      expect(expected).toHaveLength(one.calls.length);
      const replay: Replay = { session, book: new CallBook(session), pace: 0, onMiss: 'error' };
      const notes: string[] = [];
      const note = (line: string): void => void notes.push(line);
      const server = await serveHttp(replay, { clock: systemClock, note }, 0);
      try {
        for (const transport of [
          stdioTransport(replay, notes),
          new StreamableHTTPClientTransport(new URL(server.url)),
        ]) {
          const asked: string[] = [];
          const client = sdkClient(session.era === 'modern' ? 'auto' : 'legacy', asked);
          await client.connect(transport as never);
          const listed = await client.listTools();
          const list = session.sent.find((message) => message.method === 'tools/list');
          expect(list?.kind === 'call' && JSON.parse(list.answer!.text)).toMatchObject({ tools: listed.tools });
          const { results, progress } = await perform(client, one.calls);
          for (const [index, result] of results.entries()) expect(expected[index]).toMatchObject(result as object);
          expect(results.every((result) => Object.keys(result as object).length > 0)).toBe(true);
          expect([progress, asked.sort()]).toEqual([one.progress ?? [], one.asks ?? []]);
          await client.close();
        }
        expect(notes).toEqual([]);
      } finally {
        await server.close();
      }
    },
    30_000,
  );
});
