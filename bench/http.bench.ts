/**
 * Cost of the HTTP path between a viewer and a server at a URL, in alternation: a plain client (Node's fetch) that only
 * counts the ends of events, mcp-inspect without and with a recording, and `mcp-remote`, which carries the messages to
 * stdio and keeps none. mcp-inspect makes frames of the messages and of each event's id and type. Round trip: one echo
 * at a time. Throughput: one event stream of many messages. CPU is that of the process in between. mcp-remote is
 * installed first; `--no-peer` leaves it out. `--rounds=N` sets the number of rounds.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attached, cpuSecondsOf, fromRoot, inspect, quantile, roundTrips } from './inspected';
import { installedPeer } from './installed-peer';

const ROUNDS = Number(process.argv.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 5);
const MESSAGES = 200_000;
/** Fewer for mcp-remote, which takes about 40 times as long. */
const REMOTE_MESSAGES = 20_000;
const BYTES = 200;
const ECHOES = 300;
const REMOTE_VERSION = '0.15.1';
const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}';

const flood = (count: number) =>
  `{"jsonrpc":"2.0","id":"flood","method":"flood","params":{"count":${count},"size":${BYTES}}}`;
const echo = (n: number) => `{"jsonrpc":"2.0","id":"e${n}","method":"echo","params":{"n":${n}}}`;
const END = Buffer.from('\n\n');

async function startServer(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [fromRoot('bench/http-server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout!, 'data');
  return { child, url: `http://127.0.0.1:${String(port).trim()}/mcp` };
}

const { child: server, url } = await startServer();
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A way to the server. */
interface Way {
  /** Process between us and the server. */
  readonly pid: number | undefined;
  /** Sends echo `n` and resolves with its answer. */
  echo(n: number): Promise<unknown>;
  /** Messages of a flood, and a function that resolves when the last one is here. */
  readonly messages: number;
  flood(): Promise<void>;
  stop(): Promise<void>;
}

const post = (body: string) => fetch(url, { method: 'POST', headers, body });

const plain: Way = {
  messages: MESSAGES,
  pid: undefined,
  echo: async (n) => (await post(echo(n))).text(),
  async flood() {
    let events = 0;
    for await (const chunk of (await post(flood(MESSAGES))).body!) {
      const bytes = Buffer.from(chunk);
      for (let at = bytes.indexOf(END); at !== -1; at = bytes.indexOf(END, at + END.length)) events++;
    }
    // It misses an end that is split between two chunks: a few in a hundred thousand.
    if (events < 0.99 * MESSAGES) throw new Error(`The plain client saw ${events} events.`);
  },
  stop: async () => {},
};

async function ourWay(...options: string[]): Promise<Way> {
  const inspected = await inspect([url], options);
  const viewer = await attached(inspected);
  const send = (ref: string, text: string) =>
    viewer.send({ type: 'send-raw', ref, connection: 'c1', text, terminate: true });
  return {
    messages: MESSAGES,
    pid: inspected.process.pid,
    echo(n) {
      const answer = `"id":"e${n}","result"`;
      return new Promise<void>((resolve) => {
        viewer.onFrames = (frames) => {
          if (frames.some(({ bytes }) => Buffer.from(bytes).includes(answer))) resolve();
        };
        send(`e${n}`, echo(n));
      });
    },
    async flood() {
      // Each message has two frames: the event's and its own.
      let frames = 0;
      const all = new Promise<void>((resolve) => {
        viewer.onBatch = ({ count }) => {
          frames += count;
          if (frames > 2 * MESSAGES) resolve();
        };
      });
      send('flood', flood(MESSAGES));
      await all;
      viewer.onBatch = undefined;
    },
    async stop() {
      viewer.socket.close();
      await inspected.stop();
    },
  };
}

/** mcp-remote, the usual bridge from stdio to a URL. */
async function remoteWay(): Promise<Way> {
  const modules = installedPeer('bench-remote', 'mcp-remote', REMOTE_VERSION);
  const home = mkdtempSync(join(tmpdir(), 'bench-remote-'));
  const words = [
    join(modules, 'mcp-remote/dist/proxy.js'),
    url,
    '--allow-http',
    '--transport',
    'http-only',
    '--silent',
  ];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  /** Sends a line and resolves once `count` lines have come. */
  const exchange = (line: string, count: number) =>
    new Promise<void>((resolve, reject) => {
      let lines = 0;
      const onExit = () => reject(new Error('mcp-remote has ended.'));
      const onData = (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
        if (lines < count) return;
        child.stdout.off('data', onData);
        child.off('exit', onExit);
        resolve();
      };
      child.stdout.on('data', onData);
      child.on('exit', onExit);
      child.stdin.write(`${line}\n`);
    });
  await exchange(INITIALIZE, 1);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    messages: REMOTE_MESSAGES,
    pid: child.pid,
    echo: (n) => exchange(echo(n), 1),
    flood: () => exchange(flood(REMOTE_MESSAGES), REMOTE_MESSAGES + 1),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const ways = new Map<string, Way>([
  ['plain', plain],
  ['capture', await ourWay('--record', 'off')],
  ['recording', await ourWay()],
]);
if (!process.argv.includes('--no-peer')) ways.set('mcp-remote', await remoteWay());

/** Per way: messages per second, microseconds of CPU per message, and of each round trip. */
const figures = new Map(
  Array.from(ways.keys(), (name) => [name, { rates: [] as number[], cpu: [] as number[], trips: [] as number[] }]),
);
for (let round = 1; round <= ROUNDS; round++) {
  for (const [name, way] of ways) {
    const { rates, cpu, trips } = figures.get(name)!;
    trips.push(...(await roundTrips(ECHOES, (n) => way.echo(round * ECHOES + n))));
    const before = way.pid && cpuSecondsOf(way.pid);
    const begin = performance.now();
    await way.flood();
    rates.push(way.messages / ((performance.now() - begin) / 1000));
    const after = way.pid && cpuSecondsOf(way.pid);
    if (before !== undefined && after !== undefined) cpu.push(((after - before) / way.messages) * 1e6);
    const spent = cpu.length > 0 ? `  CPU ${cpu.at(-1)!.toFixed(2)} µs per message` : '';
    console.log(`round ${round}  ${name.padEnd(10)} ${(rates.at(-1)! / 1000).toFixed(0)} k/s${spent}`);
  }
}
const base = figures.get('plain')!;
for (const [name, { rates, cpu, trips }] of figures) {
  const percent = quantile(
    rates.map((rate, round) => (100 * rate) / base.rates[round]!),
    0.5,
  );
  const added = [0.5, 0.99].map((q) => (quantile(trips, q) - quantile(base.trips, q)).toFixed(0));
  const spent = cpu.length > 0 ? `  CPU ${quantile(cpu, 0.5).toFixed(2)} µs per message` : '';
  console.log(
    `${name.padEnd(10)} throughput ${percent.toFixed(0)} % of plain (target ≥ 50)${spent}  added round trip p50 ${added[0]} p99 ${added[1]} µs`,
  );
}

for (const way of ways.values()) await way.stop();
server.kill('SIGTERM');
await once(server, 'exit');
