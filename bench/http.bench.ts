/**
 * Cost of the HTTP path: the built mcp-inspect between a viewer and a server at a URL, against a plain client, Node's
 * fetch (undici), that reads the same responses. Round trip: one echo at a time. Throughput: one event stream of many
 * messages. The plain client only counts the ends of events; mcp-inspect makes frames of the messages and of each
 * event's id and type.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fromRoot, inspect, quantile, roundTrips } from './inspected';

const ROUNDS = 5;
const MESSAGES = 200_000;
const BYTES = 200;
const ECHOES = 1200;

const flood = `{"jsonrpc":"2.0","id":"flood","method":"flood","params":{"count":${MESSAGES},"size":${BYTES}}}`;
const echo = (n: number) => `{"jsonrpc":"2.0","id":"e${n}","method":"echo","params":{"n":${n}}}`;
const END = Buffer.from('\n\n');

async function startServer(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [fromRoot('bench/http-server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout!, 'data');
  return { child, url: `http://127.0.0.1:${String(port).trim()}/mcp` };
}

const { child: server, url } = await startServer();
const inspected = await inspect([url]);
const viewer = await inspected.viewer();
await new Promise<void>((resolve) => {
  viewer.onFrames = (frames) => {
    if (frames.some(({ bytes }) => Buffer.from(bytes).includes('"event":"open"'))) resolve();
  };
  viewer.send({ type: 'attach', connection: 'c1', after: 0 });
});

/** Sends a request as any client does. */
function post(body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return fetch(url, { method: 'POST', headers, body });
}

/** Messages per second of the plain client. */
async function plainThroughput(): Promise<number> {
  const begin = performance.now();
  let events = 0;
  for await (const chunk of (await post(flood)).body!) {
    const bytes = Buffer.from(chunk);
    for (let at = bytes.indexOf(END); at !== -1; at = bytes.indexOf(END, at + END.length)) events++;
  }
  // It misses an end that is split between two chunks: a few in a hundred thousand.
  if (events < 0.99 * MESSAGES) throw new Error(`The plain client saw ${events} events.`);
  return MESSAGES / ((performance.now() - begin) / 1000);
}

/** Messages per second through mcp-inspect to one viewer. Each has two frames: the event's and the message's. */
async function ourThroughput(): Promise<number> {
  let frames = 0;
  const all = new Promise<void>((resolve) => {
    viewer.onBatch = ({ count }) => {
      frames += count;
      if (frames > 2 * MESSAGES) resolve();
    };
  });
  const begin = performance.now();
  viewer.send({ type: 'send-raw', ref: 'flood', connection: 'c1', text: flood, terminate: true });
  await all;
  viewer.onBatch = undefined;
  return MESSAGES / ((performance.now() - begin) / 1000);
}

const plain = await roundTrips(ECHOES, async (n) => (await post(echo(n))).text());
const ours = await roundTrips(ECHOES, (n) => {
  const answer = `"id":"e${n}","result"`;
  return new Promise<void>((resolve) => {
    viewer.onFrames = (frames) => {
      if (frames.some(({ bytes }) => Buffer.from(bytes).includes(answer))) resolve();
    };
    viewer.send({ type: 'send-raw', ref: `e${n}`, connection: 'c1', text: echo(n), terminate: true });
  });
});
const [plainHalf, ourHalf] = [quantile(plain, 0.5), quantile(ours, 0.5)];
console.log(
  `round trip  plain p50 ${plainHalf.toFixed(0)} p99 ${quantile(plain, 0.99).toFixed(0)} µs  ` +
    `ours p50 ${ourHalf.toFixed(0)} p99 ${quantile(ours, 0.99).toFixed(0)} µs  added p50 ${(ourHalf - plainHalf).toFixed(0)} µs`,
);

const ratios: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const [bare, through] = [await plainThroughput(), await ourThroughput()];
  ratios.push(through / bare);
  const percent = ((100 * through) / bare).toFixed(0);
  console.log(
    `throughput  plain ${(bare / 1000).toFixed(0)} k/s  ours ${(through / 1000).toFixed(0)} k/s  ${percent} %`,
  );
}
console.log(`throughput  median ratio ${(100 * quantile(ratios, 0.5)).toFixed(0)} % of the plain client`);

viewer.socket.close();
await inspected.stop();
server.kill('SIGTERM');
await once(server, 'exit');
