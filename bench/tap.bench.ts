/**
 * Cost of a tap between a host and a server, in alternation: the server alone, a bare relay of two `pipe` calls, the
 * tap without and with a recording. Round trip: one echo at a time. Throughput: the server floods, or the host does.
 * CPU is that of all threads of the process in between. Start: from the spawn to the first answer. All bytes are
 * hashed and compared. `--rounds=N` sets the number of rounds. Fails if a bar is missed; on a busy machine, run it at
 * real-time priority, because wall times are compared.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { cpuSecondsOf, floodRequest, fromRoot, quantile } from './inspected';

const ROUNDS = Number(process.argv.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 5);
const MESSAGES = 1_000_000;
const BYTES = 200;
const ECHOES = 2000;
const LONG_BYTES = 100_000_000;
const STARTS = 5;
const SLOW_MS = 3000;

const cli = fromRoot('dist/cli.js');
const flooder = [process.execPath, fromRoot('bench/flood-server.mjs')];
const hasher = [
  process.execPath,
  '-e',
  'console.log("ready");const h=require("node:crypto").createHash("sha256");process.stdin.on("data",(c)=>h.update(c)).on("end",()=>console.log(h.digest("hex")))',
];
/** Copies each message of both floods 100 times. */
const COPYING = {
  rules: ['n', 'notifications/message'].map((method) => ({
    name: method,
    when: `method:${method}`,
    action: { do: 'duplicate', copies: 100 },
  })),
};
const sleeper = [process.execPath, '-e', 'setTimeout(()=>process.stdin.resume(),6e4)'];

/** Commands that stand between host and server. */
const BETWEEN: Readonly<Record<string, (server: readonly string[]) => readonly string[]>> = {
  nothing: (server) => server,
  'bare relay': (server) => [process.execPath, fromRoot('bench/bare-relay.mjs'), ...server],
  'tap, no recording': (server) => [process.execPath, cli, 'tap', '--record', 'off', '--', ...server],
  tap: (server) => [process.execPath, cli, 'tap', '--', ...server],
};

const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n';

function start([command = '', ...args]: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(command, args);
  child.stderr.resume();
  child.stdin.on('error', () => {});
  return child;
}

/** Starts one that has answered `initialize`. */
async function opened(command: readonly string[]): Promise<ChildProcessWithoutNullStreams> {
  const child = start(command);
  child.stdin.write(initialize);
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  const exit = child.exitCode === null ? once(child, 'exit') : undefined;
  child.stdin.end();
  await exit;
}

/** Microseconds of each round trip. */
async function roundTrips(command: readonly string[]): Promise<number[]> {
  const child = await opened(command);
  const times: number[] = [];
  for (let n = 0; n < ECHOES; n++) {
    const begin = performance.now();
    child.stdin.write(`{"jsonrpc":"2.0","id":"e${n}","method":"echo","params":{"n":${n}}}\n`);
    await once(child.stdout, 'data');
    times.push((performance.now() - begin) * 1000);
  }
  await end(child);
  return times.slice(ECHOES / 4);
}

interface Flood {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly hash: string;
  readonly peakMb: number;
}

/** A flood of messages from the server. */
async function floodFromServer(command: readonly string[]): Promise<Flood> {
  const child = await opened(command);
  const hash = createHash('sha256');
  const cpu = cpuSecondsOf(child.pid!)!;
  const begin = performance.now();
  child.stdin.write(`${floodRequest(MESSAGES, BYTES)}\n`);
  let lines = 0;
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
      if (lines > MESSAGES) resolve();
    });
  });
  return await flooded(child, begin, cpu, hash.digest('hex'));
}

const sent = Buffer.from(
  Array.from(
    { length: 1000 },
    (_, n) => `{"jsonrpc":"2.0","method":"n","params":{"n":${n},"x":"${'y'.repeat(150)}"}}\n`,
  ).join(''),
);

