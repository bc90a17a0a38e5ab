/**
 * Orphans: kills mcp-inspect with SIGKILL 500 times (`--kills=N`) around the start of a server, and counts the
 * processes that are left 5 s later. The target is 0. Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fromRoot, launchLink, quantile } from './inspected';

const KILLS = Number(process.argv.find((word) => word.startsWith('--kills='))?.slice('--kills='.length) ?? 500);
const LANES = 2;
/** Most milliseconds between the server’s fork and a kill at random. It is running by then. */
const START_MS = 60;
const ORPHAN_MS = 5000;

/** Shell scripts: with a child, with one in its own session, deaf to SIGTERM, with a child without environment. */
const SERVERS = [
  'sleep 60 & exec sleep 60',
  'setsid sleep 60 & exec sleep 60',
  'trap "" TERM; sleep 60 & while :; do sleep 1; done',
  'env -i /bin/sh -c "sleep 60; :" "$0" & exec sleep 60',
] as const;

interface Aim {
  readonly name: string;
  /** Put before the script of the server. */
  readonly first?: string;
  /** Resolves at the instant of the kill. */
  until(proxy: ChildProcess): Promise<void>;
}

const AIMS: readonly Aim[] = [
  { name: 'at the fork', until: forked },
  {
    name: 'just after the fork',
    until: async (proxy) => {
      await forked(proxy);
      await spin(Math.random() * 3);
    },
  },
  {
    name: 'during the start',
    until: async (proxy) => {
      await forked(proxy);
      await spin(Math.random() * START_MS);
    },
  },
  {
    name: 'after the link',
    until: async (proxy) => {
      await launchLink(proxy);
      await spin(Math.random() * START_MS);
    },
  },
  {
    name: 'by the server itself',
    first: 'kill -KILL $PPID; ',
    until: async (proxy) => void (await once(proxy, 'exit')),
  },
];

const isDead = (proxy: ChildProcess): boolean => proxy.exitCode !== null || proxy.signalCode !== null;

/** Waits without a timer, which would be a millisecond late. */
async function spin(ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; ) await new Promise(setImmediate);
}

/** Resolves once the proxy has a second child. The first one is the reaper. */
async function forked(proxy: ChildProcess): Promise<void> {
  while (!isDead(proxy) && childrenOf(proxy.pid!) < 2) await new Promise(setImmediate);
}

function childrenOf(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const lists = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1'));
    return lists.join(' ').split(' ').filter(Boolean).length;
  } catch {
    return 0;
  }
}

/** Returns the processes with `run` in their arguments or environment. */
function processesOf(run: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
        return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(run));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Kills one run. Returns the milliseconds until nothing of it was left; undefined if something stays. */
async function killOnce(aim: Aim, script: string, run: string): Promise<number | undefined> {
  const words = [fromRoot('dist/cli.js'), '--no-open', '--no-record', '--port', '0', '--'];
  const server = ['/bin/sh', '-c', (aim.first ?? '') + script, run];
  const proxy = spawn(process.execPath, [...words, ...server], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, KILLED_RUN: run },
  });
  const exited = once(proxy, 'exit');
  await aim.until(proxy);
  proxy.kill('SIGKILL');
  await exited;
  const begin = performance.now();
  while (processesOf(run).length > 0) {
    if (performance.now() - begin > ORPHAN_MS) {
      for (const pid of processesOf(run)) process.kill(pid, 'SIGKILL');
      return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - begin;
}

const orphans = new Map(AIMS.map(({ name }) => [name, 0]));
const counts = new Map(AIMS.map(({ name }) => [name, 0]));
const times: number[] = [];
let next = 0;
async function lane(): Promise<void> {
  while (next < KILLS) {
    const number = next++;
    const aim = AIMS[number % AIMS.length]!;
    const script = SERVERS[Math.floor(number / AIMS.length) % SERVERS.length]!;
    const took = await killOnce(aim, script, `killed-run-${process.pid}-${number}`);
    counts.set(aim.name, counts.get(aim.name)! + 1);
    if (took === undefined) orphans.set(aim.name, orphans.get(aim.name)! + 1);
    else times.push(took);
  }
}
await Promise.all(Array.from({ length: LANES }, lane));

for (const [name, count] of counts) console.log(`kills       ${name}: ${orphans.get(name)} of ${count} left a process`);
const left = [...orphans.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `kills       ${KILLS} in all: ${left} with orphans (target 0). All gone after ${quantile(times, 0.5).toFixed(0)} ms ` +
    `(median), ${Math.max(...times).toFixed(0)} ms (longest)`,
);
if (left > 0) process.exitCode = 1;
