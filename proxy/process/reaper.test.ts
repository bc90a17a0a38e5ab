import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { isRunning } from '@/proxy/connection/fixtures/hostile';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'reaper-'));
const bundle = join(folder, 'three-servers.mjs');

/** Returns the pid of the shell that watches the servers of this process. */
function reaperOf(pid: number): number | undefined {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString().split('\n');
  const row = rows
    .map((text) => text.trim().split(/\s+/))
    .find(([, ppid, program]) => ppid === String(pid) && program === '/bin/sh');
  return row && Number(row[0]);
}

/** Returns the run that marks a process. */
function runOf(pid: number): string {
  return execFileSync('ps', ['eww', '-o', 'args=', String(pid)])
    .toString()
    .match(/MCP_INSPECT_RUN=(\w+)/)![1]!;
}

/** Returns true while a reaper, or what it ends the run with, has the run among its arguments. */
function isReaperOfRun(run: string): boolean {
  const rows = execFileSync('ps', ['-A', '-ww', '-o', 'args=']).toString().split('\n');
  return rows.some((text) => text.includes(run));
}

const options: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  alias: { '@': ROOT },
  logLevel: 'silent',
};

describe.skipIf(process.platform === 'win32')('reaper', () => {
  beforeAll(async () => {
    const fixtures = join(ROOT, 'proxy/connection/fixtures');
    for (const file of ['hostile-server.mjs', 'hostile-texts.mjs'])
      copyFileSync(join(fixtures, file), join(folder, file));
    await build({
      entryPoints: [join(fixtures, 'three-servers.ts')],
      outfile: bundle,
      ...options,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  let pids: number[] = [];
  let proxy: ChildProcess | undefined;
  afterEach(() => {
    for (const pid of [proxy?.pid, ...pids]) {
      if (pid !== undefined && isRunning(pid)) process.kill(pid, 'SIGKILL');
    }
  });

  async function startProxy(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [bundle], { stdio: ['ignore', 'pipe', 'inherit'] });
    proxy = child;
    const line = await new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))));
    pids = JSON.parse(line) as number[];
    expect(pids).toHaveLength(6);
    expect(pids.every(isRunning)).toBe(true);
    return child;
  }

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'attack: after %s to the proxy, three trees that ignore SIGTERM are gone within 3 s',
    async (signal) => {
      const child = await startProxy();
      child.kill(signal);
      await vi.waitUntil(() => !pids.some(isRunning), { timeout: 3000, interval: 20 });
    },
  );

  test.each([
    ['', ''],
    [', even if Node can’t be started again', "process.execPath = '/nonexistent';"],
  ])('attack: ends a group, but not one that was removed, and keeps no process running%s', async (_, first) => {
    const sleepers = [1, 2].map(() =>
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { detached: true }),
    );
    pids = sleepers.map((child) => child.pid!);
    const script = join(folder, 'lists.mjs');
    await build({
      stdin: {
        contents: `import { Reaper } from '@/proxy/process/reaper';
          ${first}
          const [kept, ended] = process.argv.slice(2).map(Number);
          const reaper = new Reaper();
          reaper.prepare();
          reaper.add(kept);
          reaper.add(ended);
          reaper.delete(kept);`,
        resolveDir: ROOT,
      },
      outfile: script,
      ...options,
    });
    const [kept, ended] = pids as [number, number];
    execFileSync(process.execPath, [script, String(kept), String(ended)]);
    await vi.waitUntil(() => !isRunning(ended), { timeout: 3000, interval: 20 });
    expect(isRunning(kept)).toBe(true);
  });

  test('attack: a reaper that is killed is replaced at once', async () => {
    const child = await startProxy();
    const reaper = reaperOf(child.pid!)!;
    process.kill(reaper, 'SIGKILL');
    await vi.waitUntil(() => ![undefined, reaper].includes(reaperOf(child.pid!)), { timeout: 5000, interval: 20 });
    child.kill('SIGKILL');
    await vi.waitUntil(() => !pids.some(isRunning), { timeout: 3000, interval: 20 });
  });

  test('leaves a daemon after a regular end, in which all servers have ended', async () => {
    const script = join(folder, 'daemon.mjs');
    await build({
      stdin: {
        contents: `import { spawn } from 'node:child_process';
          import { Reaper } from '@/proxy/process/reaper';
          const env = { ...process.env, MCP_INSPECT_RUN: new Reaper().prepare() };
          const daemon = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { detached: true, env, stdio: 'ignore' });
          daemon.unref();
          console.log(daemon.pid);`,
        resolveDir: ROOT,
      },
      outfile: script,
      ...options,
    });
    const daemon = Number(execFileSync(process.execPath, [script]).toString());
    pids = [daemon];
    await vi.waitUntil(() => !isReaperOfRun(runOf(daemon)), { timeout: 5000, interval: 20 });
    expect(isRunning(daemon)).toBe(true);
  });

  test('control: while the reaper is stopped, the servers survive', async () => {
    const child = await startProxy();
    const reaper = reaperOf(child.pid!)!;
    process.kill(reaper, 'SIGSTOP');
    child.kill('SIGKILL');
    await vi.waitUntil(() => !isRunning(child.pid!));
    expect(pids.every(isRunning)).toBe(true);
    process.kill(reaper, 'SIGCONT');
    await vi.waitUntil(() => !pids.some(isRunning), { timeout: 3000, interval: 20 });
  });
});
