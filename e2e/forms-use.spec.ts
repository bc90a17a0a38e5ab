// Form features other than typing: focus, paste, defaults, history, files and copying.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { packageFolder } from './bin';
import { allowClipboard, copiedBy } from './clipboard';
import { expect, FORMS_SERVER, FormsPage, test } from './forms-page';
import { test as httpTest, serversInstalled } from './http-servers';
import { Workbench } from './workbench';

const run = promisify(execFile);

async function paste(page: Page, text: string): Promise<void> {
  await allowClipboard(page);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('ControlOrMeta+v');
}

function copied(bench: Workbench, as: string): Promise<string> {
  return copiedBy(bench.page, async () => {
    await bench.button('More actions').click();
    await bench.page.getByRole('menuitem', { name: `Copy as ${as}`, exact: true }).click();
  });
}

test('opening a tool moves the focus, and defaults are prefilled if they shall be', async ({ bench }) => {
  await test.step('opening a tool focuses its first required field; arrow keys in the list keep the focus there', async () => {
    const { page } = bench;
    const search = page.getByRole('searchbox', { name: /^Search / });
    await bench.openTool('strict');
    await expect(bench.field('name')).toBeFocused();
    await search.fill('big_numbers');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('heading', { level: 2, name: 'big_numbers' })).toBeVisible();
    await expect(search).toBeFocused();
    // No field is required, so the first one gets the focus.
    await page.keyboard.press('Enter');
    await expect(bench.field('id')).toBeFocused();
    // In a field it does nothing.
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')).toBeFocused();
    await page.keyboard.type('refuse');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 2, name: 'refuse' })).toBeVisible();
    await expect(bench.frame('user').getByRole('button', { name: 'user', exact: true })).toBeFocused();
  });

  await test.step('the keyboard leads from the count of invalid fields to the first one', async () => {
    await bench.openTool('deep');
    await bench.viewAs('JSON');
    await bench.edit('{"l16":{"l15":{"l14":{"l13":7}}}}');
    await bench.viewAs('Form');
    // Waits for the check. Until then the one problem is about missing arguments.
    await expect(bench.field('l13')).toHaveAccessibleDescription(/is a number/);
    await bench.invalid(1).press('Enter');
    await expect(bench.field('l13')).toBeFocused();
  });

  await test.step('"Prefill defaults" applies to every tool and after a reload; cleared fields stay cleared', async () => {
    const { page } = bench;
    await bench.openTool('unset');
    expect(await bench.sent()).toBe('{}');
    await bench.pick('Fill', 'Always prefill defaults');
    await expect(bench.field('d')).toHaveValue('dv');
    expect(await bench.sent()).toBe('{"d":"dv","z":null}');
    await bench.pick('Fill', 'Clear');
    await page.reload();
    await bench.connected();
    await bench.openTool('nullable_enum');
    expect(await bench.sent()).toBe('{"level":null}');
    await bench.openTool('unset');
    expect(await bench.sent()).toBe('{}');
    await bench.openTool('big_numbers');
    await bench.pick('Fill', 'Stop prefilling defaults');
    expect(await bench.sent()).toBe('{}');
  });
});

test('JSON pasted on the form fills in arguments or a request’s; pasted in a field it is text @firefox', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.openTool('big_numbers');
  await page.locator('[data-form]').focus();
  await paste(page, '{"id": 18446744073709551615, "f": 1.50}');
  await expect(bench.field('id')).toHaveValue('18446744073709551615');
  expect(await bench.sent()).toBe('{"id":18446744073709551615,"f":1.50}');
  await page.locator('[data-form]').focus();
  await paste(page, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"neg":-1}}}');
  await expect(bench.field('neg')).toHaveValue('-1');
  await page.locator('[data-form]').focus();
  await paste(page, 'no JSON');
  await expect(page.getByText('The pasted text is not JSON')).toBeVisible();
  expect(await bench.sent()).toBe('{"neg":-1}');
  await bench.pick('Fill', 'Paste JSON');
  await expect(page.getByText('The clipboard does not hold JSON')).toBeVisible();
  await bench.pick('Fill', 'Undo last fill');
  await expect(bench.field('f')).toHaveValue('1.50');
  await bench.openTool('strict');
  await bench.field('name').focus();
  await paste(page, '{"a":1}');
  expect(await bench.sent()).toBe('{"name":"{\\"a\\":1}"}');
});

