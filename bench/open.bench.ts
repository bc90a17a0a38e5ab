/**
 * Time to open a long recording in Chromium: 1,000,000 frames in 500 MB, with the index that the recorder writes, and
 * line by line without it. It fails if a target is missed. The baseline, in the same run, is Node parsing the lines.
 * `--frames=N` sets another length.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { BarePage, cpuOf } from './bare-page';
import { fromRoot, launchLink } from './inspected';
import { writeLongRecording } from './long-recording';

const FRAMES = Number(process.argv.find((word) => /^--frames=\d+$/.test(word))?.slice('--frames='.length) ?? 1_000_000);
const file = join(process.env.MCP_INSPECT_HOME!, 'long.mcpr.jsonl');

/** Removes the last line, which holds the places of the indexes. */
function cutEnd(): void {
  const { size } = statSync(file);
  const tail = Buffer.alloc(Math.min(size, 256 * 1024));
  readSync(openSync(file, 'r'), tail, 0, tail.length, size - tail.length);
  truncateSync(file, size - tail.length + tail.lastIndexOf(10, tail.length - 2) + 1);
}

/** Parses every line and discards the value. Resolves with CPU and elapsed seconds. */
async function readLines(): Promise<{ readonly cpu: number; readonly clock: number }> {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  let rest = '';
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024, encoding: 'utf8' })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) JSON.parse(line);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e6, clock: (performance.now() - begin) / 1000 };
}

/** The targets by the index. The bench fails if one is missed. */
const TARGET = { seconds: 3, taskMs: 50, megabytes: 400 };
const BYTES_PER_MIB = 1024 * 1024;

const say = (what: string, target: string, words: string) =>
  console.log(`${what.padEnd(44)} ${target.padEnd(12)} ${words}`);
const fail = (isMissed: boolean) => {
  if (isMissed) process.exitCode = 1;
};
const s = (seconds: number) => `${seconds.toFixed(2)} s`;

async function open(how: string, isIndexed: boolean): Promise<void> {
  const page = await BarePage.open(1440, 900);
  console.log(`${how}, load ${loadavg()[0]!.toFixed(1)}`);
  const begin = performance.now();
  const child = spawn(process.execPath, [fromRoot('dist/cli.js'), '--no-open', '--port', '0', 'open', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await page.goto(await launchLink(child));
    const rows = async (least: number) => {
      await page.until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') >= ${least}`);
      return (performance.now() - begin) / 1000;
    };
    const [target, first] = [isIndexed ? `≤ ${TARGET.seconds} s` : '', await rows(20)];
    say('command → first rows', target, s(first));
    const usable = await page.now();
    const all = await rows(FRAMES);
    const [tab, proxy] = [await page.cpu(), cpuOf(child.pid!)];
    say('command → every row', target, s(all));
    const times = `${((tab + proxy) / baseline.cpu).toFixed(2)} × parsing the lines`;
    say('CPU until then: tab, proxy', '', `${s(tab)}, ${s(proxy)}: ${times}`);
    const task = await page.longestTask(usable);
    say('longest task after the first rows', `≤ ${TARGET.taskMs} ms`, `${task.toFixed(0)} ms`);
    const { heap, resident } = await page.memory();
    say(
      'memory of the tab',
      `≤ ${TARGET.megabytes} MB`,
      `heap ${heap.toFixed(0)} MiB, process ${resident.toFixed(0)} MiB`,
    );
    fail(isIndexed && Math.max(first, all) > TARGET.seconds);
    fail(task > TARGET.taskMs || resident * BYTES_PER_MIB > TARGET.megabytes * 1e6);
  } finally {
    await page.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

await writeLongRecording(file, FRAMES);
console.log(`${FRAMES.toLocaleString('en')} frames, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
const baseline = await readLines();
say('parsing the lines alone, in Node', '', `${s(baseline.clock)}, ${s(baseline.cpu)} of CPU`);
await open('by its index', true);
cutEnd();
await open('line by line', false);
rmSync(file);
