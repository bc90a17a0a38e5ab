import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { demoCommand, expect, hostileCommand, packageFolder } from './bin';
import { copiedBy } from './clipboard';
import { serversInstalled, test } from './http-servers';
import { CATALOG } from './servers/catalog.mjs';
import { Workbench } from './workbench';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** Calls a tool and selects the response. */
async function called(page: Page, tool: string): Promise<Workbench> {
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool(tool);
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await bench.result.getByRole('button', { name: /^response #/ }).click();
  return bench;
}

/** Copies the selected frame in the given format and returns the clipboard's text. */
function copiedAs(bench: Workbench, form: string): Promise<string> {
  return copiedBy(bench.page, async () => {
    await bench.detail.getByRole('button', { name: 'Copy as' }).click();
    await bench.page.getByRole('menuitem', { name: form }).click();
  });
}

test('the tree: keys, a search, a click, the tab in the address @firefox', async ({ visit }) => {
  await test.step('the tree: keys, a search that opens closed branches, the tab in the address', async () => {
    const { page } = await visit(['--', ...demoCommand()]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.filter('tools/list');
    await bench.rows
      .filter({ hasText: /result\s*tools\/list/ })
      .first()
      .click();
    await bench.tree.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    const active = bench.tree.getByRole('treeitem', { selected: true });
    await expect(active).toHaveAttribute('aria-level', '1');
    await page.keyboard.press('ArrowLeft');
    await expect(bench.tree.getByRole('treeitem')).toHaveCount(1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect(active).toContainText('jsonrpc: "2.0"');

    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('HPA');
    await expect(bench.detail.getByRole('status').first()).toContainText(/^in \d+ values?$/);
    await page.keyboard.press('Enter');
    await expect(active).toContainText(/hpa/i);
    await expect(bench.detail.getByRole('status').first()).toContainText(/^1 of \d+/);
    await page.keyboard.press('Shift+Enter');
    await expect(bench.detail.getByRole('status').first()).toContainText(/^(\d+) of \1 values?$/);

    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(bench.tree).toBeFocused();
    await page.keyboard.press('2');
    await expect(page).toHaveURL(/view=raw/);
    await bench.keys('k');
    await expect(bench.detail.locator('pre')).toContainText('"method":"tools/list"');
    await page.reload();
    await expect(bench.detail.getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true');
    await bench.keys('3');
    await expect(bench.detail.getByRole('list', { name: 'Parts of the exchange' })).toContainText('response');
    await page.keyboard.press('Escape');
    await expect(bench.detail).toBeHidden();
  });

  await test.step('a click on a line focuses the tree, even when the line scrolls away', async () => {
    const { page } = await visit(['--', ...demoCommand()]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.filter('tools/list');
    await bench.rows
      .filter({ hasText: /result\s*tools\/list/ })
      .first()
      .click();
    const active = bench.tree.getByRole('treeitem', { selected: true });
    await bench.tree.getByRole('treeitem').filter({ hasText: 'jsonrpc' }).click();
    await expect(active).toContainText('jsonrpc');
    await expect(active).toHaveAttribute('aria-posinset', '1');
    await expect(bench.tree).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(active).not.toContainText('jsonrpc');
    await bench.tree.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(bench.tree).toBeFocused();
    await page.keyboard.press('Home');
    await expect(active).toHaveAttribute('aria-level', '1');
  });
});

test('an exchange has its parts, and a message is kept in view, compared and edited', async ({ visit }) => {
  await test.step('an exchange shows progress and links to each frame', async () => {
    const { page } = await visit(['--', ...demoCommand()]);
    const bench = await called(page, 'climb_tower');
    await bench.detailTab('Exchange');
    const parts = bench.detail.getByRole('list', { name: 'Parts of the exchange' }).getByRole('listitem');
    await expect(parts.first()).toContainText('request');
    await expect(parts.filter({ hasText: 'progress' }).first()).toBeVisible();
    await expect(parts.last()).toContainText('response');
    await parts.filter({ hasText: 'progress' }).first().getByRole('button').click();
    await expect(bench.log.getByRole('row', { selected: true })).toContainText('progress');
    await expect(parts.filter({ hasText: 'progress' }).first()).toHaveAttribute('aria-current', 'true');
  });

  await test.step('a message is kept in view, two can be compared, and a request can be edited', async () => {
    const { page } = await visit(['--', ...demoCommand()]);
    const bench = await called(page, 'echo');
    await bench.tree.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect(bench.tree.getByRole('treeitem')).toHaveCount(1);
    // Two details above each other need this height.
    await page.setViewportSize({ width: 1440, height: 1300 });
    await bench.button('Keep in view').click();
    const kept = bench.region('Message kept in view');
    await expect(kept).toContainText('result');
    // The detail below keeps its folded branch.
    await expect(bench.tree.getByRole('treeitem')).toHaveCount(1);
    await expect(bench.detail.getByRole('button', { name: 'Keep in view', pressed: true })).toBeFocused();
    await bench.call();
    await bench.filter('tools/call');
    await expect(bench.rows.filter({ hasText: 'result' })).toHaveCount(2);
    await bench.rows.filter({ hasText: 'result' }).last().click();
    await expect(bench.detail.getByRole('button', { name: 'Compare with' })).toBeVisible();
    await bench.detail.getByRole('button', { name: 'Compare with' }).click();
    await page.getByRole('menuitem', { name: /^kept #/ }).click();
    await expect(page.getByRole('dialog')).toContainText('Compare #');
    await expect(page.locator('.monaco-diff-editor')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(kept).toBeVisible();
    await kept.getByRole('button', { name: 'Don’t keep in view' }).click();
    await expect(kept).toBeHidden();
    await expect(bench.detail).toBeFocused();

    await bench.rows.filter({ hasText: 'tools/call' }).first().click();
    await bench.panel('Server');
    await bench.detail.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'echo', exact: true })).toBeVisible();
    await bench.filter('tools/list');
    await expect(bench.rows.first()).toContainText('tools/list');
    await bench.rows.first().click();
    await bench.detail.getByRole('button', { name: 'Edit' }).click();
    await expect(page.locator('.monaco-editor').first()).toContainText('raw-');
  });
});

test('nested JSON is opened and searched, and a large frame is complete', async ({ visit }) => {
  await test.step('JSON in a string opens in place; an image is shown; a path is copied', async () => {
    const { page } = await visit(['--', ...hostileCommand('nested')]);
    const bench = await called(page, 'echo');
    const read = bench.detail.getByRole('button', { name: 'JSON in a string' });
    await read.click();
    await expect(read).toHaveAttribute('aria-pressed', 'true');
    await expect(read).toBeFocused();
    await expect(bench.tree).toContainText('JSON in the string');
    await expect(bench.tree).toContainText('9007199254740993');
    await expect(bench.detail.getByRole('img', { name: /image\/png/ })).toBeVisible();
    await bench.tree.focus();
    await page.keyboard.press('End');
    expect(await copiedBy(page, () => page.keyboard.press('C'))).toBe('result.content[1].mimeType');
  });

  await test.step('a search finds text in nested JSON and scrolls to it in a long string', async () => {
    const { page } = await visit(['--', ...hostileCommand('nested')]);
    const bench = await called(page, 'echo');
    await bench.tree.focus();
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('needle');
    const found = bench.detail.getByRole('search').getByRole('status');
    await expect(found).toHaveText('in 1 value');
    await page.keyboard.press('Enter');
    const active = bench.tree.getByRole('treeitem', { selected: true });
    await expect(active).toContainText('long: "lorem');
    await expect(found).toHaveText('1 of 1 value');
    const whole = bench.tree.getByRole('region', { name: 'Whole text' });
    await expect(whole.locator('mark')).toHaveText('needle');
    await expect(whole.locator('mark')).toBeInViewport();
  });

  await test.step('a large frame is complete in Raw; a missing frame is reported', async () => {
    const { page } = await visit(['--', ...hostileCommand('big-line', '3000000')]);
    const bench = await called(page, 'echo');
    await expect(bench.tree).toContainText('result');
    await bench.detailTab('Raw');
    const bytes = bench.region('Bytes as text');
    await expect(bytes).toContainText('"jsonrpc"');
    await bytes.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(bytes).toContainText(/\}\]\}\}/);
    await page.goto(page.url().replace(/frame=\d+/, 'frame=99999'));
    await expect(bench.detail).toContainText('No frame #99999 yet');
  });
});

test('actions on a message are in the palette and in its row’s menu @firefox', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = await called(page, 'echo');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await page.keyboard.press('ControlOrMeta+k');
  await palette.getByRole('combobox').fill('keep');
  await expect(palette.getByRole('option', { selected: true })).toContainText(/^Message\s*Keep message #\d+ in view$/);
  await page.keyboard.press('Enter');
  await expect(bench.detail.getByRole('button', { name: 'Keep in view', pressed: true })).toBeVisible();
  await bench.detail.getByRole('button', { name: 'Don’t keep in view' }).click();
  await expect(page.getByRole('list', { name: 'Messages kept in view' })).toBeHidden();
  await expect(bench.detail).toBeHidden();
  await expect(page.getByRole('region', { name: 'Message kept in view' })).toBeHidden();

  await bench.filter('tools/call kind:request');
  await expect(bench.rows).toHaveCount(1);
  await bench.rows.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Resend', exact: true }).click();
  await expect(bench.rows).toHaveCount(2);
  await bench.rows.last().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with another row…' }).click();
  await bench.rows.first().click();
  await expect(page.getByRole('dialog')).toContainText('Compare #');
  await page.keyboard.press('Escape');
  await bench.rows.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'echo', exact: true })).toBeVisible();

  await bench.log.getByRole('grid').focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Go to the matching request or response');
});

