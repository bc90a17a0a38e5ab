import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { demoCommand, expect, hostileCommand, runBin } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

/** Holds all requests for a path until the returned function is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(path, async (route) => {
    await released;
    // The page may have cancelled the request.
    await route.continue().catch(() => {});
  });
  return release;
}

async function record(folder: string, name = 'a'): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mcpr.jsonl`);
  expect((await runBin(['list', 'tools', '--record', file, '--', ...demoCommand()])).ended).toBe(0);
  return file;
}

async function choose(page: Page, button: string, file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button, exact: true }).click();
  await (await chooser).setFiles(file);
}

test('an import shows bytes, and a cancelled one leaves nothing', async ({ open }, { outputDir }) => {
  const file = await record(outputDir);
  const { page } = await open([]);
  const bench = new Workbench(page);
  await bench.button('Recordings').click();
  const release = await hold(page, '**/api/recordings/import');
  await choose(page, 'Import…', file);
  await expect(page.getByRole('status').filter({ hasText: 'Importing a.mcpr.jsonl…' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/0 B of [\d.]+ KB/);
  // It goes on while another page is shown.
  await page.goBack();
  await expect(page.getByText('Importing')).toHaveCount(0);
  await page.goForward();
  await bench.button('Cancel').click();
  await expect(page.getByText('1 file not imported: you cancelled')).toBeVisible();
  release();
  await choose(page, 'Import…', file);
  await expect(page.getByText('1 imported')).toBeVisible();
  await expect(bench.recordings).toHaveCount(1);
  expect(readdirSync(test.info().outputPath('home', 'recordings'))).toHaveLength(1);
});

test('opening a file can be cancelled, even while the worker is busy', async ({ visit }, { outputDir }) => {
  const [file, other] = [await record(outputDir), await record(outputDir, 'other')];
  const { page } = await visit([]);
  const bench = new Workbench(page);
  const release = await hold(page, '**/direct/worker.js');
  await choose(page, 'Open recording…', file);
  await expect(page.getByRole('status').filter({ hasText: 'Opening a.mcpr.jsonl…' })).toBeVisible();
  await bench.button('Cancel').click();
  await expect(page.getByText('Opening')).toHaveCount(0);
  await expect(page.getByText('was cancelled')).toHaveCount(0);
  release();
  await choose(page, 'Open recording…', other);
  await expect(bench.region('About this recording')).toContainText('other.mcpr.jsonl');
  await expect((await bench.openRecordings()).getByRole('listitem')).toHaveCount(1);
});

test('a search shows how far it is; Esc stops it and keeps the text', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('honest')]);
  const bench = new Workbench(page);
  await bench.connected();
  const all = await bench.count();
  const release = await hold(page, '**/workers/regex.js');
  await bench.filter('/initialize/');
  await expect(bench.log.getByRole('progressbar', { name: 'Searching' })).toBeVisible();
  await bench.filterBox.press('Escape');
  await expect(bench.log.getByText('Search stopped at')).toBeVisible();
  await expect(bench.filterBox).toHaveValue('/initialize/');
  // Nothing goes on by itself.
  release();
  await expect(bench.rows).toHaveCount(0);
  await bench.button('Search the rest').click();
  await expect(bench.rows.first()).toContainText('initialize');
  await expect(bench.log.getByRole('progressbar')).toHaveCount(0);
  // Without a search, Esc clears the box.
  await bench.filterBox.press('Escape');
  await bench.filterBox.press('Escape');
  await expect(bench.filterBox).toHaveValue('');
  await expect.poll(() => bench.count()).toBeGreaterThanOrEqual(all);
});

test('a comparison can be cancelled while its sides are loaded', async ({ start, page }, { outputDir }) => {
  const files = [await record(outputDir), await record(outputDir, 'b')];
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.routeWebSocket('**/ws', (socket) => {
    const proxy = socket.connectToServer();
    proxy.onMessage((message) => {
      const send = () => socket.send(message);
      // Frames are binary.
      if (isHeld && typeof message !== 'string') held.push(send);
      else send();
    });
  });
  await page.goto((await start(['open', ...files])).link);
  const bench = new Workbench(page);
  const compare = async () => {
    await bench.command('Compare with…');
    await page.getByRole('list', { name: 'Connections to compare with' }).getByRole('button').first().click();
  };
  await compare();
  const comparison = bench.region('Comparison');
  await expect(comparison.getByRole('status')).toHaveText('Loading both sides…');
  await expect(comparison).toContainText('Differences of lists, calls, problems and spans appear here');
  await comparison.getByRole('button', { name: 'Cancel' }).click();
  await expect(comparison).toHaveCount(0);
  isHeld = false;
  for (const send of held) send();
  await compare();
  await expect(comparison.getByRole('status')).toContainText('No difference');
});

/** Answers the first page of `tools/list`, and never the second. */
const HALF_A_LIST = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
  const serverInfo = { name: 'half', version: '1' };
  if (method === 'initialize')
    say({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  else if (method === 'tools/list' && !params?.cursor)
    say({ result: { tools: [{ name: 'first', inputSchema: { type: 'object' } }], nextCursor: '2' } });
  else if (id !== undefined && method !== 'tools/list') say({ error: { code: -32601, message: 'no' } });
});`;

test('a list shows its page; Cancel keeps the pages before', async ({ open }) => {
  const { page } = await open(['--protocol', '2025-11-25', '--', process.execPath, '-e', HALF_A_LIST]);
  const bench = new Workbench(page);
  await bench.connected();
  const panel = bench.view;
  await expect(panel.getByRole('status').filter({ hasText: 'Listing tools…' })).toBeVisible();
  await expect(panel).toContainText('page 2');
  await bench.button('Cancel').click();
  await expect(panel.getByRole('alert')).toContainText('Listing tools failed');
  await expect(page.getByRole('option', { name: 'first' })).toBeVisible();
  await expect(bench.rows.filter({ hasText: 'notifications/cancelled' })).toHaveCount(1);
});

test('connecting can be cancelled', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('silent')]);
  const bench = new Workbench(page);
  await bench.button('Cancel').click();
  await expect(bench.top).toContainText('closed');
  await expect(bench.button('Cancel')).toHaveCount(0);
});
