/**
 * Cost of an HTTP tap between a host and a server at a URL, in alternation: the server alone, a bare reverse proxy of
 * Node, the tap without and with a recording. Round trip: one echo at a time on one socket. Concurrent: 200 clients.
 * Throughput: one event stream of many messages. Then 500 event streams that are idle for `--idle=SECONDS` (default
 * 600), each with one event at the end. Fails if a bar is missed. `--rounds=N` sets the number of rounds.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, get, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { fromRoot, quantile } from './inspected';

const flag = (name: string, usual: number): number =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? usual);
const ROUNDS = flag('rounds', 5);
const IDLE_S = flag('idle', 600);
const ECHOES = 1500;
const CLIENTS = 200;
const CALLS = 10;
const MESSAGES = 200_000;
const BYTES = 200;
const STREAMS = 500;
const ADDED_US = 300;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Starts a process that prints a port or a URL, and returns its URL. */
async function started(words: readonly string[]): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [printed] = await once(child.stdout!, 'data');
  const text = String(printed).trim();
  return { child, url: text.startsWith('http') ? text : `http://127.0.0.1:${text}/mcp` };
}

const tapOf = (url: string, ...options: readonly string[]) => [
  fromRoot('dist/cli.js'),
  'tap',
  '--http',
  url,
  ...options,
];

function post(url: string, agent: Agent, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('latin1');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve(text));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const echo = (n: number) => `{"jsonrpc":"2.0","id":"e${n}","method":"echo","params":{"n":${n}}}`;

async function roundTrip(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let n = 0; n < ECHOES; n++) {
    const begin = performance.now();
    await post(url, agent, echo(n));
    times.push((performance.now() - begin) * 1000);
  }
  agent.destroy();
  return quantile(
    times.slice(ECHOES / 4).sort((a, b) => a - b),
    0.5,
  );
}

/** Calls per second of many clients at a time. */
async function concurrent(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const begin = performance.now();
  const client = async (which: number): Promise<void> => {
    for (let n = 0; n < CALLS; n++) {
      const body = await post(url, agent, echo(which * CALLS + n));
      if (!body.includes(`"e${which * CALLS + n}"`)) throw new Error('A call got the answer of another one.');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, which) => client(which)));
  agent.destroy();
  return (CLIENTS * CALLS) / ((performance.now() - begin) / 1000);
}

/** Messages per second of one event stream. */
function flood(url: string): Promise<number> {
  const body = `{"jsonrpc":"2.0","id":"f","method":"flood","params":{"count":${MESSAGES},"size":${BYTES}}}`;
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(MESSAGES / ((performance.now() - begin) / 1000)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024;

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

say(`load ${loadavg()[0]!.toFixed(1)}`);
const server = await started([fromRoot('bench/http-server.mjs')]);
const ways = {
  nothing: { child: server.child, url: server.url },
  'bare proxy': await started([fromRoot('bench/bare-http-proxy.mjs'), server.url]),
  'tap, no recording': await started(tapOf(server.url, '--record', 'off')),
  tap: await started(tapOf(server.url)),
};
const results = new Map(
  Object.keys(ways).map((name) => [name, { trip: [] as number[], many: [] as number[], flood: [] as number[] }]),
);
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, { url }] of Object.entries(ways)) {
    const result = results.get(name)!;
    result.trip.push(await roundTrip(url));
    result.many.push(await concurrent(url));
    result.flood.push(await flood(url));
  }
}
for (const [name, { trip, many, flood: floods }] of results) {
  const added = median(trip) - median(results.get('nothing')!.trip);
  say(
    [
      name.padEnd(18),
      `p50 ${median(trip).toFixed(0)} µs (+${added.toFixed(0)})`,
      `${CLIENTS} at a time ${median(many).toFixed(0)}/s`,
      `stream ${(median(floods) / 1e3).toFixed(0)} k/s`,
      `memory ${memoryOf(ways[name as keyof typeof ways].child.pid!).toFixed(0)} MB`,
    ].join(' · '),
  );
}
const added = median(results.get('tap')!.trip) - median(results.get('nothing')!.trip);

/** Opens many event streams through a tap, waits, and counts those that get an event in the end. */
async function idleStreams(): Promise<{ readonly alive: number; readonly before: number; readonly after: number }> {
  const open: ServerResponse[] = [];
  const quiet = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    open.push(response);
  }).listen(0, '127.0.0.1');
  await once(quiet, 'listening');
  const { child, url } = await started(tapOf(`http://127.0.0.1:${(quiet.address() as AddressInfo).port}/mcp`));
  const before = memoryOf(child.pid!);
  let alive = 0;
  const ended: Promise<unknown>[] = [];
  for (let n = 0; n < STREAMS; n++) {
    const headers = { accept: 'text/event-stream', 'mcp-session-id': `session-${n}`, 'user-agent': 'bench' };
    const [answer] = await once(get(url, { headers, agent: new Agent() }), 'response');
    answer.once('data', () => alive++);
    ended.push(once(answer, 'end'));
  }
  await new Promise((resolve) => setTimeout(resolve, IDLE_S * 1000));
  const after = memoryOf(child.pid!);
  for (const response of open) response.end('data: {"jsonrpc":"2.0","method":"n"}\n\n');
  await Promise.all(ended);
  child.kill();
  await once(child, 'exit');
  quiet.close();
  return { alive, before, after };
}

const idle = await idleStreams();
say(
  `${STREAMS} idle streams for ${IDLE_S} s: ${idle.alive} alive, ${idle.before.toFixed(0)} → ${idle.after.toFixed(0)} MB`,
);
for (const { child } of Object.values(ways)) child.kill();
const bars = [
  { what: 'round trip, added (µs)', isMet: added <= ADDED_US },
  { what: 'idle streams', isMet: idle.alive === STREAMS },
];
for (const { what, isMet } of bars) say(`${isMet ? 'met   ' : 'MISSED'} ${what}`);
if (bars.some(({ isMet }) => !isMet)) process.exitCode = 1;
