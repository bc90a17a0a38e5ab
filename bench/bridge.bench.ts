/**
 * Cost of the bridge between a server and a page, in alternation: a bare `ws` bridge that forwards stdout chunks;
 * mcp-inspect, which numbers, times and keeps frames, without and with a recording; and the official inspector, which
 * parses each message and sends it as an event. Throughput: a server floods and a Node viewer counts. Round trip: one
 * echo at a time, less the time over a pipe. CPU is that of all threads of the bridge's process, and depends less on
 * the load of the machine. Each measurement starts a new bridge, so the figures contain its warm-up.
 *
 * Viewers do the same for both: in a flood they count, and for an echo they search each message for the answer. (The
 * viewer of mcp-inspect reads the batch's header in a flood.) What a page does with a message is measured by `page`.
 *
 * `--rounds=N` sets the number of rounds, `--trips` leaves the floods out. The official inspector is installed first;
 * `--no-peer` leaves it out.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import WebSocket from 'ws';
import {
  attached,
  cpuSecondsOf,
  floodAttached,
  floodRequest,
  fromRoot,
  inspect,
  quantile,
  roundTrips,
} from './inspected';
import { officialBridge } from './official-bridge';

const ROUNDS = Number(process.argv.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 5);
const TRIPS_ONLY = process.argv.includes('--trips');
const MESSAGES = 1_000_000;
/** Fewer for the official inspector, which takes about 20 times as long. */
const OFFICIAL_MESSAGES = 50_000;
const BYTES = 200;
const ECHOES = 600;

const server = [process.execPath, fromRoot('bench/flood-server.mjs')];
const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n';
const echo = (n: number) => `{"jsonrpc":"2.0","id":"e${n}","method":"echo","params":{"n":${n}}}`;

/** Sends a message for each echo, made before, and resolves with its answer. */
class Echoes {
  readonly #send: (text: string) => void;
  readonly #texts: readonly string[];
  readonly #answers = Array.from({ length: ECHOES }, (_, n) => `"id":"e${n}","result"`);
  #answer = '';
  #resolve = () => {};

  constructor(send: (text: string) => void, textOf: (n: number) => string) {
    this.#send = send;
    this.#texts = Array.from({ length: ECHOES }, (_, n) => textOf(n));
  }

