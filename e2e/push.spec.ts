import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noStore, startTestBucket, TEST_KEYS, type TestBucket } from '@/features/team/proxy/bucket/test-bucket';
import { requireWhole } from '@/features/team/proxy/bucket/test-objects';
import { demoCommand, expect, packageFolder, runBin } from './bin';
import { test } from './http-servers';

test.skip(noStore !== undefined, noStore ?? '');

let bucket: TestBucket;
test.beforeAll(async () => {
  bucket = await startTestBucket();
});
test.afterAll(() => bucket.close());

const env = (): Record<string, string> => ({ ...(bucket.env as Record<string, string>), GITHUB_ACTIONS: '' });
const home = (): string => test.info().outputPath('home');
const ONE = { recordings: 1, summaries: 1 };

/** Names of the files in the outbox, without its secret. */
function outbox(): readonly string[] {
  const folder = join(home(), 'outbox');
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^\d/.test(name)) : [];
}

function requireNoKeys(text: string | Buffer, where: string): void {
  for (const key of Object.values(TEST_KEYS)) expect(text.includes(key), where).toBe(false);
}

/** No file of the data folder may hold a credential. */
test.afterEach(() => {
  if (!existsSync(home())) return;
  for (const name of readdirSync(home(), { recursive: true, encoding: 'utf8' })) {
    const path = join(home(), name);
    if (statSync(path).isFile()) requireNoKeys(readFileSync(path), path);
  }
});

function startTap(...words: string[]): ChildProcessWithoutNullStreams {
  const tap = spawn(process.execPath, [join(packageFolder(), 'dist/cli.js'), 'tap', ...words], {
    env: { ...process.env, ...env(), MCP_INSPECT_HOME: home() },
  });
  tap.stderr.resume();
  return tap;
}

/** Makes a host say hello, and waits for the answer. */
async function hello(tap: ChildProcessWithoutNullStreams): Promise<void> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a-host', version: '1' } };
  tap.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  await once(tap.stdout, 'data');
}

const uploaded = (prefix: string) => expect.poll(() => requireWhole(bucket, prefix), { timeout: 30_000 });

test('a subcommand records and uploads, and its result is alone on stdout', async () => {
  const words = ['call', 'count_waves', '--arg', 'waves=3', '--json', '--to', 's3://team/call', '--s3', 'tag=nightly'];
  const { ended, stdout, stderr } = await runBin([...words, '--', ...demoCommand()], { env: env() });
  expect(ended).toBe(0);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(stderr).toMatch(/Uploaded [\d.]+ KB to s3:\/\/team\/call\/recordings\/v1\/\S+\.mcpr\.jsonl/);
  expect(await requireWhole(bucket, 'call')).toEqual(ONE);
  expect(outbox()).toEqual([]);
  requireNoKeys(stdout + stderr, 'output');
});

test('a bucket that denies costs a subcommand one line, and the recording waits', async () => {
  const denied = { ...env(), AWS_SECRET_ACCESS_KEY: 'another' };
  const words = ['list', 'tools', '--to', 's3://team/denied', '--', ...demoCommand()];
  const { ended, stderr } = await runBin(words, { env: denied });
  expect(ended).toBe(0);
  expect(stderr).toMatch(/The store did not accept the signature for s3:\/\/team\/denied.*It waits in the outbox/);
  const { ended: code, stdout } = await runBin(['recordings', 'push'], { env: env() });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^s3:\/\/team\/denied\/recordings/);
  expect(await requireWhole(bucket, 'denied')).toEqual(ONE);
});

test('a tap uploads its session after its end, in a process of its own', async () => {
  const tap = startTap('--to', 's3://team/tap', '--', ...demoCommand());
  await hello(tap);
  // The recording begins on a thread of its own.
  await expect.poll(outbox).toHaveLength(1);
  tap.stdin.end();
  await once(tap, 'exit');
  await uploaded('tap').toEqual(ONE);
  await expect.poll(outbox).toEqual([]);
});

test('a tap that is killed is uploaded by the next one', async () => {
  const killed = startTap('--to', 's3://team/killed', '--', ...demoCommand());
  await hello(killed);
  await expect.poll(outbox).toHaveLength(1);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await requireWhole(bucket, 'killed')).toEqual({ recordings: 0, summaries: 0 });
  const next = startTap('--to', 's3://team/killed', '--', ...demoCommand());
  await hello(next);
  await uploaded('killed').toEqual(ONE);
  expect(outbox()).toHaveLength(1);
  next.stdin.end();
  await once(next, 'exit');
  await uploaded('killed').toEqual({ recordings: 2, summaries: 2 });
});

test('a page uploads what it records, and leaves nothing when it ends', async ({ start }) => {
  const bin = await start(['--to', 's3://team/page', '--', ...demoCommand()], { env: env() });
  // A connection without traffic leaves no recording.
  const folder = join(home(), 'recordings');
  const recorded = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  await expect.poll(() => existsSync(folder) && recorded().join('')).toContain('tools/list');
  expect(outbox()).toHaveLength(1);
  bin.kill('SIGTERM');
  await bin.ended;
  await uploaded('page').toEqual(ONE);
  requireNoKeys(bin.stdout() + bin.stderr(), 'output');
});

test('a reverse proxy uploads its sessions', async ({ serve }) => {
  const server = await serve('everything');
  const tap = startTap('--http', server.url, '--to', 's3://team/http');
  const [printed] = (await once(tap.stdout, 'data')) as [Buffer];
  const { ended } = await runBin(['list', 'tools', printed.toString().trim()]);
  expect(ended).toBe(0);
  tap.kill('SIGTERM');
  await once(tap, 'exit');
  await uploaded('http').toEqual(ONE);
});

test('an installed tap uploads, and uninstalling restores the config', async () => {
  const config = test.info().outputPath('mcp.json');
  const [command, ...args] = demoCommand();
  const before = JSON.stringify({ mcpServers: { demo: { command, args } } });
  writeFileSync(config, before);
  const words = ['cursor', 'demo', '--config', config];
  const installed = await runBin(
    ['tap', 'add', ...words, '--to', 's3://team/x', '--s3', 'tag=mine', '--mask', 'strict'],
    {
      env: env(),
    },
  );
  expect(installed.ended, installed.stderr).toBe(0);
  const entry = JSON.parse(readFileSync(config, 'utf8')).mcpServers.demo;
  const options = [
    '--to=s3://team/x',
    `--s3=endpoint=${bucket.endpoint}`,
    '--s3=tag=mine',
    '--mask=strict',
    '--',
    command,
  ];
  expect(entry.args.join(' ')).toContain(options.join(' '));
  requireNoKeys(readFileSync(config), config);
  expect((await runBin(['tap', 'remove', ...words])).ended).toBe(0);
  expect(readFileSync(config, 'utf8')).toBe(before);
});
