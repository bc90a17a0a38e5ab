/**
 * Checks that no frame is lost: a viewer receives 1,000,000 frames while its socket is cut 20 times at random moments
 * and resumed by seq. Then measures the proxy's memory with a viewer that stops reading, against one that reads, in ten
 * rounds. It exits with 1 if the growth in one round exceeds the target.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame } from '@/lib/wire/frame';
import { fromRoot, type Inspected, inspect, quantile, type ViewerSocket } from './inspected';

const FRAMES = 1_000_000;
const DROPS = 20;
const ROUNDS = 10;
const TARGET_MIB = 8;
const MEMORY = join(process.env.MCP_INSPECT_HOME!, 'used');
const server = [process.execPath, fromRoot('bench/flood-server.mjs')];

const floodText = (count: number) =>
  JSON.stringify({ jsonrpc: '2.0', id: 'flood', method: 'flood', params: { count, size: 200 } });

/** Attaches after this seq and passes every batch to `isDone` until it returns true. */
function follow(viewer: ViewerSocket, after: number, isDone: (frames: Frame[]) => boolean): Promise<void> {
  return new Promise((resolve) => {
    viewer.onFrames = (frames) => {
      if (isDone(frames)) resolve();
    };
    viewer.send({ type: 'attach', connection: 'c1', after });
  });
}

async function untilOpen(inspected: Inspected): Promise<ViewerSocket> {
  const viewer = await inspected.viewer();
  await follow(viewer, 0, (frames) => frames.some(({ bytes }) => Buffer.from(bytes).includes('"event":"open"')));
  return viewer;
}

async function forcedDrops(): Promise<void> {
  const inspected = await inspect(server);
  // A viewer that attaches twice gets frames twice, so another one follows the flood.
  (await untilOpen(inspected)).socket.close();
  let viewer = await inspected.viewer();
  viewer.send({ type: 'send-raw', ref: 'f', connection: 'c1', text: floodText(FRAMES), terminate: true });
  let last = 0;
  let wrong = 0;
  let flooded = 0;
  let drops = 0;
  const done = () => flooded === FRAMES;
  const countUntil = (until: number) => (frames: Frame[]) => {
    for (const { seq, bytes } of frames) {
      if (seq !== last + 1) wrong++;
      last = seq;
      if (bytes.length === 200 - 1) flooded++;
    }
    return done() || last >= until;
  };
  while (!done()) {
    const until = drops < DROPS ? last + Math.ceil(Math.random() * (FRAMES / DROPS)) : Number.POSITIVE_INFINITY;
    await follow(viewer, last, countUntil(until));
    if (done()) break;
    viewer.onFrames = () => {};
    viewer.socket.terminate();
    drops++;
    viewer = await inspected.viewer();
  }
  viewer.socket.close();
  await inspected.stop();
  console.log(
    `resume      ${flooded} of ${FRAMES} frames after ${drops} forced drops, ${wrong} gaps or repeats (target 0)`,
  );
  if (flooded !== FRAMES || wrong > 0) process.exitCode = 1;
}

/** Returns what the process uses, in bytes, without garbage. */
async function usedBytes(pid: number): Promise<number> {
  rmSync(MEMORY, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(MEMORY)) await new Promise((resolve) => setTimeout(resolve, 5));
  return Number(readFileSync(MEMORY, 'utf8'));
}

/** Growth of the proxy's memory during a flood, with a viewer that reads or one that stopped reading: the median. */
async function growthUnderFlood(reads: boolean): Promise<number> {
  // A recording that falls behind holds memory of its own, which is not the viewer's.
  const inspected = await inspect(server, ['--record', 'off']);
  const pid = inspected.process.pid!;
  const watcher = await untilOpen(inspected);
  const viewer = await inspected.viewer();
  viewer.send({ type: 'attach', connection: 'c1', after: 0 });
  if (!reads) viewer.socket.pause();
  const before = await usedBytes(pid);
  let seen = 0;
  watcher.onFrames = (frames) => {
    seen += frames.length;
  };
  watcher.send({ type: 'send-raw', ref: 'f', connection: 'c1', text: floodText(FRAMES), terminate: true });
  const sizes: number[] = [];
  while (seen < FRAMES) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (seen > FRAMES / 2) sizes.push(await usedBytes(pid));
  }
  viewer.socket.terminate();
  watcher.socket.close();
  await inspected.stop();
  return quantile(sizes, 0.5) - before;
}

process.env.BENCH_MEMORY = MEMORY;
process.env.NODE_OPTIONS = `--import=${pathToFileURL(fromRoot('bench/memory-probe.mjs'))}`;
await forcedDrops();
const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
let most = 0;
for (let round = 0; round < ROUNDS; round++) {
  const reading = await growthUnderFlood(true);
  const stopped = await growthUnderFlood(false);
  console.log(
    `round ${round + 1}  proxy grew ${mib(reading)} MiB with a viewer that reads, ${mib(stopped)} MiB with one that stopped: ` +
      `${mib(stopped - reading)} MiB for stopping`,
  );
  most = Math.max(most, (stopped - reading) / 1024 / 1024);
}
console.log(`stopped     at most ${most.toFixed(1)} MiB (target ≤ ${TARGET_MIB})`);
if (most > TARGET_MIB) process.exitCode = 1;