/** A flood of messages from the host, once the server runs: the start has a bar of its own. */
async function floodFromHost(command: readonly string[]): Promise<Flood> {
  const child = start(command);
  await once(child.stdout, 'data');
  const cpu = cpuSecondsOf(child.pid!)!;
  const begin = performance.now();
  for (let n = 0; n < MESSAGES / 1000; n++) if (!child.stdin.write(sent)) await once(child.stdin, 'drain');
  child.stdin.end();
  const [hash] = await once(child.stdout, 'data');
  return flooded(child, begin, cpu, String(hash).trim());
}

async function flooded(
  child: ChildProcessWithoutNullStreams,
  begin: number,
  cpuBefore: number,
  hash: string,
): Promise<Flood> {
  const perSecond = MESSAGES / ((performance.now() - begin) / 1000);
  const [cpu, peakMb] =
    child.exitCode === null ? [cpuSecondsOf(child.pid!)!, memoryOf(child.pid!, 'VmHWM')] : [Number.NaN, Number.NaN];
  await end(child);
  return { perSecond, cpuUs: ((cpu - cpuBefore) / MESSAGES) * 1e6, hash, peakMb };
}

function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024;
}

async function startTime(command: readonly string[]): Promise<number> {
  const begin = performance.now();
  const child = await opened(command);
  const took = performance.now() - begin;
  await end(child);
  return took;
}

async function idleMemory(command: readonly string[]): Promise<number> {
  const child = await opened(command);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const idle = memoryOf(child.pid!, 'VmRSS');
  await end(child);
  return idle;
}

/** Growth in MB while the host, or the server, does not read. */
async function slowReader(command: readonly string[], who: 'host' | 'server'): Promise<number> {
  const child = who === 'host' ? await opened(command) : start(command);
  await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  const before = memoryOf(child.pid!, 'VmRSS');
  child.stdout.pause();
  if (who === 'host') child.stdin.write(`${floodRequest(MESSAGES, BYTES)}\n`);
  else for (let n = 0; n < 200; n++) child.stdin.write(sent);
  await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  const growth = memoryOf(child.pid!, 'VmRSS') - before;
  child.kill('SIGKILL');
  await once(child, 'exit');
  // The server of a bare relay lives on, and has it too.
  child.stderr.destroy();
  return growth;
}

/** One message of 100 MB: seconds, and the peak in MB. */
async function longMessage(command: readonly string[]): Promise<string> {
  const child = await opened(command);
  const begin = performance.now();
  child.stdin.write(`{"jsonrpc":"2.0","id":"l","method":"line","params":{"bytes":${LONG_BYTES}}}\n`);
  let bytes = 0;
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (chunk.at(-1) === 10) resolve();
    });
  });
  const took = (performance.now() - begin) / 1000;
  const peak = memoryOf(child.pid!, 'VmHWM');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return `${took.toFixed(2)} s for ${(bytes / 1e6).toFixed(0)} MB, peak ${peak.toFixed(0)} MB`;
}

/** Counts the messages that recordings say they lack. */
function missedMessages(): number {
  const folder = join(process.env.MCP_INSPECT_HOME!, 'recordings');
  let missed = 0;
  for (const name of readdirSync(folder)) {
    const lines = readFileSync(join(folder, name), 'latin1').matchAll(/"event":"missing","frames":(\d+)/g);
    for (const [, frames] of lines) missed += Number(frames);
  }
  return missed;
}

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
const say = (line: string): void => void process.stdout.write(`${line}\n`);

say(`load ${loadavg()[0]!.toFixed(1)}`);
const names = Object.keys(BETWEEN);
const trips = new Map(names.map((name) => [name, [] as number[]]));
const floods = new Map(names.map((name) => [name, { out: [] as Flood[], in: [] as Flood[] }]));
const starts = new Map(names.map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const name of names) {
    const between = BETWEEN[name]!;
    trips.get(name)!.push(median(await roundTrips(between(flooder))));
    for (let n = 0; n < STARTS; n++) starts.get(name)!.push(await startTime(between(flooder)));
    floods.get(name)!.out.push(await floodFromServer(between(flooder)));
    floods.get(name)!.in.push(await floodFromHost(between(hasher)));
  }
}

