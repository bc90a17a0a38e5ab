/**
 * Cost of `--otel export` on the wire, with receivers that work, are slow, are down, or answer nonsense, each beside no
 * export, in alternation. Round trips: one echo at a time, through a tap and by `call --times`. Also how long the end
 * takes. `--rounds=N` sets the number of rounds. On a busy machine the figures of one round mean little.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { loadavg } from 'node:os';
import { fromRoot, quantile } from './inspected';

const ROUNDS = Number(process.argv.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 5);
const ECHOES = 1000;
const CALLS = 200;
/** How long a slow receiver takes, in ms. */
const SLOW_MS = 3000;

const cli = fromRoot('dist/cli.js');
const flooder = [process.execPath, fromRoot('bench/flood-server.mjs')];
const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n';

async function portOf(server: Server | ReturnType<typeof createHttpServer>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let spans = 0;
const works = createHttpServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    spans += text.split('"spanId"').length - 1;
    response.end('{}');
  });
});
const slow = createHttpServer((request, response) => {
  request.resume();
  setTimeout(() => response.end('{}'), SLOW_MS).unref();
});
const nonsense = createServer((socket) => {
  socket.on('error', () => {});
  socket.end('\0\0 nonsense\r\n\r\n'.repeat(1000));
});
const gone = createServer();
const down = await portOf(gone);
gone.close();

const RECEIVERS: Readonly<Record<string, readonly string[]>> = {
  'no export': [],
  works: [`--otel=export=${await portOf(works)}`],
  slow: [`--otel=export=${await portOf(slow)}`],
  down: [`--otel=export=${down}`],
  nonsense: [`--otel=export=${await portOf(nonsense)}`],
};

interface Round {
  readonly us: readonly number[];
  readonly endMs: number;
}

async function throughTap(options: readonly string[]): Promise<Round> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [cli, 'tap', ...options, '--', ...flooder]);
  child.stderr.resume();
  child.stdin.write(initialize);
  await once(child.stdout, 'data');
  const us: number[] = [];
  for (let n = 0; n < ECHOES; n++) {
    const begin = performance.now();
    child.stdin.write(`{"jsonrpc":"2.0","id":"e${n}","method":"echo","params":{"n":${n}}}\n`);
    await once(child.stdout, 'data');
    us.push((performance.now() - begin) * 1000);
  }
  const begin = performance.now();
  child.stdin.end();
  await once(child, 'exit');
  return { us: us.slice(ECHOES / 4), endMs: performance.now() - begin };
}

async function byCalls(options: readonly string[]): Promise<Round> {
  const words = ['call', 'echo', '--arg', 'text=hi', '--times', String(CALLS), ...options, '--demo'];
  const child = spawn(process.execPath, [cli, ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
  let [text, printedAt] = ['', 0];
  child.stdout.on('data', (chunk) => {
    text += chunk;
    printedAt = performance.now();
  });
  await once(child, 'exit');
  const endMs = performance.now() - printedAt;
  const us = text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { ms: number }).ms * 1000);
  return { us: us.slice(CALLS / 4), endMs };
}

for (const [what, run] of Object.entries({ 'echo through a tap': throughTap, 'call --times': byCalls })) {
  const all = new Map<string, Round[]>(Object.keys(RECEIVERS).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, options] of Object.entries(RECEIVERS)) all.get(name)!.push(await run(options));
  }
  console.log(`${what}: median of ${ROUNDS} rounds, load ${loadavg()[0]!.toFixed(1)}`);
  for (const [name, rounds] of all) {
    const at = (share: number) =>
      quantile(
        rounds.map(({ us }) => quantile([...us], share)),
        0.5,
      );
    const end = quantile(
      rounds.map(({ endMs }) => endMs),
      0.5,
    );
    console.log(
      `  ${name.padEnd(10)} p50 ${at(0.5).toFixed(0)} µs  p95 ${at(0.95).toFixed(0)} µs  end ${end.toFixed(0)} ms`,
    );
  }
}
console.log(`${spans} spans arrived at the receiver that works`);
process.exit(0);
