import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, packageFolder, runBin } from './bin';
import { accessFaults } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const SERVER = join(import.meta.dirname, '../proxy/commands/fixtures/host-server.mjs');
const cli = () => join(packageFolder(), 'dist/cli.js');

/** A host with a tapped server. */
class TappedHost {
  static readonly all: TappedHost[] = [];
  readonly child: ChildProcessWithoutNullStreams;
  #ids = 0;
  #lines = '';

  constructor(host: string) {
    const words = [cli(), 'tap', '--host', host, '--', process.execPath, SERVER, 'legacy'];
    const env = { ...process.env, MCP_INSPECT_HOME: test.info().outputPath('home') };
    this.child = spawn(process.execPath, words, { env });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#lines += text;
    });
    TappedHost.all.push(this);
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request and waits for its answer. */
  async ask(method: string, params: object = {}): Promise<void> {
    const id = ++this.#ids;
    this.send({ id, method, params });
    while (!this.#lines.includes(`"id":${id},`)) await once(this.child.stdout, 'data');
  }

  async open(name: string, capabilities: object): Promise<void> {
    const clientInfo = { name, version: '1.2' };
    await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo });
    this.send({ method: 'notifications/initialized' });
    await this.ask('tools/list');
  }

  call(name: string, args: object): Promise<void> {
    return this.ask('tools/call', { name, arguments: args });
  }
}

test.afterEach(() => {
  for (const { child } of TappedHost.all.splice(0)) child.kill('SIGKILL');
});

test('the Host panel of a live session, and two hosts side by side', async ({ open }) => {
  const [one, two] = [new TappedHost('cursor'), new TappedHost('codex')];
  await one.open('cursor-vscode', { roots: { listChanged: true } });
  await one.call('echo', { message: 'hello' });
  await two.open('codex-client', { sampling: {} });
  await two.call('fail', { why: 'x' });

  const { page } = await open([]);
  const bench = new Workbench(page);
  const sessions = await bench.tappedSessions();
  await sessions.getByRole('listitem').filter({ hasText: 'cursor' }).getByRole('button').click();
  await bench.panel('Host');
  const host = bench.region('Host');
  await expect(host).toContainText('cursor-vscode 1.2');
  await expect(host).toContainText('roots.listChanged: true');
  await expect(bench.region('Order').getByRole('listitem')).toContainText([
    'initialize',
    'notifications/initialized',
    'tools/list 2 items, the server has more, which it did not read',
    'tools/call echo first',
  ]);
  const tools = page.getByRole('listbox', { name: 'Tools by calls' });
  await expect(tools.getByRole('option', { name: /^echo, 1 call, [\d.]+ [µm]s, about \d+ tokens$/ })).toBeVisible();
  await expect(tools.getByRole('option', { name: /^fail, never called/ })).toBeVisible();

  // The session goes on.
  await one.call('echo', { message: 'hello' });
  await one.call('echo', { message: 'world', loud: true });
  await tools.getByRole('option', { name: /^echo, 3 calls/ }).click();
  const given = page.getByRole('region', { name: 'Arguments of echo' });
  await expect(given.getByRole('row')).toContainText([
    'ParameterGivenErrorsValues',
    'message *3 of 3"hello" 2×, "world"',
    'loud1 of 3true',
  ]);
  expect(await accessFaults(page), 'one host').toEqual([]);

  await page.getByRole('combobox', { name: 'Compare with another host' }).selectOption({ index: 1 });
  const compared = bench.region('Two hosts');
  await expect(compared.getByRole('row', { name: 'sampling no yes' })).toBeVisible();
  await expect(compared.getByRole('row', { name: 'echo called never called' })).toBeVisible();
  await expect(compared).toContainText('The same: order, waiting, arguments');
  expect(await accessFaults(page), 'two hosts').toEqual([]);
  await bench.button('Close comparison').click();
  await expect(host).toBeVisible();
});

