import { join } from 'node:path';
import { expect } from './bin';
import { test } from './http-servers';
import { Workbench } from './workbench';

const SERVER = join(import.meta.dirname, '../proxy/connection/fixtures/shop-server.mjs');

test('connects as a host after a restart, says so beside the server, and goes back', async ({ visit }) => {
  const { page } = await visit(['--', process.execPath, SERVER, 'same']);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.command('Client settings');
  const choice = bench.view.getByLabel('Connect as');
  await choice.selectOption('Codex 0.153.4');
  await expect(bench.view.getByText(/Taken from a recording of 0\.153\.4/)).toBeVisible();
  // A process on this machine gets the name without a question.
  await expect(bench.view.getByRole('alert')).toHaveCount(0);
  await expect(bench.view.getByText('needs a restart')).toBeVisible();
  await bench.view.getByRole('button', { name: 'Restart with these settings' }).click();
  await expect(bench.top).toContainText('run 2');
  await bench.connected();
  await expect(bench.top).toContainText('as Codex');
  await expect(bench.region('In effect')).toContainText('connected asCodex');
  await bench.filter('method:initialize kind:request');
  await bench.rows.last().click();
  const { params } = JSON.parse(await bench.raw());
  expect(params).toEqual({
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: { form: {}, url: {} } },
    clientInfo: { name: 'codex-mcp-client', title: 'Codex', version: '0.153.4' },
  });
  await bench.command('Client settings');
  await choice.selectOption('mcp-inspect');
  await bench.view.getByRole('button', { name: 'Restart with these settings' }).click();
  await expect(bench.top).toContainText('run 3');
  await expect(bench.top).not.toContainText('as Codex');
});

test('a server that may be elsewhere gets a name only after consent, asked once', async ({ visit }) => {
  const { page } = await visit([]);
  const bench = new Workbench(page);
  await page.getByRole('textbox').first().fill('https://mcp.example.com/mcp');
  await bench.options();
  await page.getByText('Client settings: all supported').click();
  const choice = page.getByLabel('Connect as');
  await choice.selectOption('vscode');
  const question = page.getByText('The server will take mcp-inspect for VS Code.');
  await expect(question).toBeVisible();
  await expect(page.getByText('Client settings: all supported')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).last().click();
  await expect(choice).toHaveValue('');
  await choice.selectOption('vscode');
  await page.getByRole('button', { name: 'Use its name' }).click();
  await expect(page.getByText(/^Client settings: .*as VS Code/)).toBeVisible();
  await choice.selectOption('cursor');
  await expect(page.getByText(/^Client settings: .*as Cursor/)).toBeVisible();
  await expect(question).toHaveCount(0);
});
