import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import type { ProtocolVersion } from '../lib/wire/lifecycle';
import { expect, hostileCommand, runBin, test } from './bin';
import { crawl, watchForAttacks } from './crawl';
import { Workbench } from './workbench';
import { xssRecording } from './xss-recording';

/** Commands of the palette, and controls that are pressed in each of their views. */
const MOST = process.env.TEST_LONG ? { commands: 300, presses: 60 } : { commands: 10, presses: 6 };

type Watched = Awaited<ReturnType<typeof watchForAttacks>>;

/** Expects that nothing of an attack ran, was drawn or was requested. */
async function expectHarmless(page: Page, { outside, alarms }: Watched): Promise<void> {
  const seen = () => page.evaluate(() => ({ ran: globalThis.ran, foreign: [...globalThis.foreign!] }));
  expect.soft(await seen()).toEqual({ ran: undefined, foreign: [] });
  expect.soft(await page.title()).toMatch(/^(?:\(\d+\) )?mcp-inspect/);
  expect.soft(outside).toEqual([]);
  expect.soft(alarms).toEqual([]);
  // The watch itself works.
  await page.evaluate(() => document.body.append(document.createElement('x-canary')));
  expect((await seen()).foreign).toContain('<x-canary>');
}

/** Writes a recording with markup in every string. */
function written(folder: string, version: ProtocolVersion): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${version}.mcpr.jsonl`);
  writeFileSync(file, xssRecording(version));
  return file;
}

test.describe('attack: markup in every string', () => {
  test.beforeEach(() => test.setTimeout(process.env.TEST_LONG ? 1_800_000 : 180_000));

  for (const version of ['2025-11-25', '2026-07-28'].slice(process.env.TEST_LONG ? 0 : 1) as ProtocolVersion[]) {
    test(`of a recording (${version}) runs nowhere in the page`, async ({ start, page }, { outputDir }) => {
      const watched = await watchForAttacks(page);
      const { link } = await start(['open', written(outputDir, version)], { cwd: outputDir });
      await page.goto(link);
      await expect(new Workbench(page).rows.first()).toBeVisible({ timeout: 60_000 });
      expect(await crawl(page, MOST)).toBeGreaterThan(30);
      await expectHarmless(page, watched);
    });
  }

  test('of a live server runs nowhere in the page', async ({ start, page }, { outputDir }) => {
    mkdirSync(outputDir, { recursive: true });
    const watched = await watchForAttacks(page);
    const { link } = await start(['--', ...hostileCommand('xss')], { cwd: outputDir });
    await page.goto(link);
    await new Workbench(page).connected();
    expect(await crawl(page, MOST)).toBeGreaterThan(30);
    await expectHarmless(page, watched);
  });

  test('runs nowhere in a shared page', async ({ page }, { outputDir }) => {
    const html = join(outputDir, 'shared.html');
    const shared = await runBin(['share', written(outputDir, '2025-11-25'), '--out', html], { cwd: outputDir });
    expect(shared.ended, shared.stderr).toBe(0);
    expect(readFileSync(html, 'utf8')).not.toContain('<x-canary>');
    const watched = await watchForAttacks(page);
    await page.goto(pathToFileURL(html).href);
    await expect(new Workbench(page).rows.first()).toBeVisible({ timeout: 60_000 });
    expect(await crawl(page, MOST)).toBeGreaterThan(30);
    await expectHarmless(page, watched);
  });
});
