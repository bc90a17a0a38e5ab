import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { launchLink } from './inspected';
import { startOfficial } from './official';
import { PageProbe } from './page-probe';

/** Launches a separate browser, because a page with an endless task can't be closed. */
type Launch = () => Promise<Browser>;
/** Limit for one call. */
const PATIENCE_MS = 60_000;

/** Describes the figures of one tool's call, with its log panel open and closed. */
export async function peerFigure(launch: Launch, server: readonly string[], tool: string): Promise<string> {
  const open = await attempt(launch, server, tool, true);
  return `log open ${open}; closed ${await attempt(launch, server, tool, false)}`;
}

/** Measures one call in a new process and browser, so that earlier calls don't affect it. */
async function attempt(launch: Launch, server: readonly string[], tool: string, withLog: boolean): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'bench-official-'));
  const peer = startOfficial(home, server);
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const probe = await PageProbe.on(page);
    await page.goto(await launchLink(peer));
    await page.getByRole('switch', { name: /^Connect or disconnect/ }).click({ force: true });
    await page.getByText('Tools', { exact: true }).first().click();
    if (!withLog) await page.getByRole('button', { name: 'Close monitoring sidebar' }).click();
    await page.getByRole('button', { name: tool, exact: true }).click();
    await page.getByRole('button', { name: 'Execute Tool' }).waitFor();
    const load = await within(
      PATIENCE_MS,
      probe.during(() => execute(page, `${tool} call 1`)),
    );
    return `${load.value.toFixed(0)} ms, longest task ${load.longestTask.toFixed(0)} ms`;
  } catch (error) {
    return `did not survive (${String(error)
      .replace(/^Error: /, '')
      .split('\n')[0]!
      .slice(0, 80)})`;
  } finally {
    await within(5000, browser.close()).catch(() => {});
    peer.kill('SIGTERM');
    await within(5000, once(peer, 'exit')).catch(() => peer.kill('SIGKILL'));
    rmSync(home, { recursive: true, force: true });
  }
}

/** Milliseconds from the click to the frame after the one that painted the result. */
function execute(page: Page, answer: string): Promise<number> {
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve, reject) => {
        const begin = performance.now();
        [...document.querySelectorAll('button')].find((one) => one.textContent === 'Execute Tool')!.click();
        const look = () => {
          const heading = [...document.querySelectorAll('h3')].find((one) => one.textContent === 'Results');
          // The element around the heading holds the whole result.
          const result =
            heading?.closest('div[class*=Paper], div[class*=Card]') ?? heading?.parentElement?.parentElement;
          if (result?.textContent?.includes(text)) requestAnimationFrame(() => resolve(performance.now() - begin));
          else if (document.querySelector('main') === null) reject(new Error('The page went white'));
          else requestAnimationFrame(look);
        };
        look();
      }),
    answer,
  );
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMs / 1000} s`)), limitMs);
  });
  // The work may still fail after the time limit.
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