test('maps, tuples, large files and fields that are repeated in headers', async ({ bench, fresh }) => {
  await test.step('map properties are renamed in place; a duplicate name is reported and not applied', async () => {
    await bench.openTool('lists');
    await bench.unfold('env');
    const env = bench.group('env');
    for (const name of ['a', 'b']) {
      await env.getByRole('textbox', { name: 'New field' }).fill(name);
      await env.getByRole('button', { name: 'Add' }).click();
      await env.getByRole('textbox', { name, exact: true }).fill(name.toUpperCase());
    }
    await env.getByRole('textbox', { name: 'New field' }).fill('b');
    await expect(env.getByText('This field already exists')).toBeVisible();
    const names = env.getByRole('textbox', { name: 'Property name' });
    await names.first().fill('b');
    await names.first().blur();
    await expect(env.getByText('Another property has this name')).toBeVisible();
    expect(await bench.sent()).toBe('{"env":{"a":"A","b":"B"}}');
    await names.first().fill('renamed');
    expect(await bench.sent()).toBe('{"env":{"renamed":"A","b":"B"}}');
  });

  await test.step('a tuple’s items cannot be moved; it is shortened from the end', async () => {
    await fresh();

    await bench.openTool('lists');
    await bench.unfold('pair');
    await bench.field('left').fill('L');
    await bench.field('right').fill('2');
    const pair = bench.group('pair');
    await expect(pair.getByRole('button', { name: /^Move/ })).toHaveCount(0);
    await pair.getByRole('button', { name: 'Unset' }).last().click();
    expect(await bench.sent()).toBe('{"pair":["L"]}');
  });

  await test.step('a large file in a string field is shown by name, type and size', async () => {
    const { page } = bench;
    await bench.openTool('strict');
    const chooser = page.waitForEvent('filechooser');
    await bench.more('name', 'Insert file as data: URI…');
    await (await chooser).setFiles({ name: 'big one.png', mimeType: 'image/png', buffer: Buffer.alloc(3_000_000, 7) });
    await expect(bench.frame('name').getByRole('status')).toHaveText(/big one\.png image\/png\s*4\.0 MB/);
    await bench.field('n').fill('1');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    await bench.frame('name').getByRole('button', { name: 'Unset' }).click();
    await expect(bench.field('name')).toBeFocused();
    expect(await bench.sent()).toBe('{"n":1}');
  });

  await test.step('a field names the HTTP header that repeats its value; an invalid x-mcp-header marks the tool malformed', async () => {
    await bench.openTool('mirrored');
    await expect(bench.frame('region')).toContainText('Mcp-Param-Region');
    await bench.openTool('unmirrorable');
    await expect(bench.page.getByText(/Malformed tool\..*The x-mcp-header of ratio is on a value/)).toBeVisible();
    await bench.field('ratio').fill('0.5');
    expect(await bench.sent()).toBe('{"ratio":0.5}');
  });
});

test('arguments are remembered without secrets, and each copy is confirmed', async ({ open }) => {
  await test.step('arguments are remembered without secrets, and not at all if turned off', async () => {
    const { page } = await open(FORMS_SERVER);
    const bench = new FormsPage(page);
    await bench.openTool('strict');
    await bench.pick('Fill', 'Clear');
    await bench.viewAs('JSON');
    await bench.edit('{"name":"n","api_key":"s3cr3t"}');
    expect(await bench.sent()).toContain('s3cr3t');
    await bench.button('History').click();
    await expect(page.getByRole('menuitem', { name: '{"name":"n"}' })).toBeVisible();
    await page.getByRole('menuitem', { name: 'Stop remembering arguments' }).click();
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('s3cr3t');
    expect(readFileSync(join(test.info().outputPath('home'), 'calls.json'), 'utf8')).not.toContain('s3cr3t');
    await bench.edit('{"name":"later"}');
    await bench.sent();
    await page.reload();
    await bench.connected();
    await bench.openTool('strict');
    await bench.button('History').click();
    await expect(page.getByRole('menuitem', { name: '{"name":"n"}' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'later' })).toHaveCount(0);
    await page.getByRole('menuitem', { name: 'Forget recent arguments' }).click();
    await bench.button('History').click();
    await expect(page.getByRole('menuitem')).toHaveText(['Save, import, export…', 'Remember arguments']);
  });

  await test.step('each click on a copy button is confirmed for its full time', async () => {
    const { page } = await open(FORMS_SERVER);
    const bench = new FormsPage(page);
    await bench.openTool('strict');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000);
    for (let press = 0; press < 2; press++) {
      await copied(bench, 'Request');
      await page.clock.runFor(1000);
      await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    }
    await page.clock.runFor(1000);
    await expect(page.getByText('Copied', { exact: true })).toBeHidden();
  });
});

