/**
 * The detail of a large result in Chromium: time from the click on its row until it is drawn, and the longest task in
 * between. The budget is 100 ms per task for a result of 10 MB. `DETAIL_MB` sets another size.
 */
import { spawn } from 'node:child_process';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../scripts/browser.mjs';
import { fromRoot, launchLink } from './inspected';

const BYTES = Number(process.env.DETAIL_MB ?? 10) * 1_000_000;
const BUDGET_MS = 100;

const child = spawn(process.execPath, [
  fromRoot('dist/cli.js'),
  '--no-open',
  '--port',
  '0',
  '--',
  process.execPath,
  fromRoot('proxy/connection/fixtures/hostile-server.mjs'),
  'big-json',
  String(BYTES),
]);
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(await launchLink(child));
  await page.getByRole('option', { name: /echo/ }).first().click();
  let worst = 0;
  for (const what of ['objects', 'text']) {
    await page.getByRole('textbox', { name: 'text', exact: true }).fill(what);
    await page.getByRole('button', { name: 'Call tool', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result', exact: true });
    const row = result.getByRole('button', { name: /^response #/ });
    await row.waitFor({ timeout: 60_000 });
    // Receiving it is measured elsewhere.
    await page.waitForTimeout(3000);
    const tree = page.getByRole('tree');
    worst = Math.max(
      worst,
      await step(
        page,
        `${what}: select, Pretty`,
        () => row.click(),
        () => tree.getByText('content', { exact: true }).waitFor(),
      ),
      await step(
        page,
        `${what}: search`,
        () => page.getByRole('searchbox', { name: 'Search in the message' }).fill('row of'),
        () => page.getByText(/\d+\+? found/).waitFor(),
      ),
      what === 'text'
        ? await step(
            page,
            `${what}: JSON in a string`,
            () => page.getByRole('button', { name: 'JSON in a string' }).click(),
            () => tree.getByText('JSON in the string').first().waitFor(),
          )
        : await step(
            page,
            `${what}: open all`,
            async () => {
              await tree.focus();
              await page.keyboard.press('Home');
              await page.getByRole('button', { name: 'Value menu' }).first().click();
              await page.getByRole('menuitem', { name: 'Expand all inside' }).click();
            },
            () => tree.getByText('price').first().waitFor(),
          ),
      await step(
        page,
        `${what}: Raw`,
        () => page.keyboard.press('2'),
        () => page.getByRole('region', { name: 'Bytes as text' }).getByText('jsonrpc').first().waitFor(),
      ),
    );
    await page.keyboard.press('1');
    await tree.waitFor();
    await page.getByRole('button', { name: 'Close detail' }).click();
  }
  if (worst > BUDGET_MS) process.exitCode = 1;
} finally {
  await browser.close();
  child.kill('SIGTERM');
}

/** Runs `act` and waits for `done`. Resolves with the longest task in between, in ms. */
async function step(
  page: Page,
  what: string,
  act: () => Promise<unknown>,
  done: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  const from = performance.now();
  await act();
  await done();
  const took = performance.now() - from;
  await page.waitForTimeout(1000);
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  const longest = Math.max(0, ...tasks);
  const verdict = longest <= BUDGET_MS ? 'ok    ' : 'FAILED';
  console.log(
    `${verdict} ${what.padEnd(28)} ${Math.round(took)} ms, longest task ${longest === 0 ? '< 50' : Math.round(longest)} ms of ${BUDGET_MS}`,
  );
  return longest;
}
