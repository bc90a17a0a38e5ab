/**
 * Orphans: kills mcp-inspect with SIGKILL 500 times (`--kills=N`) around the start of a server, and counts the
 * processes that are left 5 s later. The target is 0. Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot, launchLink, quantile } from './inspected';

const KILLS = Number(process.argv.find((word) => word.startsWith('--kills='))?.slice('--kills='.length) ?? 500);
const LANES = 2;
/** Most milliseconds between the server’s start and a kill at random. It is running by then. */
const START_MS = 60;
const ORPHAN_MS = 5000;

type Server = (first: string, seconds: string) => string[];

/** `$0` is a number of seconds that no other process sleeps, so that the arguments of every process show its run. */
const shell =
  (script: string): Server =>
  (first, seconds) => ['/bin/sh', '-c', first + script, seconds];

const cleared = shell('exec env -i /bin/sleep $0');
const SERVERS: readonly Server[] = [
  shell('sleep $0 & exec sleep $0'),
  shell('setsid sleep $0 & exec sleep $0'),
  shell('trap "" TERM; sleep $0 & while :; do sleep 1; done'),
  shell('(setsid env -i /bin/sleep $0 &); exec sleep $0'),
  cleared,
  (first, seconds) => (first === '' ? ['env', '-i', '/bin/sleep', seconds] : cleared(first, seconds)),
];

/** Root can read every environment, so mcp-inspect runs as an ordinary user, with a home of its own. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const home = mkdtempSync(join(tmpdir(), 'kills-'));
if (user.uid !== undefined) chownSync(home, user.uid, user.gid);

interface Aim {
  readonly name: string;
  /** Put before the script of the server, in the shell. */
  readonly first?: string;
  /** Resolves at the instant of the kill. */
  until(proxy: ChildProcess, seconds: string): Promise<void>;
}

const AIMS: readonly Aim[] = [
  { name: 'at the start', until: started },
  {
    name: 'just after the start',
    until: async (proxy, seconds) => {
      await started(proxy, seconds);
      await spin(Math.random() * 3);
    },
  },
  {
    name: 'during the start',
    until: async (proxy, seconds) => {
      await started(proxy, seconds);
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

/** Resolves once the proxy has a child that has become another program, with `seconds` in its arguments. */
async function started(proxy: ChildProcess, seconds: string): Promise<void> {
  const own = argumentsOf(proxy.pid!);
  const isServer = (pid: number): boolean => argumentsOf(pid) !== own && argumentsOf(pid).includes(seconds);
  while (!isDead(proxy) && !childrenOf(proxy.pid!).some(isServer)) await new Promise(setImmediate);
}

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const lists = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1'));
    return lists.join(' ').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Returns '' for a process that is gone. */
function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

/** Returns the processes with `text` in their arguments. */
function processesWith(text: string): number[] {
  return (
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      // Zombies have no arguments.
      .filter((pid) => argumentsOf(pid).includes(text))
  );
}

/** Kills one run. Returns the milliseconds until nothing of it was left; undefined if something stays. */
async function killOnce(aim: Aim, server: Server, seconds: string): Promise<number | undefined> {
  const words = [fromRoot('dist/cli.js'), '--no-open', '--record', 'off', '--port', '0', '--'];
  const proxy = spawn(process.execPath, [...words, ...server(aim.first ?? '', seconds)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOME: home, MCP_INSPECT_HOME: home },
    cwd: home,
    ...user,
  });
  const exited = once(proxy, 'exit');
  await aim.until(proxy, seconds);
  proxy.kill('SIGKILL');
  await exited;
  const begin = performance.now();
  while (processesWith(seconds).length > 0) {
    if (performance.now() - begin > ORPHAN_MS) {
      for (const pid of processesWith(seconds)) process.kill(pid, 'SIGKILL');
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
    const server = SERVERS[Math.floor(number / AIMS.length) % SERVERS.length]!;
    const took = await killOnce(aim, server, `60.${process.pid}0${String(number).padStart(6, '0')}`);
    counts.set(aim.name, counts.get(aim.name)! + 1);
    if (took === undefined) orphans.set(aim.name, orphans.get(aim.name)! + 1);
    else times.push(took);
  }
}
await Promise.all(Array.from({ length: LANES }, lane));
rmSync(home, { recursive: true });

for (const [name, count] of counts) console.log(`kills       ${name}: ${orphans.get(name)} of ${count} left a process`);
const left = [...orphans.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `kills       ${KILLS} in all: ${left} with orphans (target 0). All gone after ${quantile(times, 0.5).toFixed(0)} ms ` +
    `(median), ${Math.max(...times).toFixed(0)} ms (longest)`,
);
if (left > 0) process.exitCode = 1;
