import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { demoCommand, expect, type RunningBin, test } from './bin';
import { Workbench } from './workbench';

const TOKEN = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;

/** Returns the path of the file that this test's processes share. */
const callsFile = () => join(test.info().outputPath('home'), 'calls.json');

/** Returns the file's text; '' until it exists. */
const kept = () => (existsSync(callsFile()) ? readFileSync(callsFile(), 'utf8') : '');

/** A tab on the tool `echo`. */
class EchoTab extends Workbench {
  static async open(bin: RunningBin, page: Page): Promise<EchoTab> {
    await page.goto(bin.link);
    const tab = new EchoTab(page);
    await tab.connected();
    await tab.tool('echo');
    return tab;
  }

  async echo(message: string): Promise<void> {
    await this.field('message').fill(message);
    await this.call();
    await expect(this.result).toContainText(message);
  }

  async saveAs(name: string): Promise<void> {
    await this.chooseInHistory('Save, import, export…');
    await this.field('Save arguments as').fill(name);
    await this.page.keyboard.press('Enter');
    await expect(this.page.getByRole('dialog').getByText(name, { exact: true })).toBeVisible();
    await this.page.keyboard.press('Escape');
  }

  item(name: string) {
    return this.page.getByRole('menuitem', { name, exact: true });
  }

  async chooseInHistory(name: string): Promise<void> {
    await this.button('History').click();
    await this.item(name).click();
  }
}

test('calls made or saved on one port appear on another, in both directions', async ({ start, page, context }) => {
  const one = await EchoTab.open(await start(['--', ...demoCommand()]), page);
  await one.echo('from the first port');
  await one.saveAs('mine');
  const two = await EchoTab.open(await start(['--', ...demoCommand()]), await context.newPage());
  expect(new URL(two.page.url()).port).not.toBe(new URL(page.url()).port);
  await two.button('History').click();
  await expect(two.item('{"message":"from the first port"}')).toBeVisible();
  await two.item('mine').click();
  await expect(two.field('message')).toHaveValue('from the first port');

  await two.echo('from the second port');
  await two.chooseInHistory('Stop remembering arguments');
  await expect(async () => {
    // An open menu does not change.
    await page.keyboard.press('Escape');
    await one.button('History').click();
    await expect(one.item('Remember arguments')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(one.item('{"message":"from the second port"}')).toBeVisible();
});

test('the file of calls: no secrets, calls of an earlier version, and what happens if it cannot be read', async ({
  start,
  page,
}) => {
  const tab = await EchoTab.open(await start(['--env', 'KEY=planted-value-4711', '--', ...demoCommand()]), page);
  await test.step('it has no secrets and only its owner can read it', async () => {
    await tab.echo(`token ${TOKEN}`);
    await tab.echo('the key is planted-value-4711');
    await tab.echo('nothing secret');
    await expect.poll(kept).toContain('nothing secret');
    const text = kept();
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('planted-value-4711');
    expect(statSync(callsFile()).mode & 0o777).toBe(0o600);
  });

  await test.step('calls that an earlier version kept in the browser move to the data folder', async () => {
    const [{ key }] = JSON.parse(kept()).tools;
    const old = {
      saved: [{ name: 'old', text: '{"message":"saved long ago"}' }],
      recent: ['{"message":"sent long ago"}'],
    };
    await page.evaluate(([name, text]) => localStorage.setItem(name!, text!), [`calls:${key}`, JSON.stringify(old)]);
    await page.reload();
    await tab.connected();
    await tab.button('History').click();
    await expect(tab.item('old')).toBeVisible();
    await expect(tab.item('{"message":"sent long ago"}')).toBeVisible();
    expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('calls')))).toEqual([]);
  });

  await test.step('a file that cannot be read is reported, and typed text is kept', async () => {
    await page.keyboard.press('Escape');
    await tab.echo('first');
    await expect.poll(kept).toContain('first');
    writeFileSync(callsFile(), 'not ours');
    await tab.echo('second');
    await tab.button('History').click();
    await page.getByRole('menuitem', { name: /^Could not read the saved calls/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved calls' });
    await expect(dialog.getByRole('alert')).toContainText('Move that file away, or repair it.');
    await tab.field('Save arguments as').fill('precious');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
    await expect(tab.field('Save arguments as')).toHaveValue('precious');
    expect(kept()).toBe('not ours');

    writeFileSync(callsFile(), '{"version":1,"tools":[]}');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('precious', { exact: true })).toBeVisible();
    await expect(dialog.getByRole('alert')).toHaveCount(0);
  });
});

test('with --record off only calls saved by name are kept', async ({ start, page }) => {
  const tab = await EchoTab.open(await start(['--record', 'off', '--', ...demoCommand()]), page);
  await tab.echo('not remembered');
  await tab.saveAs('by name');
  await tab.button('History').click();
  await expect(page.getByRole('menuitem')).toHaveText(['Save, import, export…', 'by name']);
  await expect.poll(kept).toContain('by name');
  expect(JSON.parse(kept()).tools).toMatchObject([{ saved: [{ name: 'by name' }], recent: [] }]);
});
