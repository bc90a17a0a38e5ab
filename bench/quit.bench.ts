/**
 * Quitting: SIGTERM as soon as a viewer has received the last of a million lines, until the process has exited. Counts
 * the frames in the recording, which must be all that the viewer received. The baseline is quitting without a
 * recording. The bench fails if frames are missing, or above its target.
 */
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { flood, fromRoot, inspect, quantile } from './inspected';

const ROUNDS = 3;
const LINES = 1_000_000;
const BYTES = 200;
const TARGET_MS = 2000;

const server = [process.execPath, fromRoot('bench/flood-server.mjs')];

/** Returns the milliseconds from SIGTERM to the exit, and the frames of the recording. */
async function quit(...options: string[]): Promise<{ took: number; frames: number }> {
  const inspected = await inspect(server, options);
  await flood(inspected, LINES, BYTES);
  const begin = performance.now();
  await inspected.stop();
  const took = performance.now() - begin;
  if (options.length > 0) return { took, frames: 0 };
  const folder = join(inspected.home, 'recordings');
  return { took, frames: await framesIn(join(folder, readdirSync(folder).sort().at(-1)!)) };
}

/** Counts the frames of a recording, without our reader. */
async function framesIn(path: string): Promise<number> {
  let frames = 0;
  let ended = 0;
  let rest = '';
  for await (const chunk of createReadStream(path, 'latin1')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('{"n":')) frames++;
      else if (line.startsWith('{"k":"end"')) ended++;
    }
  }
  if (ended !== 1 || rest !== '')
    console.log(`  the recording has ${ended} end lines, and ${rest.length} bytes after them`);
  return frames;
}

const times: number[] = [];
let isWhole = true;
for (let round = 0; round < ROUNDS; round++) {
  const off = await quit('--record', 'off');
  const on = await quit();
  times.push(on.took);
  isWhole &&= on.frames >= LINES;
  console.log(
    `quit        without a recording ${off.took.toFixed(0)} ms, with one ${on.took.toFixed(0)} ms, ` +
      `${on.frames} frames on disk${on.frames >= LINES ? '' : ': FRAMES ARE MISSING'}`,
  );
}
const median = quantile(times, 0.5);
console.log(`quit        median ${median.toFixed(0)} ms (target ≤ ${TARGET_MS})`);
if (!isWhole || median > TARGET_MS) process.exitCode = 1;