  ask(n: number): Promise<void> {
    this.#answer = this.#answers[n]!;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#send(this.#texts[n]!);
    });
  }

  readonly onMessage = (data: Buffer): void => {
    if (data.includes(this.#answer)) this.#resolve();
  };
}

/** A running bridge with one viewer. */
interface Bridge {
  readonly process: ChildProcess;
  /** Messages of a flood. */
  readonly messages: number;
  /** Sends echo `n` and resolves with its answer. */
  echo(n: number): Promise<unknown>;
  /** Floods the viewer and resolves with the messages per second that it received. */
  flood(): Promise<number>;
  stop(): Promise<void>;
}

async function bareBridge(): Promise<Bridge> {
  const bridge = spawn(process.execPath, [fromRoot('bench/bare-bridge.mjs'), ...server], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(bridge.stdout!, 'data');
  const socket = new WebSocket(`ws://127.0.0.1:${String(port).trim()}`, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(initialize);
  await once(socket, 'message');
  const echoes = new Echoes(
    (text) => socket.send(text),
    (n) => `${echo(n)}\n`,
  );
  socket.on('message', echoes.onMessage);
  return {
    process: bridge,
    messages: MESSAGES,
    echo: (n) => echoes.ask(n),
    async flood() {
      socket.off('message', echoes.onMessage);
      let lines = 0;
      const all = new Promise<void>((resolve) => {
        socket.on('message', (data: Buffer) => {
          for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) lines++;
          if (lines > MESSAGES) resolve();
        });
      });
      const begin = performance.now();
      socket.send(`${floodRequest(MESSAGES, BYTES)}\n`);
      await all;
      return MESSAGES / ((performance.now() - begin) / 1000);
    },
    async stop() {
      socket.close();
      await once(bridge, 'exit');
    },
  };
}

async function ourBridge(...options: string[]): Promise<Bridge> {
  const inspected = await inspect(server, options);
  const viewer = await attached(inspected);
  const echoes = new Echoes(
    (text) => viewer.socket.send(text),
    (n) => JSON.stringify({ type: 'send-raw', ref: `r${n}`, connection: 'c1', text: echo(n), terminate: true }),
  );
  viewer.onMessage = echoes.onMessage;
  return {
    process: inspected.process,
    messages: MESSAGES,
    echo: (n) => echoes.ask(n),
    flood() {
      viewer.onMessage = undefined;
      return floodAttached(viewer, MESSAGES, BYTES);
    },
    async stop() {
      viewer.socket.close();
      await inspected.stop();
    },
  };
}

async function peerBridge(): Promise<Bridge> {
  const bridge = await officialBridge(server, initialize);
  return {
    process: bridge.process,
    messages: OFFICIAL_MESSAGES,
    echo: (n) => bridge.exchange(echo(n), 1),
    async flood() {
      const begin = performance.now();
      await bridge.exchange(floodRequest(OFFICIAL_MESSAGES, BYTES), 0.99 * OFFICIAL_MESSAGES);
      return OFFICIAL_MESSAGES / ((performance.now() - begin) / 1000);
    },
    stop: () => bridge.stop(),
  };
}

async function pipeRoundTrips(): Promise<number[]> {
  const child = spawn(server[0]!, server.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(initialize);
  await once(child.stdout, 'data');
  const echoes = new Echoes(
    (text) => child.stdin.write(text),
    (n) => `${echo(n)}\n`,
  );
  child.stdout.on('data', echoes.onMessage);
  const times = await roundTrips(ECHOES, (n) => echoes.ask(n));
  child.stdin.end();
  await once(child, 'exit');
  return times;
}

interface Figures {
  /** Messages per second. */
  readonly rate: number;
  /** Microseconds of CPU per message and per round trip; undefined if the system has no /proc. */
  readonly cpu: number | undefined;
  readonly tripCpu: number | undefined;
  /** Microseconds per round trip. */
  readonly p50: number;
  readonly p99: number;
}

async function measure(start: () => Promise<Bridge>): Promise<Figures> {
  const bridge = await start();
  const begun = cpuSecondsOf(bridge.process.pid!);
  const times = await roundTrips(ECHOES, (n) => bridge.echo(n));
  const before = cpuSecondsOf(bridge.process.pid!);
  const rate = TRIPS_ONLY ? Number.NaN : await bridge.flood();
  const after = cpuSecondsOf(bridge.process.pid!);
  await bridge.stop();
  const each = (from: number | undefined, to: number | undefined, count: number) =>
    from === undefined || to === undefined ? undefined : ((to - from) / count) * 1e6;
  return {
    rate,
    cpu: each(before, after, bridge.messages),
    tripCpu: each(begun, before, ECHOES),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

const BRIDGES: Readonly<Record<string, () => Promise<Bridge>>> = {
  bare: bareBridge,
  capture: () => ourBridge('--record', 'off'),
  recording: () => ourBridge(),
  ...(!process.argv.includes('--no-peer') && { official: peerBridge }),
};

const describe = (name: string, { rate, cpu, tripCpu, p50, p99 }: Figures) =>
  `${name.padEnd(10)} ${(rate / 1000).toFixed(0).padStart(4)} k/s  CPU ${cpu?.toFixed(2) ?? '?'} µs per message  ` +
  `round trip p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)} µs, CPU ${tripCpu?.toFixed(0) ?? '?'} µs`;

const all = new Map(Object.keys(BRIDGES).map((name) => [name, [] as Figures[]]));
const pipe: number[] = [];
for (let round = 1; round <= ROUNDS; round++) {
  pipe.push(...(await pipeRoundTrips()));
  for (const [name, start] of Object.entries(BRIDGES)) {
    const figures = await measure(start);
    all.get(name)!.push(figures);
    console.log(`round ${round}  load ${loadavg()[0]!.toFixed(1)}  ${describe(name, figures)}`);
  }
}

const [pipeHalf, pipeLate] = [quantile(pipe, 0.5), quantile(pipe, 0.99)];
const bare = all.get('bare')!;
for (const [name, figures] of all) {
  const median = (of: (one: Figures, round: number) => number) => quantile(figures.map(of), 0.5);
  const percent = median(({ rate }, round) => (100 * rate) / bare[round]!.rate);
  const cpu = median((one) => one.cpu ?? Number.NaN);
  const tripCpu = median((one) => one.tripCpu ?? Number.NaN);
  console.log(
    `${name.padEnd(10)} throughput ${percent.toFixed(0)} % of bare (target ≥ 90)  CPU ${cpu.toFixed(2)} µs per message  ` +
      `added round trip p50 ${(median(({ p50 }) => p50) - pipeHalf).toFixed(0)} ` +
      `p99 ${(median(({ p99 }) => p99) - pipeLate).toFixed(0)} µs (target ≤ 1.3 times bare), ` +
      `CPU ${tripCpu.toFixed(0)} µs`,
  );
}