test('a tapped call is sent again, replayed elsewhere and shared', async ({ open }) => {
  const tapped = new TappedHost('cursor');
  await tapped.open('cursor-vscode', {});
  await tapped.call('echo', { message: 'again' });
  const { page } = await open([]);
  const bench = new Workbench(page);
  const sessions = await bench.tappedSessions();
  await sessions.getByRole('button').first().click();
  const call = bench.rows.filter({ hasText: 'tools/call' });
  await call.click();

  await bench.keys();
  await page.keyboard.press('?');
  const terms = page.getByRole('dialog', { name: 'Keys' }).getByRole('term');
  await expect(terms.first()).toBeVisible();
  const keys = await terms.allInnerTexts();
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  await page.keyboard.press('Escape');

  // Without a connection, the form makes one.
  await bench.detail.getByRole('button', { name: 'Send it again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send it again' });
  await expect(dialog).toContainText('tools/call is sent to the server of this session');
  await dialog.getByRole('button', { name: 'Connect to this server…' }).click();
  const form = page.getByRole('dialog', { name: 'Add server' });
  await expect(form.getByRole('textbox', { name: /Command line/ })).toHaveValue(/host-server\.mjs legacy$/);
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(bench.detail).toContainText(/Response after/);
  await bench.connected();
  expect(JSON.parse(await bench.raw())).toMatchObject({
    method: 'tools/call',
    params: { name: 'echo', arguments: { message: 'again' } },
  });

  // With one, the button sends it at once.
  await (await bench.tappedSessions()).getByRole('button').first().click();
  await call.click();
  await bench.detail.getByRole('button', { name: 'Send it again' }).click();
  await bench.connected();
  await expect((await bench.tappedSessions()).locator('[aria-current=true]')).toHaveCount(0);
  await bench.closeServers();
  await expect(bench.rows.filter({ hasText: 'tools/call' })).toHaveCount(2);

  await (await bench.tappedSessions()).getByRole('button').first().click();
  await call.click();
  await bench.command('Replay or test…');
  const replay = page.getByRole('dialog', { name: 'Replay or test' });
  const line = await replay.getByRole('region', { name: 'Replay to another client' }).locator('pre').innerText();
  const path = line.replace('npx mcp-inspect replay ', '');
  expect(existsSync(path), path).toBe(true);
  const config = await replay.getByRole('region', { name: 'In a host’s config' }).locator('pre').innerText();
  const [entry] = Object.values<{ args: string[] }>(JSON.parse(config).mcpServers);
  expect(entry!.args).toEqual(['-y', 'mcp-inspect', 'replay', path]);
  await expect(replay.getByRole('region', { name: 'Test against the server' })).toContainText('host-server.mjs legacy');
  expect(await accessFaults(page)).toEqual([]);
  const { stdout } = await runBin(['report', '--usage', path]);
  expect(stdout).toContain('cursor-vscode 1.2');
  await page.keyboard.press('Escape');

  await bench.detail.getByRole('button', { name: 'Use this session' }).click();
  await page.getByRole('menuitem', { name: 'Share…' }).click();
  await expect(page.getByRole('dialog', { name: /^Share/ })).toBeVisible();
});

test('a tap whose files are gone is repaired on the page', async ({ open }) => {
  const home = test.info().outputPath('user');
  const config = join(home, '.cursor/mcp.json');
  mkdirSync(join(home, '.cursor'), { recursive: true });
  const gone = '/gone/mcp-inspect/dist/cli.js';
  const entry = {
    command: process.execPath,
    args: [gone, 'tap', '--host', 'cursor', '--name', 'my files', '--', 'node', 'server.js'],
  };
  writeFileSync(config, JSON.stringify({ mcpServers: { 'my files': entry } }, null, 2));
  const { page } = await open([], { cwd: home, env: { HOME: home, XDG_CONFIG_HOME: '' } });
  const bench = new Workbench(page);
  const found = page.getByRole('region', { name: 'Found on this machine' });
  await expect(found).toContainText(`The host can’t start it: ${gone} is gone.`);
  await bench.button('Repair the tap of my files').click();
  const change = bench.region('Repair the tap of my files');
  await expect(change.getByRole('list', { name: 'Changed lines' })).toContainText(gone);
  expect(await accessFaults(page)).toEqual([]);
  await change.getByRole('button', { name: 'Write to config' }).click();
  await expect(found).not.toContainText('is gone');
  await expect(change.getByRole('status')).toHaveText('Written. Restart the host, or reload its servers.');
  const written = JSON.parse(readFileSync(config, 'utf8')).mcpServers['my files'];
  expect(written.args).toEqual([expect.stringMatching(/dist\/cli\.js$/), ...entry.args.slice(1)]);
  expect(existsSync(written.args[0])).toBe(true);
});
