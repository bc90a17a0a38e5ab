import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HostParameter, HostView } from '@/lib/host/host-view';
import { runCommand } from '@/proxy/commands/test-command-line';
import { type TestTaps, testTaps } from './test-tap';

const SERVER = join(import.meta.dirname, '../../../proxy/commands/fixtures/host-server.mjs');
const SDK_1 = join(import.meta.dirname, '../../../e2e/servers/node_modules/@modelcontextprotocol/sdk/dist/esm');

/** A client of either SDK. */
interface Host {
  connect(transport: unknown): Promise<void>;
  setLoggingLevel?(level: string): Promise<unknown>;
  listTools(): Promise<unknown>;
  callTool(params: object, ...rest: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

interface HostFacts extends HostView {
  readonly tools: readonly (HostView['tools'][number] & { readonly parameters: readonly HostParameter[] })[];
}

let taps: TestTaps;
beforeAll(async () => {
  taps = await testTaps();
});
afterAll(() => taps.remove());

/** Runs a session through the tap. Returns the path of its recording. */
async function session(
  client: Host,
  host: string,
  era: string,
  play: (client: Host) => Promise<void>,
): Promise<string> {
  const before = new Set(taps.names());
  const args = [taps.file, '--host', host, '--', process.execPath, SERVER, era];
  const env = { ...(process.env as Record<string, string>), MCP_INSPECT_HOME: taps.home };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  await play(client);
  await client.close();
  // SDK 2 starts a server once only to learn its era.
  return join(taps.recordings, taps.names().findLast((name) => !before.has(name))!);
}

/** Does what every host does here. `timeout`: milliseconds that it waits for `wait`. */
async function work(client: Host, timeout: number, twoArguments: boolean): Promise<void> {
  await client.listTools();
  const call = (name: string, args: object, options = {}) =>
    twoArguments
      ? client.callTool({ name, arguments: args }, options)
      : client.callTool({ name, arguments: args }, undefined, options);
  for (const message of ['a', 'a', 'b']) await call('echo', { message });
  await call('fail', { why: 'test', more: 1 });
  await call('wait', {}, { timeout }).catch(() => {});
}

const legacyHost = () =>
  new Client(
    { name: 'two', title: 'Host two', version: '2' },
    { versionNegotiation: { mode: 'legacy' }, capabilities: { roots: {} } },
  ) as unknown as Host;
const modernHost = () =>
  new Client({ name: 'two', version: '2' }, { versionNegotiation: { mode: 'auto' } }) as unknown as Host;
const firstHost = async () => {
  const { Client: First } = await import(join(SDK_1, 'client/index.js'));
  return new First({ name: 'one', version: '1' }, { capabilities: { sampling: {} } }) as Host;
};

const facts = async (file: string): Promise<HostFacts> =>
  JSON.parse((await runCommand(['report', '--usage', file, '--json'])).stdout).hosts[0];

/** Plays a session once for all tests that read its recording. */
function once(play: () => Promise<string>): () => Promise<string> {
  let played: Promise<string> | undefined;
  return () => {
    played ??= play();
    return played;
  };
}
const modernSession = once(() => session(modernHost(), 'zed', 'dual', (client) => work(client, 250, true)));
const firstSession = once(async () =>
  session(await firstHost(), 'cursor', 'legacy', (client) => work(client, 250, false)),
);

test('a legacy host: what it says, asks for, calls, and when it gives up', async () => {
  const file = await session(legacyHost(), 'codex', 'legacy', async (client) => {
    await client.setLoggingLevel?.('warning');
    await work(client, 250, true);
  });
  const view = await facts(file);
  expect(view).toMatchObject({
    host: 'codex',
    era: 'legacy',
    identities: [{ info: { name: 'two', title: 'Host two', version: '2' }, capabilities: { roots: {} }, count: 1 }],
    server: { name: 'host-test', version: '1.2.3' },
    unread: 0,
  });
  expect(view.steps.map(({ method, about, items, count }) => [method, about, items, count])).toEqual([
    ['initialize', undefined, undefined, 1],
    ['notifications/initialized', undefined, undefined, 1],
    ['logging/setLevel', 'warning', undefined, 1],
    ['tools/list', undefined, 4, 2],
    ['tools/call', 'echo', undefined, 1],
  ]);
  expect(view.waits).toMatchObject({ evidence: 'timeout', timeouts: 1, cancelled: 1 });
  expect(view.waits.givenUp[0]).toMatchObject({ method: 'tools/call', name: 'wait', isTimeout: true });
  expect(view.waits.toUs).toBeGreaterThan(200_000);
  expect(view.tools.map(({ name, calls, errors, cancelled }) => [name, calls, errors, cancelled])).toEqual([
    ['echo', 3, 0, 0],
    ['fail', 1, 1, 0],
    ['wait', 1, 1, 0],
    ['old', 0, 0, 0],
  ]);
  const [echo, fail] = view.tools;
  expect(echo?.p50Us).toBeGreaterThan(0);
  expect(echo?.parameters).toEqual([
    {
      name: 'message',
      declared: true,
      required: true,
      given: 3,
      errors: 0,
      others: 0,
      values: [
        { text: '"a"', isCut: false, count: 2 },
        { text: '"b"', isCut: false, count: 1 },
      ],
    },
    { name: 'loud', declared: true, given: 0, errors: 0, values: [], others: 0 },
  ]);
  // Not in the schema.
  expect(fail?.parameters.at(-1)).toMatchObject({ name: 'more', given: 1, errors: 1 });
  expect(view.tokens).toBe(view.tools.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(echo?.tokens).toBeGreaterThan(20);
});

test('a modern host presents itself in every request', async () => {
  const file = await modernSession();
  const view = await facts(file);
  expect(view).toMatchObject({ era: 'modern', version: '2026-07-28', host: 'zed' });
  expect(view.identities).toHaveLength(1);
  expect(view.identities[0]?.info).toMatchObject({ name: 'two' });
  expect(view.identities[0]?.count).toBe(view.requests);
  expect(view.meta.map(({ key }) => key)).not.toContain('io.modelcontextprotocol/clientInfo');
  expect(view.waits.evidence).toBe('timeout');
  expect(view.tools[0]).toMatchObject({ name: 'echo', calls: 3 });
});

test('says what is missing in a file', async () => {
  const file = await modernSession();
  const whole = readFileSync(file, 'utf8');
  const lines = whole.split('\n');
  const cut = join(taps.recordings, 'cut.mcpr.jsonl');
  writeFileSync(cut, whole.slice(0, whole.lastIndexOf('{"k":"end"') - 20));
  const damaged = join(taps.recordings, 'damaged.mcpr.jsonl');
  writeFileSync(damaged, lines.with(lines.length - 5, 'junk').join('\n'));
  const [isCut, isDamaged] = [
    /The recording is incomplete: its last line was cut off\.$/,
    /Damaged lines left out: 1\./,
  ];
  expect((await runCommand(['report', '--usage', file])).notes).toEqual([]);
  expect((await runCommand(['report', '--usage', cut])).notes).toEqual([expect.stringMatching(isCut)]);
  const { notes, stdout } = await runCommand(['report', '--usage', cut, damaged, '--json']);
  expect(notes).toEqual([expect.stringMatching(isCut), expect.stringMatching(isDamaged)]);
  const { hosts } = JSON.parse(stdout);
  expect(hosts.map(({ lacks }: { lacks: string }) => lacks)).toEqual([
    expect.stringMatching(isCut),
    expect.stringMatching(isDamaged),
  ]);
});

describe.skipIf(!existsSync(SDK_1))('with SDK 1 (needs `npm ci` in e2e/servers)', () => {
  test('two hosts differ in capabilities, pages, order and timeouts', async () => {
    const one = await firstSession();
    const two = await session(legacyHost(), 'codex', 'legacy', async (client) => {
      await work(client, 1_000, true);
      await client.callTool({ name: 'echo', arguments: { message: 'x', loud: true } });
      await client.callTool({ name: 'old' });
    });
    const { comparison } = JSON.parse((await runCommand(['report', '--usage', one, two, '--json'])).stdout);
    const rows = comparison.differences.map(({ topic, what }: { topic: string; what: string }) => `${topic}: ${what}`);
    expect(rows).toEqual([
      'Client: name',
      'Capabilities: sampling',
      'Capabilities: roots',
      'Order: pages of tools/list',
      'Waiting: timeout',
      'Tools: tokens of definitions',
      'Tools: wait',
      'Tools: old',
      'Arguments: echo: loud',
    ]);
    expect(comparison.otherServer).toBe(false);
    const { stdout } = await runCommand(['report', '--usage', one, two]);
    expect(stdout).toContain('sampling');
    expect(stdout).toMatch(/pages of tools\/list +not all +all/);
  });

  test('prints what a host does', async () => {
    const file = await firstSession();
    const { stdout } = await runCommand(['report', '--usage', file]);
    expect(stdout).toMatch(/^one 1\n {2}tapped as {5}cursor/);
    expect(stdout).toMatch(/It cancelled 1 request with a timeout as the reason/);
    expect(stdout).toMatch(/tools\/list +2 items, the server has more, which it did not read/);
    expect(stdout).toMatch(/echo +message \* +3 +0 +"a" 2×, "b"/);
    expect(stdout).toMatch(/fail +more \(not in the schema\) +1 +1/);
  });
});

test('refuses what is not a recording', async () => {
  await expect(runCommand(['report', '--usage', SERVER])).rejects.toThrow(/can’t be opened/);
});
