import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runningTaps } from './find-taps';
import { TapRules } from './tap-rules';
import { finished, type TestTaps, testTaps } from './test-tap';

const SERVERS = join(import.meta.dirname, '../../../e2e/servers');
const EVERYTHING = join(SERVERS, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const MODERN = join(SERVERS, 'modern-server.mjs');

const overlayOf = (tools: object) => JSON.stringify({ tools });
const newClient = (mode: 'legacy' | 'auto') =>
  new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode } });

describe.skipIf(process.platform === 'win32')('an overlay in a tap', { timeout: 60_000 }, () => {
  let taps: TestTaps;
  const clients: Client[] = [];
  beforeEach(async () => {
    taps = await testTaps();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    taps.remove();
  });

  const connect = async (client: Client, server: readonly string[], options: readonly string[] = []) => {
    clients.push(client);
    const args = [taps.file, ...options, '--', process.execPath, ...server];
    const env = { ...process.env, MCP_INSPECT_HOME: taps.home } as Record<string, string>;
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
    return client;
  };
  const fileOf = (text: string) => {
    const file = join(taps.home, '../mcp-inspect.overlay.json');
    writeFileSync(file, text);
    return file;
  };
  const texts = (channel: string, direction: string) =>
    taps
      .names()
      .flatMap((name) => taps.read(name).frames)
      .filter((frame) => frame.channel === channel && frame.direction === direction)
      .map(({ bytes }) => Buffer.from(bytes).toString());

  test.skipIf(!existsSync(EVERYTHING))('of a file is what a legacy host sees from the start', async () => {
    const file = fileOf(
      overlayOf({
        echo: { name: 'say', description: 'Says it' },
        'get-env': { hidden: true },
        'get-sum': { title: null },
      }),
    );
    const client = await connect(newClient('legacy'), [EVERYTHING], ['--intercept', file]);
    const { tools } = await client.listTools();
    const named = new Map(tools.map((tool) => [tool.name, tool]));
    expect([...named.keys()]).not.toContain('echo');
    expect([...named.keys()]).not.toContain('get-env');
    expect(named.get('say')).toMatchObject({ description: 'Says it', title: 'Echo Tool' });
    expect(named.get('get-sum')?.title).toBeUndefined();
    const result = await client.callTool({ name: 'say', arguments: { message: 'hi' } });
    expect(result.content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
    await expect(client.callTool({ name: 'get-env' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
    // The log has both sides of it.
    const calls = (channel: string) => texts(channel, 'to-server').filter((text) => text.includes('"hi"'));
    await vi.waitFor(() => expect(calls('protocol')).toHaveLength(1));
    expect(calls('intercept')).toEqual([expect.stringContaining('"name":"say"')]);
    expect(calls('protocol')[0]).toContain('"name":"echo"');
  });

  test.skipIf(!existsSync(EVERYTHING))(
    'of a page notifies the host, which sees it when it reads its list again',
    async () => {
      const client = newClient('legacy');
      const told = vi.fn();
      client.setNotificationHandler('notifications/tools/list_changed', told);
      await connect(client, [EVERYTHING]);
      await client.listTools();
      // server-everything sends some of its own after the handshake.
      await vi.waitFor(() => expect(runningTaps(taps.recordings)).toHaveLength(1), 10_000);
      const page = new TapRules(taps.recordings, runningTaps(taps.recordings)[0]!);
      await client.ping();
      const before = told.mock.calls.length;
      await page.setOverlay({}, overlayOf({ echo: { description: 'Says it' } }));
      await vi.waitFor(() => expect(told.mock.calls.length).toBe(before + 1));
      const described = async () => (await client.listTools()).tools.find(({ name }) => name === 'echo')?.description;
      expect(await described()).toBe('Says it');
      page.close();
      await vi.waitFor(() => expect(told.mock.calls.length).toBe(before + 2));
      expect(await described()).toBe('Echoes back the input string');
    },
  );

  test.skipIf(!existsSync(EVERYTHING))('is seen and called by a modern host', async () => {
    const file = fileOf(
      overlayOf({ add: { name: 'plus', inputSchema: { properties: { a: { description: 'One' } } } } }),
    );
    const client = await connect(newClient('auto'), [MODERN, 'dual'], ['--intercept', file]);
    expect(client.getProtocolEra()).toBe('modern');
    const { tools } = await client.listTools();
    const plus = tools.find(({ name }) => name === 'plus');
    expect(plus?.inputSchema.properties?.a).toMatchObject({ description: 'One' });
    const result = await client.callTool({ name: 'plus', arguments: { a: 1, b: 2 } });
    expect(JSON.stringify(result)).toContain('3');
  });

  test('that is refused by the tap leaves the one before in force', async () => {
    const tap = taps.start([], ['cat']);
    await vi.waitFor(() => expect(runningTaps(taps.recordings)).toHaveLength(1), 10_000);
    const page = new TapRules(taps.recordings, runningTaps(taps.recordings)[0]!);
    const me = {};
    await page.setOverlay(me, overlayOf({ a: { title: 'A' } }));
    await expect(page.setOverlay(me, overlayOf({ a: { title: 1 } }))).rejects.toMatchObject({
      code: 'bad-overlay',
      message: '`tools.a.title` is a number, expected a string, or null to remove it.',
    });
    const events = () => texts('lifecycle', 'to-client').filter((text) => text.includes('"event":"overlay"'));
    await vi.waitFor(() => expect(events()).toHaveLength(1));
    page.close();
    tap.kill('SIGKILL');
  });

  test('of an invalid file is exit code 2, and the server is not started', async () => {
    const ended = await finished(
      taps.start(['--intercept', fileOf('{"tools":{"a":{"name":1}}}')], ['node', '-e', '0']),
    );
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('`tools.a.name` is a number') });
  });
});
