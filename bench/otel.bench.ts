/**
 * Measures what receiving OpenTelemetry adds to a round trip through the page's process, with a recording. Baselines,
 * in short alternation with ours: the same server whose SDK exports to a bare sink in another process, and a server
 * without an SDK and `--otel off`. `--rounds=N` sets the number of rounds. Fails above 5 %; on a busy machine, run it
 * at a high priority.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { attached, fromRoot, type Inspected, inspect, quantile, roundTrips, type ViewerSocket } from './inspected';

const ROUNDS = Number(process.argv.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 100);
/** The first third is a warm-up. */
const CALLS = 18;
const BAR = 1.05;

const modules = fromRoot('e2e/servers/node_modules/@opentelemetry');
const SDK = ['--import', `${modules}/auto-instrumentations-node/build/src/register.js`];
const SERVER = fromRoot('e2e/servers/otel-server.mjs');
const SINK =
  'const s=require("node:http").createServer((q,r)=>{q.resume();q.on("end",()=>{r.setHeader("Content-Type","application/x-protobuf");r.end()})}).listen(0,"127.0.0.1",()=>console.log(s.address().port))';

const sink = spawn(process.execPath, ['-e', SINK]);
const [port] = (await once(sink.stdout, 'data')) as [Buffer];
const toSink = [
  '--env',
  `OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:${String(port).trim()}`,
  '--env',
  'OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
  '--env',
  'OTEL_BSP_SCHEDULE_DELAY=500',
];
const quiet = ['--env', 'OTEL_NODE_RESOURCE_DETECTORS=none', '--env', 'OTEL_METRICS_EXPORTER=none'];

interface Candidate {
  readonly inspected: Inspected;
  readonly viewer: ViewerSocket;
  readonly times: number[];
  otelFrames: number;
}

async function candidate(options: readonly string[], server: readonly string[]): Promise<Candidate> {
  const inspected = await inspect([process.execPath, ...server], [...quiet, ...options]);
  return { inspected, viewer: await attached(inspected), times: [], otelFrames: 0 };
}

const candidates = {
  'sdk, to a bare sink': await candidate(toSink, [...SDK, SERVER]),
  'sdk, received': await candidate([], [...SDK, SERVER]),
  'no sdk, --otel off': await candidate(['--otel', 'off'], [SERVER]),
  'no sdk': await candidate([], [SERVER]),
};

let ref = 0;
/** Calls the tool and resolves with the response. */
function call(one: Candidate, n: number): Promise<void> {
  return new Promise((resolve) => {
    one.viewer.onFrames = (frames) => {
      one.otelFrames += frames.filter(({ channel }) => channel === 'otel').length;
      if (frames.some(({ channel, direction }) => channel === 'protocol' && direction === 'to-client')) resolve();
    };
    const params = `{"name":"add","arguments":{"a":${n},"b":1}}`;
    one.viewer.send({ type: 'request', ref: `b${++ref}`, connection: 'c1', method: 'tools/call', params });
  });
}

for (let round = 0; round < ROUNDS; round++) {
  const order = Object.values(candidates);
  // Each comes equally often after each other one.
  if (round % 2 === 1) order.reverse();
  order.push(...order.splice(0, (round >> 1) % order.length));
  for (const one of order) {
    one.times.push(...(await roundTrips(CALLS, (n) => call(one, n))));
  }
}

const median = (name: keyof typeof candidates): number => quantile(candidates[name].times, 0.5);
const compare = (ours: keyof typeof candidates, baseline: keyof typeof candidates): void => {
  const ratio = median(ours) / median(baseline);
  console.log(
    `otel        ${ours} ${median(ours).toFixed(0)} µs  ${baseline} ${median(baseline).toFixed(0)} µs  ` +
      `ratio ${ratio.toFixed(3)} (bar ${BAR})`,
  );
  if (ratio > BAR) process.exitCode = 1;
};
compare('sdk, received', 'sdk, to a bare sink');
compare('no sdk', 'no sdk, --otel off');
console.log(
  `otel        frames of channel otel seen: ${candidates['sdk, received'].otelFrames}; load ${loadavg()[0]!.toFixed(1)}`,
);
for (const { viewer, inspected } of Object.values(candidates)) {
  viewer.socket.close();
  await inspected.stop();
}
sink.kill();
