/**
 * Lets mcp-inspect work for a long time: floods, sockets that are cut, viewers that stop reading, pages that load
 * everything again, and restarts, in random order. Reports memory, descriptors, files, frames lost and processes left,
 * and exits with 1 if descriptors or files grow. `--minutes=60` sets the time, which is one minute without it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fromRoot, type Inspected, inspect, type ViewerSocket } from './inspected';

const MINUTES = Number(process.argv.find((word) => /^--minutes=\d+$/.test(word))?.slice('--minutes='.length) ?? 1);
const FLOOD = 50_000;
/** Descriptors or files by which a minute may differ from the first one: sockets that close, spilled logs. */
const MOST_GROWTH = 20;
const server = [process.execPath, fromRoot('bench/flood-server.mjs')];

let viewer: ViewerSocket;
let connection = 'c1';
let last = 0;
let received = 0;
let wrong = 0;
let state = '';

/** Follows the connection after the last frame that arrived, and counts what is missing or comes twice. */
function follow(): void {
  viewer.onFrames = (frames) => {
    for (const { seq, channel, bytes } of frames) {
      if (seq !== last + 1) wrong++;
      last = seq;
      received++;
      if (channel === 'lifecycle') state = (JSON.parse(Buffer.from(bytes).toString()) as { event: string }).event;
    }
  };
  viewer.send({ type: 'attach', connection, after: last });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The things that happen, one after another, in random order. */
const ACTIONS: Readonly<Record<string, (inspected: Inspected) => Promise<void>>> = {
  async flood() {
    const before = received;
    const text = JSON.stringify({ jsonrpc: '2.0', id: 'f', method: 'flood', params: { count: FLOOD, size: 200 } });
    viewer.send({ type: 'send-raw', ref: 'f', connection, text, terminate: true });
    await until(() => received >= before + FLOOD);
  },
  async drop(inspected) {
    viewer.socket.terminate();
    viewer = await inspected.viewer();
    follow();
  },
  async reload(inspected) {
    const all = await inspected.viewer();
    let seen = 0;
    all.onBatch = (batch) => {
      seen += batch.count;
    };
    all.send({ type: 'attach', connection, after: Math.max(0, last - FLOOD) });
    await until(() => seen >= Math.min(last, FLOOD));
    all.socket.close();
  },
  async stopReading(inspected) {
    const idle = await inspected.viewer();
    idle.send({ type: 'attach', connection, after: 0 });
    idle.socket.pause();
    await ACTIONS.flood!(inspected);
    idle.socket.terminate();
  },
  async restart() {
    const made = await viewer.ask({ type: 'restart', connection });
    if (!('connection' in made) || typeof made.connection !== 'string') throw new Error(JSON.stringify(made));
    await viewer.ask({ type: 'forget', connection });
    ({ connection } = made);
    [last, state] = [0, ''];
    follow();
    await until(() => state === 'open');
  },
};

/** Resident MiB of a process (Linux only). */
function residentMib(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

/** Counts descriptors that mcp-inspect has open, and files in its data folder. */
function openAndKept({ process: { pid }, home }: Inspected): { readonly descriptors: number; readonly files: number } {
  return { descriptors: readdirSync(`/proc/${pid}/fd`).length, files: readdirSync(home, { recursive: true }).length };
}

/** Every process that mcp-inspect has started, by id, with its start time in clock ticks, as `/proc` tells them. */
const started = new Map<number, string>();

/** Parent and start time of a process; undefined if it is gone. */
function statOf(pid: number): { readonly parent: number; readonly since: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), since: fields[19]! };
  } catch {
    return undefined;
  }
}

/** Notes the descendants of a process. */
function noteStarted(root: number): void {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => ({ pid: Number(name), ...statOf(Number(name)) }));
  const inside = new Set([root]);
  for (let size = 0; size < inside.size; ) {
    size = inside.size;
    for (const { pid, parent } of all) if (parent !== undefined && inside.has(parent)) inside.add(pid);
  }
  for (const { pid, since } of all) if (since !== undefined && inside.has(pid)) started.set(pid, since);
}

function processesLeft(): number {
  return [...started].filter(([pid, since]) => statOf(pid)?.since === since).length;
}

const inspected = await inspect(server);
viewer = await inspected.viewer();
follow();
await until(() => state === 'open');
const counts = new Map<string, number>();
const names = Object.keys(ACTIONS);
const seen: ReturnType<typeof openAndKept>[] = [];
const begin = performance.now();
for (let minute = 1; minute <= MINUTES; minute++) {
  while (performance.now() - begin < minute * 60_000) {
    const name = names[Math.floor(Math.random() * names.length)]!;
    await ACTIONS[name]!(inspected);
    noteStarted(inspected.process.pid!);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const done = names.map((name) => `${counts.get(name) ?? 0} ${name}`).join(', ');
  const memory = residentMib(inspected.process.pid!);
  const { descriptors, files } = openAndKept(inspected);
  // A restart begins a recording, which is kept.
  const unexpected = files - (counts.get('restart') ?? 0);
  seen.push({ descriptors, files: unexpected });
  console.log(
    `minute ${minute}: ${done}; ${received} frames, ${wrong} gaps or repeats, ${memory} MiB, ${descriptors} descriptors, ` +
      `${unexpected} files apart from those of restarts`,
  );
}
const grown = (['descriptors', 'files'] as const).filter((what) => seen.at(-1)![what] > seen[0]![what] + MOST_GROWTH);
for (const what of grown) console.log(`More ${what} than after the first minute by more than ${MOST_GROWTH}.`);
viewer.socket.close();
await inspected.stop();
// The reaper looks after the end of the proxy, and is then the last one.
const end = performance.now() + 10_000;
while (processesLeft() > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
const left = processesLeft();
console.log(`${wrong} gaps or repeats (target 0), ${left} processes left of ${started.size} (target 0)`);
if (wrong > 0 || left > 0 || grown.length > 0) process.exitCode = 1;
