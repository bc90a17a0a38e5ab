import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, packageFolder, runBin, test } from './bin';

// `mcp-inspect mcp` of the packed package, with the clients of both official SDKs, and mcp-inspect itself as a client.

const root = join(import.meta.dirname, '..');
const SERVERS = join(root, 'e2e/servers');
const SDK_1 = join(SERVERS, 'node_modules/@modelcontextprotocol/sdk/dist/esm');
const BUGGY = join(root, 'features/agents/proxy/fixtures/buggy-server.mjs');

interface AgentClient {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: object): Promise<any>;
  readResource(params: object): Promise<any>;
  close(): Promise<void>;
}

const CLIENTS: readonly (readonly [string, () => Promise<AgentClient>, () => Promise<typeof StdioClientTransport>])[] =
  [
    [
      'SDK 1',
      async () => new (await import(join(SDK_1, 'client/index.js'))).Client({ name: 'agent', version: '1' }),
      async () => (await import(join(SDK_1, 'client/stdio.js'))).StdioClientTransport,
    ],
    ...(['legacy', 'auto'] as const).map(
      (mode) =>
        [
          `SDK 2, ${mode}`,
          async () =>
            new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } }) as unknown as AgentClient,
          async () => StdioClientTransport,
        ] as const,
    ),
  ];

/** The clients of `npm test`: one of each SDK. */
const OF_EACH_SDK = CLIENTS.filter(([name]) => name !== 'SDK 2, legacy');

for (const [name, newClient, transportClass] of process.env.TEST_LONG ? CLIENTS : OF_EACH_SDK) {
  test(`${name}: an agent finds the cause of a crash in a recorded session`, async ({ start: _ }, info) => {
    test.skip(!existsSync(SDK_1), 'needs `npm ci` in e2e/servers');
    const home = info.outputPath('home');
    const file = info.outputPath('crash.mcpr.jsonl');
    const server = ['--', process.execPath, BUGGY, 'crash-on-argument'];
    await runBin(['call', 'add_note', '--arg', 'text=50 %', '--record', file, ...server], {
      env: { MCP_INSPECT_HOME: home },
    });
    const client = await newClient();
    const Transport = await transportClass();
    const env = { ...process.env, MCP_INSPECT_HOME: home } as Record<string, string>;
    const args = [join(packageFolder(), 'dist/cli.js'), 'mcp', file];
    await client.connect(new Transport({ command: process.execPath, args, env }));
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain('find_problems');
    const { structuredContent: found } = await client.callTool({ name: 'find_problems', arguments: {} });
    expect(found.problems[0]).toMatchObject({ code: 'server-ended', severity: 'error' });
    const explained = await client.callTool({ name: 'explain', arguments: { frame: found.problems[0].frames[0] } });
    expect(explained.content[0].text).toContain('URIError: URI malformed');
    const { contents } = await client.readResource({ uri: 'mcp-inspect://recording/crash/frame/1' });
    expect(contents[0].text).toContain('crash-on-argument');
    await client.close();
  });
}

test('mcp-inspect check has nothing to say about it, and call uses it', async ({ start: _ }, info) => {
  // With --allow it makes hundreds of calls, and as many with bad input.
  test.setTimeout(300_000);
  const allowed = process.env.TEST_LONG ? ['--allow', 'read-only'] : [];
  const home = info.outputPath('home');
  const file = info.outputPath('notes.mcpr.jsonl');
  await runBin(['call', 'add_note', '--arg', 'text=milk', '--record', file, '--', process.execPath, BUGGY], {
    env: { MCP_INSPECT_HOME: home },
  });
  const self = ['--', process.execPath, join(packageFolder(), 'dist/cli.js'), 'mcp', file];
  const env = { MCP_INSPECT_HOME: home };
  const checked = await runBin(['check', ...allowed, ...self], { env });
  expect(checked.stdout).toContain('Passed: 0 errors, 0 warnings, 0 hints.');
  const called = await runBin(['call', 'list_recordings', ...self], { env });
  expect(called.stdout).toContain('notes: server ⟦notes⟧');
});

test('a live tap is listed with its host, and read while it runs', async ({ start: _ }, info) => {
  const home = info.outputPath('home');
  const env = { ...process.env, MCP_INSPECT_HOME: home } as Record<string, string>;
  const cli = join(packageFolder(), 'dist/cli.js');
  const start = async (...args: string[]) => {
    const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, ...args], env }));
    return client;
  };
  const host = await start(
    'tap',
    '--host',
    'cursor',
    '--name',
    'notes',
    '--',
    process.execPath,
    BUGGY,
    'missing-content',
  );
  await host.callTool({ name: 'add_note', arguments: { text: 'milk' } }).catch(() => {});
  const agent = await start('mcp');
  const text = async (name: string, args = {}) =>
    ((await agent.callTool({ name, arguments: args })).content as { text: string }[])[0]!.text;
  await expect.poll(() => text('list_recordings')).toContain('tap of cursor');
  await expect.poll(() => text('find_problems')).toContain('content is missing');
  expect(await text('explain')).toContain('used by cursor through a tap');
  await agent.close();
  await host.close();
});
