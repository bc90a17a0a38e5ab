import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, removeFolders, serverScript } from '../proxy/watch/fixtures/edited-server';
import { expect, test } from './bin';
import { Workbench } from './workbench';

test.afterEach(removeFolders);

const PINS = JSON.stringify({
  pins: 1,
  calls: [{ tool: 'keep', result: { content: [{ type: 'text', text: 'keep' }] } }],
});

test('a save restarts the server, shows what changed, and loses nothing that was typed', async ({ open }) => {
  const folder = newFolder();
  const file = join(folder, 'server.mjs');
  writeFileSync(file, serverScript(['keep']));
  writeFileSync(join(folder, 'mcp-inspect.pins.json'), PINS);
  const { page } = await open(['--watch', '--pins', 'mcp-inspect.pins.json', '--', process.execPath, 'server.mjs'], {
    cwd: folder,
  });
  const strip = page.getByRole('region', { name: 'Re-run on save' });
  await expect(strip.getByRole('status')).toContainText('Watching 1 file');
  const text = page.getByRole('textbox', { name: 'text' });
  await text.click();
  await page.keyboard.type('half a sen');

  writeFileSync(file, serverScript(['keep', 'more']));
  await page.keyboard.type('tence');
  await expect(strip.getByRole('status')).toContainText(/run 2 server\.mjs · [\d.]+ m?s 1 tool added 1 pin: 1 same/);
  await expect(text).toBeFocused();
  await page.keyboard.type('.');
  await expect(text).toHaveValue('half a sentence.');
  await strip.getByRole('button', { name: 'What changed' }).click();
  await expect(page.getByRole('region', { name: 'Server and catalogue' })).toContainText('more');
  await page.goBack();
  await expect(text).toHaveValue('half a sentence.');

  writeFileSync(file, `${serverScript(['keep'])}\nlet x = ;\n`);
  await expect(strip.getByRole('status')).toContainText('SyntaxError');
  await expect(strip.getByRole('status')).toContainText(/server\.mjs:\d+/);
  // The last run stays.
  await expect(page.getByRole('option', { name: 'more' })).toBeVisible();
  await expect(text).toHaveValue('half a sentence.');
  await strip.getByRole('button', { name: 'Show run 3' }).click();
  await expect(page.getByRole('alert').first()).toContainText('exited with code 1');

  writeFileSync(file, serverScript(['keep']));
  await expect(strip.getByRole('status')).toContainText(/run 4 .* 1 tool removed/);
  await expect(text).toHaveValue('half a sentence.');

  await new Workbench(page).command('Stop watching files');
  await expect(strip).toBeHidden();
});

test('an open message stays open while the server restarts', async ({ open }) => {
  const folder = newFolder();
  const file = join(folder, 'server.mjs');
  writeFileSync(file, serverScript(['keep']));
  const { page } = await open(['--', process.execPath, file], { cwd: folder });
  const workbench = new Workbench(page);
  await workbench.rows.filter({ hasText: 'tools/list' }).first().click();
  await workbench.watch();
  const strip = page.getByRole('region', { name: 'Re-run on save' });
  await expect(strip.getByRole('status')).toContainText('Watching 1 file');
  writeFileSync(file, serverScript(['keep', 'more']));
  await expect(strip.getByRole('status')).toContainText('1 tool added');
  await expect(workbench.detail).toBeVisible();
  await expect(strip.getByRole('button', { name: 'Show run 2' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(workbench.detail).toBeHidden();
  await expect(page.getByRole('option', { name: 'more' })).toBeVisible();
});
