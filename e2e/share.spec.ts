import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { demoCommand, expect, runBin, test } from './bin';
import { Workbench } from './workbench';
import { XSS, xssRecording } from './xss-recording';

declare global {
  var ran: unknown;
  var refused: string[] | undefined;
}

/** A page that has no network, and what it asked for besides itself and its own workers. */
async function offline(browser: Browser, address: string): Promise<{ page: Page; asked: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const asked: string[] = [];
  await context.route(
    (url) => url.protocol !== 'blob:' && url.href !== address,
    (route) => {
      asked.push(route.request().url());
      return route.abort();
    },
  );
  await context.setOffline(true);
  await watch(page);
  await page.goto(address);
  return { page, asked };
}

/** Whatever the page's policy refuses is told by {@link refusals}. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.refused = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      globalThis.refused?.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
}

async function nothingRan(page: Page): Promise<void> {
  expect(await page.evaluate(() => ({ ran: globalThis.ran, refused: globalThis.refused }))).toEqual({
    ran: undefined,
    refused: [],
  });
}

/** Shows every panel, and the detail of every row in every way. */
async function lookEverywhere(page: Page): Promise<void> {
  const bench = new Workbench(page);
  await expect(bench.rows.first()).toBeVisible();
  for (const panel of await page.getByRole('tablist').first().getByRole('tab').all()) {
    await panel.click();
    const entries = page.getByRole('listbox').getByRole('option');
    if ((await entries.count()) > 0) await entries.first().click();
  }
  const rows = await bench.rows.count();
  expect(rows).toBeGreaterThan(10);
  for (let row = 0; row < rows; row++) {
    await bench.rows.nth(row).click();
    for (const tab of await bench.detail.getByRole('tab').all()) await tab.click();
  }
}

test('a page that is viewer and recording shows the rows of the live one, and asks nobody for anything', async ({
  open,
  browser,
}, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'session.mcpr.jsonl');
  const { page, bin } = await open(['--record', file, '--', ...demoCommand()]);
  const live = new Workbench(page);
  await live.connected();
  await live.tool('write_entry');
  await live.field('text').fill('Grüße, 世界 🌍');
  await live.choice('keeper').selectOption('Callum Rae');
  await live.call();
  await expect(live.outcome).toContainText('ok');
  await live.button('Disconnect').click();
  await expect(page.getByRole('banner').getByText('closed', { exact: true })).toBeVisible();
  await live.filter('-kind:lifecycle -kind:stderr');
  const lines = await live.lines();
  expect(lines.length).toBeGreaterThan(5);
  bin.kill('SIGTERM');
  await bin.ended;

  const html = join(outputDir, 'session.html');
  const { ended, stderr } = await runBin(['share', file, '--html', html]);
  expect(stderr).toMatch(/session\.html: 1\.\d MB/);
  expect(ended).toBe(0);
  const { page: alone, asked } = await offline(browser, pathToFileURL(html).href);
  const bench = new Workbench(alone);
  await expect(bench.region('About this recording')).toContainText('This file is a recording and its viewer');
  await expect(bench.region('About this recording').getByRole('button')).toHaveCount(0);
  await bench.filter('-kind:lifecycle -kind:stderr');
  await expect.poll(() => bench.lines()).toEqual(lines);
  await bench.tool('write_entry');
  await expect(bench.button('Call tool')).toBeDisabled();
  await bench.panel('Problems');
  await expect(alone.getByRole('tabpanel', { name: 'Problems' }).getByRole('status')).toContainText('frames checked');
  await bench.filter('/世界/');
  await expect(bench.rows.first()).toContainText('write_entry');
  await expect(alone.getByRole('region', { name: 'Connections' })).toHaveCount(0);
  await nothingRan(alone);
  expect(asked).toEqual([]);
  await alone.context().close();
});

test('nothing in a hostile recording runs, in the page or as one', async ({ start, page, browser }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'x.mcpr.jsonl');
  writeFileSync(file, xssRecording());
  const html = join(outputDir, 'x.html');
  expect((await runBin(['share', file, '--html', html])).ended).toBe(0);
  expect(readFileSync(html, 'utf8')).not.toContain(XSS.slice(0, 20));
  const { page: alone, asked } = await offline(browser, pathToFileURL(html).href);
  await lookEverywhere(alone);
  await nothingRan(alone);
  expect(asked).toEqual([]);
  await alone.context().close();

  const { link } = await start(['open', file]);
  await watch(page);
  await page.goto(link);
  await lookEverywhere(page);
  await nothingRan(page);
});
