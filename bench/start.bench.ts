/**
 * Start-up time: from process start until listening, against `node -e 0`. Then from process start until the page in
 * Chromium is connected to the demo server, opening the launch link as soon as it is printed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chromium } from '@playwright/test';
import { fromRoot, launchLink, quantile } from './inspected';

declare const ROOT: string;
const { findBrowser } = (await import(`${ROOT}/scripts/browser.mjs`)) as { findBrowser: () => Promise<string> };

const ROUNDS = 15;
const PAGE_ROUNDS = 5;

async function bareNode(): Promise<number> {
  const begin = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - begin;
}

/** Milliseconds until mcp-inspect prints its URL, because it listens then. */
async function listening(): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [fromRoot('dist/cli.js'), '--no-open', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await launchLink(child);
  const took = performance.now() - begin;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return took;
}

const node: number[] = [];
const ours: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  node.push(await bareNode());
  ours.push(await listening());
}
const ratio = quantile(ours, 0.5) / quantile(node, 0.5);
console.log(
  `start       node -e 0 ${quantile(node, 0.5).toFixed(0)} ms  listening ${quantile(ours, 0.5).toFixed(0)} ms  ` +
    `ratio ${ratio.toFixed(2)} (target ≤ 3)`,
);

const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const pages: number[] = [];
for (let round = 0; round < PAGE_ROUNDS; round++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const begin = performance.now();
  const child = spawn(process.execPath, [fromRoot('dist/cli.js'), '--no-open', '--port', '0', '--demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await page.goto(await launchLink(child));
  await page.getByRole('button', { name: 'Disconnect' }).waitFor();
  await page.getByRole('row').nth(5).waitFor();
  pages.push(performance.now() - begin);
  await context.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
}
await browser.close();
console.log(
  `page        start → connected to the demo server and its log shown: median ${quantile(pages, 0.5).toFixed(0)} ms ` +
    `(${Math.min(...pages).toFixed(0)} … ${Math.max(...pages).toFixed(0)})`,
);
