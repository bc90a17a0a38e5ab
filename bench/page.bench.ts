/**
 * The page under load, in Chromium: bursts before a tool's result, 5,000 messages per second into a long log, scrolling
 * and filtering a million frames, and results of 10 MB. It uses the built mcp-inspect and its socket.
 *
 * - `--only=NAME,…` runs some of the sections (see SECTIONS), each in a new page. `--only=none` runs none.
 * - `--peer` also measures the bursts and 1 MB in @modelcontextprotocol/inspector, which it installs.
 * - `--peer=TOOL,…` measures only these tools there.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { type Browser, chromium, type Page } from '@playwright/test';
import { fromRoot, launchLink, quantile } from './inspected';
import { type Load, PageProbe, scrollThrough } from './page-probe';
import { peerFigure } from './peer';

declare const ROOT: string;
const { findBrowser } = (await import(`${ROOT}/scripts/browser.mjs`)) as { findBrowser: () => string };

const BURSTS = [50, 200, 1000, 10_000, 100_000];
const FILL = 960_000;
const LIVE_SECONDS = 8;
const KB = 1024;
const TOOLS = [
  ...BURSTS.map((count) => `burst_${count}`),
  `burst_${FILL}`,
  `live_${LIVE_SECONDS}`,
  `text_${KB * KB}`,
  `text_${10 * KB * KB}`,
  `table_${10 * KB * KB}`,
];
const SERVER = [process.execPath, fromRoot('bench/flood-server.mjs'), ...TOOLS];

const ms = (value: number) => `${value.toFixed(0)} ms`;
const task = ({ longestTask }: Load) => (longestTask === 0 ? '< 50 ms' : ms(longestTask));

function say(what: string, target: string, ours: string): void {
  console.log(`${what.padEnd(38)} ${target.padEnd(17)} ${ours}`);
}

/** Prints the figures of @modelcontextprotocol/inspector for these tools. */
async function sayPeer(tools: readonly string[]): Promise<void> {
  for (const tool of tools) {
    say(`official inspector: ${tool}`, '', await peerFigure(launch, [...SERVER], tool));
  }
}

function launch(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: findBrowser(), args });
}

function sayLoad(): void {
  console.log(
    `load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores, ${new Date().toISOString().slice(11, 19)}`,
  );
}

/** Selects a tool. */
async function choose(page: Page, tool: string): Promise<void> {
  await page.getByRole('searchbox', { name: /^Search / }).fill(tool);
  await page.getByRole('listbox').getByRole('option').filter({ hasText: tool }).first().click();
  await page.getByRole('heading', { level: 2, name: tool, exact: true }).waitFor();
}

let calls = 0;

/** Milliseconds from the click to the frame after the one that painted the result. */
async function call(page: Page, tool: string): Promise<number> {
  const answer = `${tool} call ${++calls}`;
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const begin = performance.now();
        const button = [...document.querySelectorAll('button')].find((one) => one.textContent?.startsWith('Call tool'));
        button!.click();
        const look = () => {
          const result = document.querySelector('section[aria-label=Result]')?.textContent ?? '';
          if (!result.includes(text)) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - begin));
        };
        look();
      }),
    answer,
  );
}

/** Waits until the page has received and checked all frames. */
async function idle(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const rows = document.querySelector('[role=grid]')?.getAttribute('aria-rowcount');
      const same = rows === document.body.dataset.benchRows;
      document.body.dataset.benchRows = rows ?? '';
      return same;
    },
    undefined,
    { polling: 1000, timeout: 120_000 },
  );
}

async function bursts(page: Page, probe: PageProbe): Promise<void> {
  for (const count of BURSTS) {
    await choose(page, `burst_${count}`);
    const load = await probe.during(() => call(page, `burst_${count}`));
    const words = `${ms(load.value)}, longest task ${task(load)}, CPU ${ms(load.cpu)}`;
    say(`burst of ${count.toLocaleString('en')}, result painted`, 'no task > 100 ms', words);
    await idle(page);
  }
}

/** Measures 5,000 notifications per second into the current log. */
async function live(page: Page, probe: PageProbe, into: string): Promise<void> {
  const tool = `live_${LIVE_SECONDS}`;
  await choose(page, tool);
  await page.getByRole('button', { name: 'Columns and more' }).click();
  const stopped = page.getByRole('menuitemcheckbox', { name: 'Follow new messages', checked: false });
  if (await stopped.isVisible()) await stopped.click();
  await page.keyboard.press('Escape');
  const load = await probe.during(() => call(page, tool));
  say(`5,000/s into ${into}: frame`, 'p95 ≤ 33 ms', `p50 ${ms(load.frameP50)}, p95 ${ms(load.frameP95)}`);
  say(`5,000/s into ${into}: longest task`, '≤ 100 ms', `${task(load)}, CPU ${ms(load.cpu / LIVE_SECONDS)} a second`);
  const last = load.shown.at(-1)![0];
  const latencies = rowLatencies(await writes(page, last), load.shown, last - 1 - LIVE_SECONDS * 5000);
  const words = `p50 ${ms(quantile(latencies, 0.5))}, p95 ${ms(quantile(latencies, 0.95))}`;
  say(`5,000/s into ${into}: wire to row`, 'p95 ≤ 150 ms', words);
}

/** Reads from the server's result how many messages it had printed at which time. */
async function writes(page: Page, seq: number): Promise<[number, number][]> {
  await page.locator(`#frame-${seq}`).click();
  const detail = page.getByRole('region', { name: 'Message detail' });
  await detail.getByText('Raw', { exact: true }).click();
  const text = await detail.locator('pre').innerText();
  await page.keyboard.press('Escape');
  const { result } = JSON.parse(text) as { result: { structuredContent: { printed: [number, number][] } } };
  return result.structuredContent.printed;
}