interface Bar {
  readonly what: string;
  readonly value: number;
  readonly bar: number;
  readonly atLeast?: boolean;
}
const bars: Bar[] = [];
const TAPS = names.slice(2);
const rate = (name: string, way: 'out' | 'in'): number =>
  median(floods.get(name)![way].map(({ perSecond }) => perSecond));
const peak = (name: string): number => median(floods.get(name)!.out.map(({ peakMb }) => peakMb));
const differing = names.reduce((count, name) => {
  const { out, in: inwards } = floods.get(name)!;
  const bare = floods.get('nothing')!;
  const isEqual = (all: readonly Flood[], one: Flood) => all.every(({ hash }) => hash === one.hash);
  return count + (isEqual(out, bare.out[0]!) ? 0 : 1) + (isEqual(inwards, bare.in[0]!) ? 0 : 1);
}, 0);
bars.push({ what: 'kinds of floods whose bytes differ', value: differing, bar: 0 });
bars.push({ what: 'messages that passed without being recorded', value: missedMessages(), bar: 0 });
for (const name of names) {
  const { out } = floods.get(name)!;
  say(
    [
      name.padEnd(18),
      `p50 ${median(trips.get(name)!).toFixed(0)} µs`,
      `start ${median(starts.get(name)!).toFixed(0)} ms`,
      `from server ${(rate(name, 'out') / 1e6).toFixed(2)} M/s, ${median(out.map(({ cpuUs }) => cpuUs)).toFixed(2)} µs CPU, peak ${peak(name).toFixed(0)} MB`,
      `from host ${(rate(name, 'in') / 1e6).toFixed(2)} M/s`,
    ].join(' · '),
  );
}
for (const name of TAPS) {
  const added = (all: ReadonlyMap<string, readonly number[]>) => median(all.get(name)!) - median(all.get('nothing')!);
  const share = (way: 'out' | 'in') => (100 * rate(name, way)) / rate('bare relay', way);
  // A flood waits for its recording, and the first message for the thread that records.
  const leastShare = name === 'tap' ? 10 : 80;
  bars.push(
    { what: `${name}: added round trip, µs`, value: added(trips), bar: 100 },
    { what: `${name}: added start, ms`, value: added(starts), bar: 150 },
    { what: `${name}: flood from the server, % of the relay's`, value: share('out'), bar: leastShare, atLeast: true },
    { what: `${name}: flood from the host, % of the relay's`, value: share('in'), bar: leastShare, atLeast: true },
    { what: `${name}: peak, % of the relay's`, value: (100 * peak(name)) / peak('bare relay'), bar: 150 },
  );
}
for (const name of names.slice(1)) {
  const between = BETWEEN[name]!;
  const idle = await idleMemory(between(flooder));
  const host = await slowReader(between(flooder), 'host');
  const server = await slowReader(between(sleeper), 'server');
  say(`${name.padEnd(18)} · ${await longMessage(between(flooder))}`);
  if (!TAPS.includes(name)) continue;
  bars.push(
    { what: `${name}: idle, MB`, value: idle, bar: 70 },
    { what: `${name}: growth while the host does not read, MB`, value: host, bar: 16 },
    { what: `${name}: growth while the server does not read, MB`, value: server, bar: 16 },
  );
}
const rules = join(process.env.MCP_INSPECT_HOME!, 'copies.json');
writeFileSync(rules, JSON.stringify(COPYING));
const copying = (server: readonly string[]) => [process.execPath, cli, 'tap', '--intercept', rules, '--', ...server];
bars.push(
  {
    what: 'copying rule: growth while the host does not read, MB',
    value: await slowReader(copying(flooder), 'host'),
    bar: 16,
  },
  {
    what: 'copying rule: growth while the server does not read, MB',
    value: await slowReader(copying(sleeper), 'server'),
    bar: 16,
  },
);
for (const { what, value, bar, atLeast = false } of bars) {
  const isMet = atLeast ? value >= bar : value <= bar;
  say(`${isMet ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(value < 10 ? 1 : 0)} (${atLeast ? '≥' : '≤'} ${bar})`);
  if (!isMet) process.exitCode = 1;
}
