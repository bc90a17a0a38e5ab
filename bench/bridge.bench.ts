/**
 * Cost of the bridge. Throughput: a server floods and a Node viewer counts, through mcp-inspect (which numbers,
 * timestamps and keeps frames) and through a bare `ws` bridge that forwards stdout chunks. Round trip: one echo at a
 * time, through mcp-inspect, through the bare bridge, and over a pipe.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import WebSocket from 'ws';
import { attached, flood, floodRequest, fromRoot, inspect, quantile, roundTrips } from './inspected';

const ROUNDS = 5;
const MESSAGES = 1_000_000;
const BYTES = 200;
const ECHOES = 1500;

const server = [process.execPath, fromRoot('bench/flood-server.mjs')];
const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n';
const echo = (n: number) => `{"jsonrpc":"2.0","id":"e${n}","method":"echo","params":{"n":${n}}}`;

/** Starts the baseline bridge and makes the handshake. */
async function bareBridge(): Promise<{ socket: WebSocket; close(): Promise<void> }> {
  const bridge = spawn(process.execPath, [fromRoot('bench/bare-bridge.mjs'), ...server], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(bridge.stdout!, 'data');
  const socket = new WebSocket(`ws://127.0.0.1:${String(port).trim()}`, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(initialize);
  await once(socket, 'message');
  return {
    socket,
    async close() {
      socket.close();
      await once(bridge, 'exit');
    },
  };
}

/** Messages per second through the bare bridge. */
async function bareThroughput(): Promise<number> {
  const { socket, close } = await bareBridge();
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
  const rate = MESSAGES / ((performance.now() - begin) / 1000);
  await close();
  return rate;
}

/** Messages per second through mcp-inspect to one viewer. */
async function ourThroughput(): Promise<number> {
  const inspected = await inspect(server);
  const rate = await flood(inspected, MESSAGES, BYTES);
  await inspected.stop();
  return rate;
}

async function pipeRoundTrips(): Promise<number[]> {
  const child = spawn(server[0]!, server.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(initialize);
  await once(child.stdout, 'data');
  const times = await roundTrips(ECHOES, (n) => {
    child.stdin.write(`${echo(n)}\n`);
    return once(child.stdout, 'data');
  });
  child.stdin.end();
  await once(child, 'exit');
  return times;
}

async function bareRoundTrips(): Promise<number[]> {
  const { socket, close } = await bareBridge();
  const times = await roundTrips(ECHOES, (n) => {
    socket.send(`${echo(n)}\n`);
    return once(socket, 'message');
  });
  await close();
  return times;
}

/** Microseconds from a viewer's command to the frame of the response. */
async function ourRoundTrips(): Promise<number[]> {
  const inspected = await inspect(server);
  const viewer = await attached(inspected);
  const times = await roundTrips(ECHOES, (n) => {
    const answer = `"id":"e${n}","result"`;
    return new Promise<void>((resolve) => {
      viewer.onFrames = (frames) => {
        if (frames.some(({ bytes }) => Buffer.from(bytes).includes(answer))) resolve();
      };
      viewer.send({ type: 'send-raw', ref: `e${n}`, connection: 'c1', text: echo(n), terminate: true });
    });
  });
  viewer.socket.close();
  await inspected.stop();
  return times;
}

const ratios: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const bare = await bareThroughput();
  const ours = await ourThroughput();
  ratios.push(ours / bare);
  const percent = ((100 * ours) / bare).toFixed(0);
  console.log(`throughput  bare ${(bare / 1000).toFixed(0)} k/s  ours ${(ours / 1000).toFixed(0)} k/s  ${percent} %`);
}
console.log(
  `throughput  median ratio ${(100 * quantile(ratios, 0.5)).toFixed(0)} % of the bare bridge (target ≥ 80 %)`,
);

const pipe = await pipeRoundTrips();
for (const [name, times] of [
  ['bare', await bareRoundTrips()],
  ['ours', await ourRoundTrips()],
] as const) {
  const added = quantile(times, 0.5) - quantile(pipe, 0.5);
  console.log(
    `round trip  pipe p50 ${quantile(pipe, 0.5).toFixed(0)} p99 ${quantile(pipe, 0.99).toFixed(0)} µs  ` +
      `${name} p50 ${quantile(times, 0.5).toFixed(0)} p99 ${quantile(times, 0.99).toFixed(0)} µs  ` +
      `added p50 ${added.toFixed(0)} µs (target ≤ 100)`,
  );
}
