import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'kills-'));
const bundle = join(folder, 'killed-proxy.mjs');

/** Returns the ids of the processes with `text` in their arguments or environment. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
        return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text));
      } catch {
        return false;
      }
    })
    .map(Number);
}

function isReaper(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('reaper');
  } catch {
    return false;
  }
}

/** Starts a process that only its arguments show to be one of the run. */
const CLEARED = 'env -i /bin/sh -c "sleep 60; :" "$0"';

/** Servers as shell scripts. `$0` is the run. The reaper is not in its tree, so `$PPID` is the proxy. */
const SERVERS = {
  plain: 'echo up; exec sleep 60',
  'with a child': 'sleep 60 & echo up; wait',
  'with a child in a session of its own': 'setsid sleep 60 & echo up; wait',
  'with a child in a session of its own, without its environment': `setsid ${CLEARED} & echo up; wait`,
  'that ignores SIGTERM': 'trap "" TERM; echo up; while :; do sleep 1; done',
} as const;
const INSTANTS = [
  'before the reaper',
  'before the server',
  'before the reaper knows its pid',
  'after the reaper knows its pid',
  'after the turn',
  'after the start',
  'at the first output',
] as const;
/** Servers that kill the proxy. */
const KILLERS = {
  'as its first act': 'kill -KILL $PPID; exec sleep 60',
  'between two children': 'sleep 60 & kill -KILL $PPID; sleep 60 & wait',
  'before a child in a session of its own': 'kill -KILL $PPID; setsid sleep 60 & wait',
  'before a child without its environment': `kill -KILL $PPID; ${CLEARED} & wait`,
  'after its child has': 'kill -KILL $PPID & sleep 60 & wait',
} as const;

const aimed: [string, string, string][] = [
  ...INSTANTS.flatMap((instant) =>
    Object.entries(SERVERS).map(([name, script]): [string, string, string] => [
      `${instant}, of a server ${name}`,
      instant,
      script,
    ]),
  ),
  ...Object.entries(KILLERS).map(([name, script]): [string, string, string] => [`by the server ${name}`, '', script]),
];

describe.skipIf(process.platform !== 'linux')('SIGKILL of the proxy', () => {
  beforeAll(() =>
    build({
      entryPoints: [join(import.meta.dirname, 'fixtures/killed-proxy.ts')],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      alias: { '@': ROOT },
      logLevel: 'silent',
    }),
  );
  afterAll(() => rmSync(folder, { recursive: true }));

  let runs = 0;
  /** Resolves with the run once its proxy is dead. */
  async function killedRun(instant: string, script: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
    const run = `killed-run-${process.pid}-${++runs}`;
    const args = [bundle, instant, run, '/bin/sh', '-c', script, run];
    const [, signal] = await once(spawn(process.execPath, args, { stdio: 'ignore', env }), 'exit');
    expect(signal).toBe('SIGKILL');
    return run;
  }

  test('there are 40 aimed kills', () => expect(aimed).toHaveLength(40));

  test.concurrent.for(aimed)('attack: leaves no process %s', { timeout: 30_000 }, async ([, instant, script]) => {
    const run = await killedRun(instant, script);
    try {
      await vi.waitUntil(() => processesWith(run).length === 0, { timeout: 10_000, interval: 50 });
    } finally {
      for (const pid of processesWith(run)) process.kill(pid, 'SIGKILL');
    }
  });

  test('control: leaves the server at its start if it has no mark', { timeout: 30_000 }, async () => {
    const env = { ...process.env, UNMARKED: '1' };
    const run = await killedRun('before the reaper knows its pid', SERVERS['that ignores SIGTERM'], env);
    await vi.waitUntil(() => !processesWith(run).some(isReaper), { timeout: 10_000 });
    const [left] = processesWith(run);
    expect(left).toBeDefined();
    process.kill(-left!, 'SIGKILL');
  });
});
