import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { demoCommand, expect, test } from './bin';
import { Workbench } from './workbench';

const file = () => join(test.info().outputPath('home'), 'settings.json');
const stored = () => (existsSync(file()) ? JSON.parse(readFileSync(file(), 'utf8')) : {});

/** The page with its Settings dialog. */
class SettingsPage extends Workbench {
  get dialog() {
    return this.page.getByRole('dialog', { name: 'Settings' });
  }

  get root() {
    return this.page.locator('html');
  }

  async openSettings(): Promise<void> {
    await this.button('Settings').click();
    await expect(this.dialog.getByRole('region', { name: 'Shortcuts' })).toBeVisible();
  }

  async close(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await expect(this.dialog).toHaveCount(0);
  }
}

const opened = async (page: Page, link: string) => {
  await page.goto(link);
  const settings = new SettingsPage(page);
  await settings.connected();
  return settings;
};

test('settings apply at once and are there on another port', async ({ start, page, context }) => {
  const one = await opened(page, (await start(['--', ...demoCommand()])).link);
  await one.openSettings();
  await one.choice('Theme').selectOption('Dark');
  await expect(one.root).toHaveAttribute('data-theme', 'dark');
  await one.choice('Density').selectOption('Compact');
  await one.choice('Timestamps').selectOption('Absolute');
  await one.field('Default timeout').fill('7');
  await page.keyboard.press('Enter');
  await one.dialog.getByLabel('Ask before calling a tool').uncheck();
  await one.dialog.getByLabel('Single-key shortcuts').uncheck();
  const expected = {
    theme: 'dark',
    density: 'compact',
    timestamps: 'absolute',
    timeoutMs: 7000,
    confirmDestructive: false,
    singleKeys: false,
  };
  await expect.poll(stored).toEqual(expected);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  await one.close();

  const two = await opened(await context.newPage(), (await start(['--', ...demoCommand()])).link);
  expect(new URL(two.page.url()).port).not.toBe(new URL(page.url()).port);
  await expect(two.root).toHaveAttribute('data-theme', 'dark');
  await expect(two.root).toHaveAttribute('data-density', 'compact');
  await expect.poll(async () => (await two.rows.first().boundingBox())?.height).toBe(18);
  await two.openSettings();
  await expect(two.choice('Timestamps')).toHaveValue('absolute');
  await expect(two.field('Default timeout')).toHaveValue('7');
  await two.close();

  // Single keys are off, other keys work.
  await two.rows.first().click();
  await two.page.keyboard.press('?');
  await two.page.keyboard.press('ControlOrMeta+K');
  await expect(two.page.getByRole('dialog')).toHaveCount(1);
  await expect(two.page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await two.page.keyboard.type('settings');
  await two.page.keyboard.press('Enter');
  await expect(two.dialog).toBeVisible();
  await two.dialog.getByLabel('Single-key shortcuts').check();
  await two.close();
  await two.keys('g', ',');
  await expect(two.dialog).toBeVisible();

  // The first tab notices when somebody returns to it.
  await page.bringToFront();
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await one.openSettings();
  await expect(one.dialog.getByLabel('Single-key shortcuts')).toBeChecked();
});

test('exported settings can be imported, what is ignored is named, and a reload shows the theme at once', async ({
  start,
  page,
}) => {
  const bin = await start(['--', ...demoCommand()]);
  const settings = await opened(page, bin.link);
  await settings.openSettings();
  await settings.choice('Theme').selectOption('Light');
  await expect.poll(() => stored().theme).toBe('light');
  const downloading = page.waitForEvent('download');
  await settings.button('Export…').click();
  const exported = JSON.parse(readFileSync(await (await downloading).path(), 'utf8'));
  expect(exported).toMatchObject({ theme: 'light', timeoutMs: 60_000, keep: { days: 30 } });

  const from = test.info().outputPath('settings.json');
  const load = async (content: unknown) => {
    writeFileSync(from, JSON.stringify(content));
    const choosing = page.waitForEvent('filechooser');
    await settings.button('Import…').click();
    await (await choosing).setFiles(from);
  };
  await load({ ...exported, theme: 'dark', density: 'huge', keep: { days: 9, bytes: 5_000_000 } });
  await expect(settings.dialog.getByText('Ignored, because unknown or invalid: density.')).toBeVisible();
  await expect(settings.choice('Theme')).toHaveValue('dark');
  await expect(settings.field('Days')).toHaveValue('9');
  await expect.poll(stored).toMatchObject({ theme: 'dark', keep: { days: 9, bytes: 5_000_000 } });
  await load([]);
  await expect(settings.dialog.getByRole('alert')).toContainText('This file has no settings.');
  await settings.close();

  // Before the page has asked for it.
  await settings.command('Theme: switch to light');
  await expect.poll(() => stored().theme).toBe('light');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('mcp-inspect.settings'))).toContain('light');
  await page.route('**/api/settings', () => {});
  await page.reload();
  await expect(settings.root).toHaveAttribute('data-theme', 'light');
  expect(bin.stderr()).not.toContain('settings');
});

test('a file that cannot be read is reported and kept', async ({ start, page }) => {
  const bin = await start(['--', ...demoCommand()]);
  mkdirSync(dirname(file()), { recursive: true });
  writeFileSync(file(), '{"theme":"da');
  const settings = await opened(page, bin.link);
  await settings.command('Theme: switch to dark');
  await expect(page.getByText('Could not read the settings')).toBeVisible();
  await settings.openSettings();
  await expect(settings.choice('Theme')).toHaveValue('system');
  await expect(settings.dialog.getByRole('alert').first()).toContainText('Repair that file or move it away.');
  expect(readFileSync(file(), 'utf8')).toBe('{"theme":"da');
});
