import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { zipSync } from 'fflate';
import { expect, runBin } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

/** A server that says what it was started with. It needs no packages. */
const SERVER = `
const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const tool = { name: [process.argv[2], process.env.TOKEN, ...process.argv.slice(3), process.env.EXTRA].filter((one) => one !== undefined).join('-'), inputSchema: { type: 'object' } };
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } },
    'tools/list': { tools: [tool] },
  };
  const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;
const MANIFEST = {
  manifest_version: '0.3',
  name: 'bundled',
  version: '1.0.0',
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: {
      command: process.execPath,
      args: ['${__dirname}/server/index.js', '${user_config.word}', '${user_config.more}', '--x=${user_config.extra}'],
      env: { TOKEN: '${user_config.token}', EXTRA: '${user_config.extra}' },
    },
  },
  user_config: {
    word: { type: 'string', title: 'Word', required: true, default: 'hello' },
    token: { type: 'string', title: 'Token', sensitive: true, required: true },
    more: { type: 'string', title: 'More words', multiple: true },
    extra: { type: 'string', title: 'Extra' },
  },
};

function bundleIn(folder: string, files: Record<string, string> = {}): string {
  const path = join(folder, 'a.mcpb');
  const all = { 'manifest.json': JSON.stringify(MANIFEST), 'server/index.js': SERVER, ...files };
  const entries = Object.entries(all).map(([name, text]) => [name, new TextEncoder().encode(text)] as const);
  writeFileSync(path, zipSync(Object.fromEntries(entries)));
  return path;
}

const leftFolders = () => readdirSync(tmpdir()).filter((name) => /^mcp-inspect-\w{6}$/.test(name));

test('a bundle runs with the answers to its user_config, and its files are removed', async ({ start: _ }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  const path = bundleIn(outputDir);
  const before = leftFolders();
  const run = await runBin(['list', 'tools', '--input', 'token=t1', '--input', 'word=hi', path]);
  expect(run.stderr).not.toContain('Can’t');
  expect(run).toMatchObject({ ended: 0 });
  expect(run.stdout).toMatch(/hi-t1$/m);
  expect(leftFolders().filter((name) => !before.includes(name))).toEqual([]);
  const hostile = await runBin(['list', bundleIn(outputDir, { '..\\x': 'x' })]);
  expect(hostile).toMatchObject({ ended: 2, stdout: '' });
  expect(hostile.stderr).toContain('has a character that names of files can’t have');
});

test('the page asks for the user_config of a bundle before it starts the server', async ({ open }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const { page } = await open([bundleIn(outputDir)]);
  const bench = new Workbench(page);
  const form = page.getByRole('form', { name: 'Inputs of bundled' });
  await form.getByLabel('Token', { exact: true }).fill('t2');
  await form.getByRole('button', { name: 'Connect bundled' }).click();
  await bench.connected();
  await expect(page.getByRole('option', { name: /hello-t2/ })).toBeVisible();
});

test('a server.json runs, and with several servers one has to be named', async ({ start: _ }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(join(outputDir, 'server.cjs'), SERVER);
  const item = {
    registryType: 'npm',
    identifier: join(outputDir, 'server.cjs'),
    runtimeHint: process.execPath,
    packageArguments: [{ type: 'positional', valueHint: 'word', isRequired: true }],
    environmentVariables: [{ name: 'TOKEN', isRequired: true, isSecret: true }],
  };
  const path = join(outputDir, 'server.json');
  const write = (packages: readonly object[]) => writeFileSync(path, JSON.stringify({ name: 'a/b', packages }));
  write([item]);
  expect(readFileSync(path, 'utf8')).toContain('valueHint');
  const run = await runBin(['list', 'tools', '--input', 'TOKEN=t3', '--input', 'word=hey', path]);
  expect(run).toMatchObject({ ended: 0 });
  expect(run.stdout).toContain('hey-t3');
  write([item, item]);
  const several = await runBin(['list', path]);
  expect(several).toMatchObject({ ended: 2, stdout: '' });
  expect(several.stderr).toContain('choose one with `--server NAME`, of `b npm`, `b npm 2`');
});

/** Drops a file on the page, as a person does from a folder. */
async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const data = await page.evaluateHandle(
    ([name, base64]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64!), (char) => char.charCodeAt(0))], name!));
      return transfer;
    },
    [name, Buffer.from(bytes).toString('base64')],
  );
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
  await expect(page.getByText('Drop a recording, a server.json or a bundle to open it')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

test('a bundle that is dropped on the page becomes a form, then runs', async ({ open }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const { page } = await open([]);
  const bench = new Workbench(page);
  await expect(page.getByRole('heading', { name: 'Which server do you want to inspect?' })).toBeVisible();
  await drop(page, 'a.mcpb', readFileSync(bundleIn(outputDir)));
  const form = page.getByRole('dialog', { name: 'Add server' });
  await expect(form.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled();
  await expect(form.getByRole('status').filter({ hasText: 'To connect, fill in Token' })).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'More words' })).toHaveAccessibleDescription(
    'One value per line. Optional.',
  );
  await form.getByLabel('Token', { exact: true }).fill('t2');
  await expect(form.getByText('To connect, fill in')).toBeHidden();
  await form.getByLabel('Word', { exact: true }).fill('dropped');
  await form.getByLabel('More words', { exact: true }).fill('a\nb');
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await bench.connected();
  await expect(page.getByRole('option', { name: 'dropped-t2-a-b' })).toBeVisible();
});

test('a server.json that is dropped becomes a form; other files have a sentence', async ({ visit }) => {
  const { page } = await visit([]);
  await expect(page.getByRole('heading', { name: 'Which server do you want to inspect?' })).toBeVisible();
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const server = {
    name: 'io.example/remote',
    version: '1.0.0',
    remotes: [
      { type: 'streamable-http', url: 'https://{tenant}.example.com/mcp', variables: { tenant: { isRequired: true } } },
    ],
  };
  await drop(page, 'server.json', bytes(server));
  const form = page.getByRole('dialog', { name: 'Add server' });
  await expect(form.getByLabel('tenant')).toBeVisible();
  await page.keyboard.press('Escape');
  const failure = page.getByRole('alert').filter({ hasText: '×' });
  await drop(page, 'package.json', bytes({ name: 'x' }));
  await expect(failure).toContainText('This file describes no server');
  await drop(page, 'broken.mcpb', new TextEncoder().encode('not a zip'));
  await expect(failure).toContainText('Can’t use this bundle. It is not a valid ZIP archive.');
});
