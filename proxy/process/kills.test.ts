import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'kills-'));
const bundle = join(folder, 'killed-proxy.mjs');
/** The same without prlimit, as on a Mac or in a small container. */
const plainBundle = join(folder, 'killed-proxy-without-prlimit.mjs');
/** A program that may be run but not read. Its processes hide their environment from everybody but root. */
const hiddenSleep = join(folder, 'hidden-sleep');

/** Returns the ids of the processes with one of the texts in their arguments. */
function processesWith(...texts: string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        if (!texts.some((text) => words.includes(text))) return false;
        return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/**
 * Servers as shell scripts. `$0` is a number of seconds that no other process sleeps, so that it shows in the arguments
 * of every process. The reaper is not in its tree, so `$PPID` is the proxy.
 */
const SERVERS = {
  'with a child in a session of its own': 'setsid sleep $0 & echo up; wait',
  // Its output can come after the proxy's end, which must not end it either.
  'that ignores SIGTERM': 'trap "" TERM PIPE; echo up; while :; do sleep 1; done',
  'that clears its environment': 'echo up; exec env -i /bin/sleep $0',
  'with a daemon without environment': '(setsid env -i /bin/sleep $0 &); echo up; exec sleep $0',
  'with a daemon whose environment is hidden': `(setsid ${hiddenSleep} $0 &); echo up; exec sleep $0`,
  'with a daemon that replaces itself every 20 ms': `export next='sleep 0.02; [ -d ${folder} ] && setsid sh -c "$next" $0 &'
    setsid sh -c "$next" $0 & echo up; exec sleep $0`,
  'that replaces itself without a pause': `export next='[ -d ${folder} ] && sh -c "$next" $0 &'
    echo up; sh -c "$next" $0`,
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
  'as its first act': 'kill -KILL $PPID; exec sleep $0',
  'after it has cleared its environment': 'exec env -i /bin/sh -c "kill -KILL $PPID; exec /bin/sleep $0"',
  'between two children': 'sleep $0 & kill -KILL $PPID; sleep $0 & wait',
  'before a daemon without environment': 'kill -KILL $PPID; (setsid env -i /bin/sleep $0 &)',
} as const;
/** Without prlimit, these are found by their group and by their parent. */
const GROUPED = {
  'that clears its environment': SERVERS['that clears its environment'],
  'with a child without environment that ignores SIGTERM':
    'setsid env -i /bin/sh -c \'trap "" TERM; echo up; while :; do sleep 1; done\' $0 & wait',
} as const;

type Aimed = [name: string, instant: string, scripts: readonly string[], program: string];
/** With TEST_LONG each of several servers has a proxy of its own. Otherwise one proxy starts all of them. */
const together = (instant: string, before: string, servers: Readonly<Record<string, string>>, program: string) =>
  process.env.TEST_LONG
    ? Object.entries(servers).map(
        ([name, script]): Aimed => [`${before}of a server ${name}`, instant, [script], program],
      )
    : [[`${before}of all servers`, instant, Object.values(servers), program] satisfies Aimed];
const aimed: readonly Aimed[] = [
  ...INSTANTS.map((instant): Aimed => [`${instant}, of a plain server`, instant, ['echo up; exec sleep $0'], bundle]),
  ...['before the reaper knows its pid', 'at the first output'].flatMap((instant) =>
    together(instant, `${instant}, `, SERVERS, bundle),
  ),
  ...Object.entries(KILLERS).map(([name, script]): Aimed => [`by the server ${name}`, '', [script], bundle]),
  ...together('at the first output', 'without prlimit, ', GROUPED, plainBundle),
];

describe.skipIf(process.platform !== 'linux')('SIGKILL of the proxy', () => {
  beforeAll(async () => {
    await build({
      entryPoints: [join(import.meta.dirname, 'fixtures/killed-proxy.ts')],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      alias: { '@': ROOT },
      logLevel: 'silent',
    });
    writeFileSync(plainBundle, readFileSync(bundle, 'utf8').replace('/usr/bin/prlimit', '/usr/bin/no-prlimit'));
    copyFileSync('/bin/sleep', hiddenSleep);
    chmodSync(hiddenSleep, 0o111);
    chmodSync(folder, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Root can read every environment, so the proxy runs as an ordinary user. */
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  let runs = 0;
  /** Resolves once the proxy is dead, with texts in the arguments of its processes. */
  async function killedRun(
    program: string,
    instant: string,
    scripts: readonly string[],
    env = process.env,
  ): Promise<string[]> {
    const run = randomBytes(16).toString('hex');
    const seconds = `60.${process.pid}0${String(++runs).padStart(3, '0')}`;
    const args = [program, instant, run, seconds, ...scripts];
    const proxy = spawn(process.execPath, args, { stdio: 'ignore', cwd: folder, env, ...user });
    const [, signal] = await once(proxy, 'exit');
    expect(signal).toBe('SIGKILL');
    return [run, seconds];
  }

  test.concurrent.for(aimed)(
    'attack: leaves no process %s',
    { timeout: 60_000 },
    async ([, instant, scripts, program]) => {
      const texts = await killedRun(program, instant, scripts);
      // One look can miss a process that replaces itself.
      let quiet = 0;
      const isGone = (): boolean => {
        quiet = processesWith(...texts).length === 0 ? quiet + 1 : 0;
        return quiet === 10;
      };
      try {
        // On a busy machine a chain of processes needs many looks.
        await vi.waitUntil(isGone, { timeout: 40_000, interval: 10 });
      } finally {
        for (const pid of processesWith(...texts)) process.kill(pid, 'SIGKILL');
      }
    },
  );

  test('control: leaves the server at its start if it has another mark', { timeout: 30_000 }, async () => {
    const env = { ...process.env, UNMARKED: '1' };
    const instant = 'before the reaper knows its pid';
    const [run, seconds] = await killedRun(bundle, instant, [SERVERS['that ignores SIGTERM']], env);
    await vi.waitUntil(() => processesWith(run!).length === 0, { timeout: 10_000 });
    const left = processesWith(seconds!);
    expect(left).not.toEqual([]);
    for (const pid of left) process.kill(pid, 'SIGKILL');
  });
});
