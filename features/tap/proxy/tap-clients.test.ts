import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestTaps, testTaps } from './test-tap';

const SERVERS = join(import.meta.dirname, '../../../e2e/servers');
const EVERYTHING = join(SERVERS, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const SDK_1 = join(SERVERS, 'node_modules/@modelcontextprotocol/sdk/dist/esm');

interface Session {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly unknown[] }>;
  callTool(params: object, options?: object): Promise<unknown>;
  close(): Promise<void>;
}

/** Clients of both SDKs, and the servers that they talk to in each era. */
const SESSIONS: readonly (readonly [string, () => Promise<Session>, readonly string[], string, object])[] = [
  [
    'SDK 1, legacy',
    async () => {
      const { Client: First } = await import(join(SDK_1, 'client/index.js'));
      const first = new First({ name: 'host', version: '1' });
      return {
        connect: (transport) => first.connect(transport),
        listTools: () => first.listTools(),
        callTool: (params, options) => first.callTool(params, undefined, options),
        close: () => first.close(),
      };
    },
    [EVERYTHING],
    'legacy',
    { name: 'echo', arguments: { message: 'hi' } },
  ],
  [
    'SDK 2, legacy',
    async () =>
      new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'legacy' } }) as unknown as Session,
    [EVERYTHING],
    'legacy',
    { name: 'echo', arguments: { message: 'hi' } },
  ],
  [
    'SDK 2, modern',
    async () =>
      new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } }) as unknown as Session,
    [join(SERVERS, 'modern-server.mjs'), 'dual'],
    'modern',
    { name: 'add', arguments: { a: 1, b: 2 } },
  ],
];

describe.skipIf(!existsSync(EVERYTHING))(
  'the official clients get the same from a tapped server (needs `npm ci` in e2e/servers)',
  { timeout: 60_000 },
  () => {
    let taps: TestTaps;
    beforeEach(async () => {
      taps = await testTaps();
    });
    afterEach(() => taps.remove());

    test.each(SESSIONS)('%s', async (_name, newClient, server, era, call) => {
      const bare = await bareSession(newClient, server, call);
      const tapped = await session(
        await newClient(),
        [taps.file, '--host', 'sdk', '--', process.execPath, ...server],
        call,
        taps.home,
      );
      expect(tapped).toEqual(bare);
      // SDK 2 starts the server once only to learn its era.
      const texts = taps
        .names()
        .flatMap((name) => taps.read(name).frames.map(({ bytes }) => Buffer.from(bytes).toString()));
      expect(texts.some((text) => text.includes(`"event":"open","era":"${era}"`))).toBe(true);
      expect(texts.some((text) => text.includes('"tools/list"'))).toBe(true);
    });

    test('all wait longer than their timeouts while a call is held, since they asked for progress', async () => {
      const action = { do: 'delay', ms: HELD_MS };
      const file = join(taps.home, '../slow.json');
      writeFileSync(
        file,
        JSON.stringify({ rules: [{ name: 'slow', direction: 'to-server', when: 'method:tools/call', action }] }),
      );
      const waiting = SESSIONS.map(async ([, newClient, server, , call]) => {
        const bare = await bareSession(newClient, server, call);
        let progress = 0;
        const options = { timeout: TIMEOUT_MS, resetTimeoutOnProgress: true, onprogress: () => progress++ };
        const args = [taps.file, '--intercept', file, '--', process.execPath, ...server];
        expect(await session(await newClient(), args, call, taps.home, options)).toEqual(bare);
        expect(progress).toBeGreaterThan(0);
      });
      await Promise.all(waiting);
    });
  },
);

/** Progress comes every 5 s. */
const TIMEOUT_MS = 7000;
const HELD_MS = 8500;

const bare = new Map<() => Promise<Session>, Promise<readonly unknown[]>>();

/** Resolves with what a client gets without a tap: the same in each test. */
function bareSession(
  newClient: () => Promise<Session>,
  server: readonly string[],
  call: object,
): Promise<readonly unknown[]> {
  const known = bare.get(newClient) ?? newClient().then((client) => session(client, server, call));
  bare.set(newClient, known);
  return known;
}

async function session(
  client: Session,
  args: readonly string[],
  call: object,
  home = '',
  options?: object,
): Promise<readonly unknown[]> {
  const env = { ...(process.env as Record<string, string>), MCP_INSPECT_HOME: home };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  const result = await client.callTool(call, options);
  await client.close();
  return [tools, result];
}
