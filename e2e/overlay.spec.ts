import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Page } from '@playwright/test';
import { expect, packageFolder, runBin } from './bin';
import { serversInstalled, test } from './http-servers';
import { Workbench } from './workbench';

const EVERYTHING = join(
  import.meta.dirname,
  'servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

const note = (page: Page) => page.getByRole('region', { name: 'Tools as the host sees them' });

async function rename(bench: Workbench): Promise<void> {
  await bench.tool('echo');
  await bench.fromMore('Override for clients…');
  const dialog = bench.page.getByRole('dialog', { name: 'Override echo for clients' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('get-sum');
  await expect(dialog.getByText('Another tool has this name')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('repeat_text');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Repeats a text word for word');
  await dialog.getByRole('tab', { name: 'Compare' }).click();
  await expect(dialog.getByText(/~\d+ tokens → ~\d+ tokens \(\+\d+\)/)).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Server’s and host’s definition of echo' })).toContainText(
    'repeat_text',
  );
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog).toHaveCount(0);
}

test('changes a tool of an own connection, whose call reaches the server under the old name', async ({ open }) => {
  test.slow();
  const { page } = await open(['--', process.execPath, EVERYTHING, 'stdio']);
  const bench = new Workbench(page);
  await bench.connected();
  await rename(bench);
  await expect(note(page)).toContainText('1 tool changed for the host');
  await expect(page.getByRole('option', { name: /^repeat_text/ })).toContainText('changed');
  await expect(page.getByText('Repeats a text word for word')).toBeVisible();
  await bench.field('message').fill('Hello');
  await bench.call();
  await expect(bench.result).toContainText('Echo: Hello');
  await expect(bench.rows.filter({ hasText: 'tools/call' }).filter({ hasText: 'echo' }).first()).toBeVisible();

  await bench.tool('get-env');
  await bench.fromMore('Override for clients…');
  await page.getByRole('checkbox', { name: 'Hide this tool from the host' }).check();
  await bench.button('Apply').click();
  await expect(note(page)).toContainText('1 tool changed, 1 hidden for the host');
  await expect(page.getByRole('option', { name: /^get-env/ })).toHaveCount(0);

  await bench.button('Changes').click();
  const dialog = page.getByRole('dialog', { name: 'Tools as the host sees them' });
  await expect(dialog.getByRole('listitem')).toHaveText([/echo.*repeat_text.*description/, /get-env.*hidden/]);
  const [patch] = await Promise.all([page.waitForEvent('download'), bench.button('Export patch').click()]);
  expect(readFileSync(await patch.path(), 'utf8')).toContain('-    "name": "echo",\n+    "name": "repeat_text",\n');
  const [overlay] = await Promise.all([page.waitForEvent('download'), bench.button('Export overlay').click()]);
  expect(overlay.suggestedFilename()).toBe('mcp-inspect.overlay.json');
  const file = await overlay.path();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    tools: {
      echo: { name: 'repeat_text', description: 'Repeats a text word for word' },
      'get-env': { hidden: true },
    },
  });
  await bench.button('Reset all').click();
  await expect(dialog).toContainText('The host sees the server’s tools as they are');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option', { name: /^get-env/ })).toBeVisible();
  await expect(note(page)).toHaveCount(0);

  // The exported file works for subcommands.
  const server = ['--intercept', file, '--', process.execPath, EVERYTHING, 'stdio'];
  const listed = await runBin(['list', 'tools', ...server]);
  expect(listed.stdout).toContain('repeat_text');
  expect(listed.stdout).not.toContain('get-env');
});

