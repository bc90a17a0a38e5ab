import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { fromRoot, launchLink } from './inspected';
import { PageProbe } from './page-probe';
import { scrollThrough } from './scroll';

declare const ROOT: string;
const { findBrowser } = (await import(`${ROOT}/scripts/browser.mjs`)) as { findBrowser: () => string };

const EXCHANGES = 100_000;
/** Of two busy cores: every other animation frame. */
const FRAME_MS = 33;

/**
 * The waterfall and the timeline in Chromium, over 100,000 calls with progress, every tenth with a question of the server within it:
 * frame times while the table is scrolled through and the timeline zoomed. False if a p95 is beyond the target.
 */
export async function exchangesInPage(): Promise<boolean> {
  const file = join(process.env.MCP_INSPECT_HOME!, 'exchanges.mcpr.jsonl');
  writeFileSync(file, [...lines()].join('\n'));
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const child = spawn(process.execPath, [fromRoot('dist/cli.js'), '--no-open', '--port', '0', 'open', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const probe = await PageProbe.on(page);
    await page.goto(await launchLink(child));
    await page.waitForFunction(
      (least) => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') ?? 0) >= least,
      4 * EXCHANGES,
      { polling: 200, timeout: 120_000 },
    );
    await page.getByRole('button', { name: 'Maximise the log' }).click();
    const canvases = await page.locator('section[aria-label="Message log"] canvas').evaluateAll((all) => {
      return all.filter((one) => one.clientWidth > 0).length;
    });
    if (canvases !== 2) throw new Error(`${canvases} canvases are in view, not the waterfall and the timeline.`);
    const scrolled = await probe.during(() => scrollThrough(page));
    const zoomed = await probe.during(() => zoomTimeline(page));
    const words = ({ frameP50, frameP95, longestTask }: typeof scrolled) =>
      `p50 ${frameP50.toFixed(0)} ms, p95 ${frameP95.toFixed(0)} ms (≤ ${FRAME_MS}), longest task ${longestTask.toFixed(0)} ms`;
    console.log(
      `${EXCHANGES.toLocaleString('en')} exchanges in Chromium, load ${loadavg()[0]!.toFixed(1)}\n` +
        `  scrolling, waterfall     ${words(scrolled)}\n  zooming the timeline     ${words(zoomed)}`,
    );
    return Math.max(scrolled.frameP95, zoomed.frameP95) <= FRAME_MS;
  } finally {
    await browser.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

function* lines(): Generator<string> {
  yield '{"mcpr":1,"id":"0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11","at":"2026-01-31T12:00:00.000Z","by":"bench/1","mode":"client","name":"calls","transport":"stdio","redaction":{"policy":"capture/2"}}';
  let n = 0;
  const line = (direction: '<' | '>', message: object, channel = 'protocol') =>
    JSON.stringify({ n: ++n, t: n * 997, c: channel, d: direction, m: message });
  const rpc = (direction: '<' | '>', message: object) => line(direction, { jsonrpc: '2.0', ...message });
  const about = { at: '2026-01-31T12:00:00.000Z', name: 'calls', transport: 'stdio', command: 'node', args: [] };
  yield line('<', { event: 'start', ...about }, 'lifecycle');
  yield line('<', { event: 'open', era: 'legacy', version: '2025-11-25' }, 'lifecycle');
  for (let id = 1; id <= EXCHANGES; id++) {
    const params = { name: `tool_${id % 40}`, arguments: { id }, _meta: { progressToken: id } };
    yield rpc('>', { id, method: 'tools/call', params });
    yield rpc('<', { method: 'notifications/progress', params: { progressToken: id, progress: 1, total: 2 } });
    if (id % 10 === 0) {
      yield rpc('<', { id: `q${id}`, method: 'roots/list' });
      yield rpc('>', { id: `q${id}`, result: { roots: [] } });
    }
    yield rpc('<', { method: 'notifications/progress', params: { progressToken: id, progress: 2, total: 2 } });
    yield rpc('<', { id, result: { content: [{ type: 'text', text: `answer ${id}` }] } });
  }
}

/** In and out again with the wheel, a step an animation frame. */
function zoomTimeline(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const canvas = document.querySelector('[role=group][aria-label=Timeline] canvas')!;
        const { left, width, top } = canvas.getBoundingClientRect();
        const steps = 150;
        let step = 0;
        const turn = () => {
          const at = { clientX: left + width * 0.4, clientY: top + 5, bubbles: true, cancelable: true };
          canvas.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: step < steps ? -60 : 60 }));
          if (step++ < 2 * steps) requestAnimationFrame(turn);
          else resolve();
        };
        requestAnimationFrame(turn);
      }),
  );
}