test('calls are saved, imported and copied', async ({ bench }) => {
  await test.step('saved calls can be downloaded and imported', async () => {
    const { page } = bench;
    await bench.openTool('big_numbers');
    await bench.field('id').fill('18446744073709551615');
    await bench.pick('History', 'Save, import');
    const dialog = page.getByRole('dialog', { name: 'Saved calls' });
    await dialog.getByRole('textbox', { name: 'Save arguments as' }).fill('largest');
    await page.keyboard.press('Enter');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const file = await (await download).path();
    expect(readFileSync(file, 'utf8')).toContain('18446744073709551615');
    await dialog.getByRole('button', { name: 'Remove largest' }).click();
    await expect(dialog.getByRole('listitem')).toHaveCount(0);
    const bring = async (path: string | { name: string; mimeType: string; buffer: Buffer }) => {
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: 'Import…' }).click();
      await (await chooser).setFiles(path);
    };
    await bring({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('[]') });
    await expect(dialog.getByRole('status')).toHaveText('This file has no saved calls. Choose one exported here.');
    await bring(file);
    await expect(dialog.getByRole('status')).toHaveText('Imported: 1');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await bench.pick('Fill', 'Clear');
    await bench.pick('History', 'largest');
    expect(await bench.sent()).toBe('{"id":18446744073709551615}');
  });

  await test.step('a call can be copied as arguments, request, command line and client config', async () => {
    await bench.openTool('strict');
    await bench.field('name').fill(`it's "quoted" $HOME`);
    await bench.field('n').fill('18446744073709551615');
    const args = `{"name":"it's \\"quoted\\" $HOME","n":18446744073709551615}`;
    expect((await copied(bench, 'Arguments')).replace(/\n\s*/g, '').replace(/": /g, '":')).toBe(args);
    expect(await copied(bench, 'Request')).toBe(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"strict","arguments":${args}}}`,
    );
    const line = await copied(bench, 'mcp-inspect command line (bash, zsh)');
    expect(line).toMatch(/^npx mcp-inspect call strict --args /);
    const ours = `'${process.execPath}' '${join(packageFolder(), 'dist/cli.js')}'`;
    const { stdout } = await run('bash', ['-c', line.replace('npx mcp-inspect', ours)]);
    expect(stdout).toContain(`"arguments":${args}`);
    const [server] = Object.values<{ args: string[] }>(JSON.parse(await copied(bench, 'Client config')).mcpServers);
    expect(server!.args).toEqual([expect.stringContaining('forms-server.mjs')]);
    // Invalid JSON can be copied too.
    await bench.viewAs('JSON');
    await bench.edit('{"torn');
    expect(await copied(bench, 'Arguments')).toBe('{"torn');
  });
});

httpTest.describe('over HTTP', () => {
  httpTest.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

  httpTest('the copied curl command has the modern headers and gets the same result', async ({ serve, visit }) => {
    const { url } = await serve('modern-dual');
    const { page } = await visit([url]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('in-region');
    await bench.field('region').fill('Zürich');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    const line = await copied(bench, 'curl (bash, zsh)');
    for (const header of ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: in-region'])
      expect(line).toContain(header);
    expect(line).toMatch(/Mcp-Param-Region: =\?base64\?/);
    const { stdout } = await run('bash', ['-c', line]);
    expect(stdout).toContain('select 1 in Zürich');
  });
});