test('changes a tool of a tapped host, until the page is gone', async ({ open }) => {
  test.slow();
  const env = { ...process.env, MCP_INSPECT_HOME: test.info().outputPath('home') } as Record<string, string>;
  const host = new Client({ name: 'claude-ai', version: '1' });
  let told = 0;
  host.setNotificationHandler('notifications/tools/list_changed', () => void told++);
  const args = [join(packageFolder(), 'dist/cli.js'), 'tap', '--', process.execPath, EVERYTHING, 'stdio'];
  await host.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  await host.listTools();

  const { page } = await open([]);
  const bench = new Workbench(page);
  await (await bench.tappedSessions()).getByRole('button').first().click();
  await expect(page.getByText(/which sends the requests/)).toBeVisible();
  await bench.panel('Tools');
  const before = told;
  await rename(bench);
  await expect.poll(() => told).toBe(before + 1);
  await expect(note(page)).toContainText('1 tool changed for the host');
  const { tools } = await host.listTools();
  expect(tools.find(({ name }) => name === 'repeat_text')?.description).toBe('Repeats a text word for word');
  await expect(page.getByRole('option', { name: /^repeat_text/ })).toContainText('changed');
  expect(await host.callTool({ name: 'repeat_text', arguments: { message: 'hi' } })).toMatchObject({
    content: [{ text: 'Echo: hi' }],
  });
  await expect(bench.rows.filter({ hasText: 'tools/call' }).filter({ hasText: 'echo' }).first()).toBeVisible();

  await page.reload();
  await expect.poll(() => told).toBe(before + 2);
  expect((await host.listTools()).tools.map(({ name }) => name)).toContain('echo');
  await bench.button('Apply again').click();
  await expect.poll(() => told).toBe(before + 3);
  await host.close();
});

test('maps the names in the headers of a modern server too', async ({ serve }) => {
  const { url } = await serve('modern-reject');
  const file = test.info().outputPath('mcp-inspect.overlay.json');
  writeFileSync(file, '{"tools":{"in-region":{"name":"where"},"add":{"hidden":true}}}');
  const given = ['--intercept', file, url];
  // The server checks Mcp-Name and Mcp-Param-Region.
  expect(await runBin(['call', 'where', '--arg', 'region=eu', ...given])).toMatchObject({
    ended: 0,
    stdout: expect.stringContaining('in eu'),
  });
  expect(await runBin(['call', 'add', '--args', '{"a":1,"b":2}', ...given])).toMatchObject({
    ended: 2,
    stderr: expect.stringContaining('The server lists no tool `add`'),
  });
});

test('names a tool of an overlay that the server does not list', async ({ open }) => {
  const file = test.info().outputPath('mcp-inspect.overlay.json');
  writeFileSync(file, '{"tools":{"ehco":{"description":"Says it again"}}}');
  const server = ['--intercept', file, '--', process.execPath, EVERYTHING, 'stdio'];
  expect((await runBin(['list', 'tools', ...server])).stderr).toContain('"ehco", which the server does not list');
  const { page } = await open(server);
  await new Workbench(page).panel('Tools');
  await expect(note(page)).toContainText('The server does not list ehco');
});

test('refuses an overlay file with an error, and says where it is', async () => {
  const file = test.info().outputPath('mcp-inspect.overlay.json');
  writeFileSync(file, '{"tools":{"echo":{"description":7}}}');
  const { ended, stderr } = await runBin(['list', '--intercept', file, '--', process.execPath, EVERYTHING, 'stdio']);
  expect(ended).toBe(2);
  expect(stderr).toContain('`tools.echo.description` is a number, expected a string, or null to remove it.');
});

test('a schema that names its dialect is not marked as faulty', async ({ open }) => {
  const file = test.info().outputPath('mcp-inspect.overlay.json');
  const inputSchema = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
  writeFileSync(file, JSON.stringify({ tools: { echo: { inputSchema } } }));
  const { page } = await open(['--intercept', file, '--', process.execPath, EVERYTHING, 'stdio']);
  const bench = new Workbench(page);
  await bench.tool('echo');
  await bench.fromMore('Override for clients…');
  const dialog = page.getByRole('dialog', { name: 'Override echo for clients' });
  const editor = dialog.locator('.monaco-editor').first();
  await expect(editor).toContainText('2020-12');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('!');
  // All marks of a text come at once.
  await expect(editor.locator('.squiggly-error')).not.toHaveCount(0);
  await expect(editor.locator('.squiggly-warning')).toHaveCount(0);
});