test.describe('copied code runs', () => {
  /** Runs a module in a folder that can import the SDK. */
  async function runModule(name: string, text: string): Promise<string> {
    const folder = join(root, 'node_modules', '.cache', 'mcp-inspect', 'snippets');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, text);
    return (await run(process.execPath, [file], { cwd: root })).stdout;
  }

  test('TypeScript and our own command line', async ({ visit }) => {
    for (const name of serversInstalled ? ['demo', 'everything'] : ['demo']) {
      await test.step(`against ${name}`, async () => {
        const { args } = CATALOG.find((entry) => entry.name === name)!;
        const { page } = await visit(['--', process.execPath, ...args]);
        const bench = new Workbench(page);
        await bench.connected();
        await bench.tool('echo');
        const field = name === 'demo' ? 'text' : 'message';
        if (name !== 'demo') await bench.field(field).fill(`it's "quoted" $HOME ünï`);
        await bench.call();
        await expect(bench.outcome).toContainText('ok');
        await bench.result.getByRole('button', { name: /^response #/ }).click();
        const { result } = JSON.parse(await bench.raw());
        const ran = JSON.parse(await runModule(name, await copiedAs(bench, 'TypeScript SDK')));
        expect(ran.content).toEqual(result.content);

        const line = await copiedAs(bench, 'mcp-inspect command line');
        const ours = line.replace(
          /^npx mcp-inspect/,
          `"${process.execPath}" "${join(packageFolder(), 'dist/cli.js')}"`,
        );
        const { stdout } = await run('bash', ['-c', ours.replace(' call ', ' call --json ')]);
        expect(JSON.parse(stdout).content).toEqual(result.content);
      });
    }
  });

  test('curl and TypeScript, against a server at a URL', async ({ visit, serve }) => {
    test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');
    const { url } = await serve('everything');
    const { page } = await visit([url]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('echo');
    await bench.field('message').fill(`it's over HTTP`);
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    await bench.result.getByRole('button', { name: /^request #/ }).click();
    const ran = JSON.parse(await runModule('http', await copiedAs(bench, 'TypeScript SDK')));
    expect(ran.content[0].text).toContain(`it's over HTTP`);

    const curl = await copiedAs(bench, 'curl');
    expect(curl).toContain('"$MCP_SESSION_ID"');
    await bench.detailTab('HTTP');
    await bench.detail
      .getByRole('button', { name: /^Reveal mcp-session-id/i })
      .first()
      .click();
    const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/;
    await expect(bench.detail).toContainText(uuid);
    const id = uuid.exec(await bench.detail.innerText())![0];
    const { stdout } = await run('bash', ['-c', curl], { env: { ...process.env, MCP_SESSION_ID: id } });
    expect(stdout).toContain(`it's over HTTP`);
  });
});