/**
 * Returns the milliseconds from each write to the first animation frame that showed its last message. `before` is the
 * number of frames before the first message.
 */
function rowLatencies(
  printed: readonly [number, number][],
  shown: readonly [number, number][],
  before: number,
): number[] {
  const latencies: number[] = [];
  let at = 0;
  for (const [count, time] of printed) {
    while (at < shown.length && shown[at]![0] < before + count) at++;
    if (at < shown.length) latencies.push(shown[at]![1] - time);
  }
  return latencies;
}

async function fill(page: Page, count: number): Promise<void> {
  await choose(page, `burst_${count}`);
  const took = await call(page, `burst_${count}`);
  console.log(`filled with ${count.toLocaleString('en')} in ${ms(took)}`);
  await idle(page);
}

async function scroll(page: Page, probe: PageProbe): Promise<void> {
  const load = await probe.during(() => scrollThrough(page));
  say('scroll through 1 M: frame', 'p95 ≤ 33 ms', `p50 ${ms(load.frameP50)}, p95 ${ms(load.frameP95)}`);
  say('scroll through 1 M: longest task', '≤ 100 ms', task(load));
}

/** Milliseconds from typing a filter until all frames are checked and the rows are shown. */
async function filterOnce(page: Page, text: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const box = document.querySelector<HTMLInputElement>('input[aria-label="Filter messages"]')!;
        const grid = document.querySelector('[role=grid]')!;
        const log = document.querySelector('section[aria-label="Message log"]')!;
        const before = grid.getAttribute('aria-rowcount');
        const begin = performance.now();
        // React notices typed text only through the native setter.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(box, wanted);
        box.dispatchEvent(new Event('input', { bubbles: true }));
        const look = () => {
          const searching = log.textContent!.includes('searching');
          if (!searching && grid.getAttribute('aria-rowcount') !== before) resolve(performance.now() - begin);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    text,
  );
}

async function filter(page: Page, probe: PageProbe, name: string, text: string, target: string): Promise<void> {
  const times: number[] = [];
  let longest: Load | undefined;
  for (let round = 0; round < 3; round++) {
    const load = await probe.during(() => filterOnce(page, text));
    times.push(load.value);
    if (!longest || load.longestTask > longest.longestTask) longest = load;
    await filterOnce(page, '');
  }
  say(`filter 1 M by ${name}`, target, `${ms(quantile(times, 0.5))}, longest task ${task(longest!)}`);
}

async function large(page: Page, probe: PageProbe, tool: string, what: string): Promise<void> {
  await choose(page, tool);
  const called = await probe.during(() => call(page, tool));
  say(`${what}: result painted`, 'no task > 100 ms', `${ms(called.value)}, longest task ${task(called)}`);
  await idle(page);
  const selected = await probe.during(async () => {
    await page.getByRole('button', { name: /^response #/ }).click();
    const detail = page.getByRole('region', { name: 'Message detail' });
    await detail.getByText('jsonrpc').first().waitFor();
  });
  say(`${what}: selected in the log`, 'no task > 100 ms', `longest task ${task(selected)}`);
  await page.keyboard.press('Escape');
}

async function million(page: Page, probe: PageProbe): Promise<void> {
  await fill(page, FILL);
  await live(page, probe, '1 M');
  sayLoad();
  const { heap, resident } = await probe.memory();
  const words = `heap ${heap.toFixed(0)} MiB, process ${resident.toFixed(0)} MiB`;
  say('memory of the tab with 1 M frames', '≤ 400 MB', words);
  await scroll(page, probe);
  await filter(page, probe, 'field', 'method:tools/call', '≤ 150 ms');
  await filter(page, probe, 'text', `live_${LIVE_SECONDS}`, '≤ 1 s');
}

/** Sections by name. Each takes less than five minutes. */
const SECTIONS: Readonly<Record<string, (page: Page, probe: PageProbe) => Promise<void>>> = {
  bursts,
  live: async (page, probe) => {
    await fill(page, BURSTS.at(-1)!);
    await live(page, probe, '100 k');
  },
  million,
  large: async (page, probe) => {
    await large(page, probe, `text_${KB * KB}`, '1 MB as text');
    await large(page, probe, `text_${10 * KB * KB}`, '10 MB as text');
    await large(page, probe, `table_${10 * KB * KB}`, '10 MB structured');
  },
};

async function measure(browser: Browser, section: (page: Page, probe: PageProbe) => Promise<void>): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const probe = await PageProbe.on(page);
  const args = [fromRoot('dist/cli.js'), '--no-open', '--port', '0', '--', ...SERVER];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  calls = 0;
  try {
    await page.goto(await launchLink(child));
    await page.getByRole('tab', { name: 'Tools', exact: true }).first().click();
    await section(page, probe);
  } finally {
    await page.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length);
const names = only === 'none' ? [] : (only?.split(',') ?? Object.keys(SECTIONS));
sayLoad();
const browser = await launch();
try {
  for (const name of names) {
    const section = SECTIONS[name];
    if (!section) throw new Error(`There is no section ${name}. There are: ${Object.keys(SECTIONS).join(', ')}.`);
    await measure(browser, section);
    sayLoad();
  }
  const peer = process.argv.find((word) => /^--peer(=|$)/.test(word));
  const all = [...BURSTS.map((count) => `burst_${count}`), `text_${KB * KB}`];
  if (peer !== undefined) await sayPeer(peer.split('=')[1]?.split(',') ?? all);
} finally {
  await browser.close();
}
sayLoad();
