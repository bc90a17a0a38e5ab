/**
 * What our bridge costs. Throughput: a server floods, a Node viewer counts; ours (frames numbered, timed and kept) against a
 * bare `ws` bridge that sends each stdout chunk as it is. Round trip: one echo at a time, ours against a bare pipe.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import WebSocket from 'ws';
import { fromRoot, inspect, quantile } from './inspected';

const ROUNDS = 5;
const MESSAGES = 1_000_000;
const BYTES = 200;
const ECHOES = 1000;
/** A viewer may send so many commands in a burst, then has to pause: both sides alike. */
const BURST = 150;
const pace = (echo: number) => echo % BURST === 0 && new Promise((resolve) => setTimeout(resolve, 1000));
const server = [process.execPath, fromRoot('bench/flood-server.mjs')];
const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n';
const flood = `{"jsonrpc":"2.0","id":1,"method":"flood","params":{"count":${MESSAGES},"size":${BYTES}}}\n`;

/** Messages a second through the bare bridge. */
async function bareThroughput(): Promise<number> {
  const bridge = spawn(process.execPath, [fromRoot('bench/bare-bridge.mjs'), ...server], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(bridge.stdout!, 'data');
  const socket = new WebSocket(`ws://127.0.0.1:${String(port).trim()}`, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(initialize);
  await once(socket, 'message');
  const begin = performance.now();
  let lines = 0;
  const all = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) lines++;
      if (lines > MESSAGES) resolve();
    });
  });
  socket.send(flood);
  await all;
  const rate = MESSAGES / ((performance.now() - begin) / 1000);
  socket.close();
  await once(bridge, 'exit');
  return rate;
}

/** Messages a second through mcp-inspect to one viewer. */
async function ourThroughput(): Promise<number> {
  const inspected = await inspect(server);
  const viewer = await inspected.viewer();
  let frames = 0;
  const open = new Promise<void>((resolve) => {
    viewer.onFrames = (batch) => {
      if (batch.some((frame) => Buffer.from(frame.bytes).includes('"event":"open"'))) resolve();
    };
  });
  viewer.send({ type: 'attach', connection: 'c1', after: 0 });
  await open;
  const all = new Promise<void>((resolve) => {
    viewer.onBatch = ({ count }) => {
      frames += count;
      if (frames > MESSAGES) resolve();
    };
  });
  const begin = performance.now();
  viewer.send({
    type: 'send-raw',
    ref: 'flood',
    connection: 'c1',
    text: flood.trim().replace('"id":1', '"id":"flood"'),
    terminate: true,
  });
  await all;
  const rate = MESSAGES / ((performance.now() - begin) / 1000);
  viewer.socket.close();
  await inspected.stop();
  return rate;
}

/** Round trips over a bare pipe, in µs. */
async function pipeRoundTrips(): Promise<number[]> {
  const child = spawn(server[0]!, server.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(initialize);
  await once(child.stdout, 'data');
  const times: number[] = [];
  for (let i = 0; i < ECHOES; i++) {
    await pace(i);
    const begin = performance.now();
    child.stdin.write(`{"jsonrpc":"2.0","id":${i + 1},"method":"echo","params":{"n":${i}}}\n`);
    await once(child.stdout, 'data');
    times.push((performance.now() - begin) * 1000);
  }
  child.stdin.end();
  await once(child, 'exit');
  return times.slice(ECHOES / 10);
}

/** Round trips from a viewer's command to the answer's frame, in µs. */
async function ourRoundTrips(): Promise<number[]> {
  const inspected = await inspect(server);
  const viewer = await inspected.viewer();
  viewer.send({ type: 'attach', connection: 'c1', after: 0 });
  let onAnswer: (id: string) => void = () => {};
  const opened = new Promise<void>((resolve) => {
    viewer.onFrames = (batch) => {
      for (const frame of batch) {
        const text = Buffer.from(frame.bytes).toString();
        if (text.includes('"event":"open"')) resolve();
        const id = /^\{"jsonrpc":"2.0","id":"(e\d+)","result"/.exec(text)?.[1];
        if (id && frame.direction === 'to-client') onAnswer(id);
      }
    };
  });
  await opened;
  const times: number[] = [];
  for (let i = 0; i < ECHOES; i++) {
    await pace(i);
    const answered = new Promise<void>((resolve) => {
      onAnswer = (id) => {
        if (id === `e${i}`) resolve();
      };
    });
    const begin = performance.now();
    const text = `{"jsonrpc":"2.0","id":"e${i}","method":"echo","params":{"n":${i}}}`;
    viewer.send({ type: 'send-raw', ref: `e${i}`, connection: 'c1', text, terminate: true });
    await answered;
    times.push((performance.now() - begin) * 1000);
  }
  viewer.socket.close();
  await inspected.stop();
  return times.slice(ECHOES / 10);
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
const ours = await ourRoundTrips();
const added = quantile(ours, 0.5) - quantile(pipe, 0.5);
console.log(
  `round trip  pipe p50 ${quantile(pipe, 0.5).toFixed(0)} p99 ${quantile(pipe, 0.99).toFixed(0)} µs  ` +
    `ours p50 ${quantile(ours, 0.5).toFixed(0)} p99 ${quantile(ours, 0.99).toFixed(0)} µs  ` +
    `added p50 ${added.toFixed(0)} µs (target ≤ 100)`,
);
