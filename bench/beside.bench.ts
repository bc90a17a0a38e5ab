/**
 * What everyday tasks cost a person here and in the official inspector: clicks, key presses and seconds, carried out in
 * Chromium by the same hand in one run. `--only=TASK,…` runs some of the tasks, `--runs=N` each of them N times (the
 * figures are then medians). `--only=controls` counts the controls beside a tool, and `--names` lists them. The
 * official inspector is installed first.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { visibleControls } from '../e2e/visible-controls';
import { type Effort, Hand } from './beside/hand';
import {
  EDIT,
  EDITED,
  FOLDER,
  type Inspector,
  real,
  SECOND,
  type Servers,
  TASKS,
  type TaskId,
} from './beside/inspector';
import { ours } from './beside/ours';
import { official } from './beside/theirs';
import { fromRoot, launchLink, quantile } from './inspected';

declare const ROOT: string;
const { findBrowser } = (await import(`${ROOT}/scripts/browser.mjs`)) as { findBrowser: () => string };

const servers: Servers = {
  everything: real('server-everything'),
  filesystem: SECOND,
  flood: [process.execPath, fromRoot('bench/flood-server.mjs'), 'note', 'burst_5000'],
};

/**
 * Carries out a task in a new process and a new browser, or only looks at the page on which it begins. A task that
 * can't be finished costs `undefined`.
 */
async function attempt(
  inspector: Inspector,
  id: TaskId,
  look?: (page: Page) => Promise<void>,
): Promise<Effort | undefined> {
  const task = inspector.tasks[id];
  if (!task) return undefined;
  const home = mkdtempSync(join(tmpdir(), 'bench-home-'));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(EDITED, EDIT.oldText);
  const server = servers[task.server];
  if (task.isRemembered) await inspector.remember(home, server);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const hand = new Hand(page);
  if (id === 'result') hand.startCounting();
  const inspected = inspector.start(home, task.isRemembered ? undefined : server);
  try {
    await page.goto(await launchLink(inspected));
    await task.prepare(new Hand(page));
    await (look ? look(page) : task.carryOut(hand));
    return hand.effort;
  } catch (error) {
    console.log(`  ${inspector.name}, ${id}: ${String(error).split('\n')[0]!.slice(0, 160)}`);
    return undefined;
  } finally {
    await browser.close();
    inspected.kill('SIGTERM');
    await Promise.race([once(inspected, 'exit'), new Promise((resolve) => setTimeout(resolve, 5000))]);
    inspected.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

const flag = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const runs = Number(flag('runs') ?? 1);
const only = flag('only')?.split(',');

const format = (effort: Effort | undefined, inspector: Inspector, id: TaskId) => {
  if (!inspector.tasks[id]) return '–';
  return effort === undefined
    ? 'not finished'
    : `${effort.clicks} clicks ${String(effort.keys).padStart(3)} keys ${effort.seconds.toFixed(1).padStart(5)} s`;
};

console.log(`${''.padEnd(50)} ${ours.name.padEnd(28)} ${official.name}`);
for (const id of Object.keys(TASKS) as TaskId[]) {
  if (only && !only.includes(id)) continue;
  const efforts = new Map<Inspector, Effort[]>([
    [ours, []],
    [official, []],
  ]);
  for (let run = 0; run < runs; run++) {
    for (const [inspector, all] of efforts) {
      const effort = await attempt(inspector, id);
      if (effort) all.push(effort);
    }
  }
  const medians = Array.from(efforts.values(), (all): Effort | undefined =>
    all.length === 0
      ? undefined
      : {
          ...all[0]!,
          seconds: quantile(
            all.map(({ seconds }) => seconds),
            0.5,
          ),
        },
  );
  console.log(
    `${TASKS[id].padEnd(50)} ${medians.map((effort, at) => format(effort, [ours, official][at]!, id).padEnd(28)).join(' ')}`,
  );
}
if (!only || only.includes('controls')) {
  const counts: string[] = [];
  for (const inspector of [ours, official]) {
    await attempt(inspector, 'elicitation', async (page) => {
      const names = (await visibleControls(page)).filter((name) => !inspector.isRow?.(name));
      if (process.argv.includes('--names')) console.log(names.join('\n'));
      counts.push(String(names.length));
    });
  }
  console.log(
    `${'controls beside a tool, without rows of lists'.padEnd(50)} ${counts.map((text) => text.padEnd(28)).join(' ')}`,
  );
}
rmSync(FOLDER, { recursive: true, force: true });
