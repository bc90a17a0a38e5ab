/**
 * Re-run on save: 200 saves of a server's script, each with another tool, by editors that write in five ways. Prints
 * the time from a save to the painted difference, without the server's own start (the script alone, until it answers
 * `initialize`, in the same run). A character is typed into a form at each save, and must be there at the end. No
 * process may be left. `--saves=N` sets another number.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { EDITORS, serverScript } from '@/proxy/watch/fixtures/edited-server';
import { fromRoot, launchLink, quantile } from './inspected';

declare const ROOT: string;

const { findBrowser } = (await import(`${ROOT}/scripts/browser.mjs`)) as { findBrowser: () => string };
const SAVES = Number(process.argv.find((word) => /^--saves=\d+$/.test(word))?.slice('--saves='.length) ?? 200);
const TARGET_MS = 500;
const INITIALIZE = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } })}\n`;

const folder = join(process.env.MCP_INSPECT_HOME!, 'project');
mkdirSync(folder);
const file = join(folder, 'server.mjs');
const bare = join(process.env.MCP_INSPECT_HOME!, 'bare.mjs');

/** Returns a script that offers one tool more or less than the one before. */
const script = (save: number) => serverScript(['keep', ...(save % 2 === 1 ? [`tool_${save}`] : [])]);

/** Returns the milliseconds until the script answers `initialize`. */
async function bareStart(): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [bare], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(INITIALIZE);
  await once(child.stdout, 'data');
  const took = performance.now() - begin;
  child.stdin.end();
  await once(child, 'exit');
  return took;
}

/** Returns the number of processes that run the script (Linux only). */
function running(): number {
  const isOurs = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(file);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(name)).length;
}

/** Runs in the page: resolves with the time at which the difference of another run is painted. */
function nextPaint(): Promise<number> {
  const shown = () => document.querySelector<HTMLElement>('[data-run]')?.dataset.run;
  const before = shown();
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (shown() === undefined || shown() === before) return;
      observer.disconnect();
      // The task after the next frame: by then it is painted.
      requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}

function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return `${(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024).toFixed(0)} MiB`;
}

writeFileSync(file, script(0));
writeFileSync(bare, script(0));
const words = ['--no-open', '--port', '0', '--watch', '--protocol', '2025-11-25', '--', process.execPath, file];
const bin = spawn(process.execPath, [fromRoot('dist/cli.js'), ...words], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(await launchLink(bin));
  await page.getByText(/^Watching 1 file/).waitFor();
  await page.getByRole('textbox', { name: 'text' }).first().click();
  const memory = memoryOf(bin.pid!);
  const editors = Object.values(EDITORS);
  const [beyond, starts]: [number[], number[]] = [[], []];
  let typed = '';
  for (let save = 1; save <= SAVES; save++) {
    const start = await bareStart();
    const character = String.fromCharCode(97 + (save % 26));
    const painting = page.evaluate(nextPaint);
    const at = Date.now();
    editors[save % editors.length]!(file, script(save));
    await page.keyboard.type(character);
    typed += character;
    const painted = await painting;
    starts.push(start);
    beyond.push(painted - at - start);
  }
  const value = await page.getByRole('textbox', { name: 'text' }).first().inputValue();
  const lost = value === typed ? 0 : SAVES;
  const stayed = new URL(page.url()).searchParams.get('connection') !== `c${SAVES + 1}`;
  const p95 = quantile(beyond, 0.95);
  console.log(
    `saves       ${SAVES}: p50 ${quantile(beyond, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms beyond the server's own start (target ≤ ${TARGET_MS})`,
  );
  console.log(`own start   p50 ${quantile(starts, 0.5).toFixed(0)} ms, p95 ${quantile(starts, 0.95).toFixed(0)} ms`);
  console.log(`typed       ${lost === 0 ? 'all characters are there' : `LOST: ${value.length} of ${typed.length}`}`);
  console.log(`memory      ${memory} before, ${memoryOf(bin.pid!)} after`);
  if (stayed) console.log('FAILED      the page does not show the newest run');
  if (lost > 0 || stayed) process.exitCode = 1;
} finally {
  await browser.close();
  bin.kill('SIGTERM');
  await once(bin, 'exit');
  const left = running();
  console.log(`orphans     ${left} (target 0)`);
  if (left > 0) process.exitCode = 1;
}
