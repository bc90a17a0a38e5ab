/**
 * What recording costs: the same flood through ours with and without it, by turns. The recording follows behind in a flood, so
 * besides the rate it says how far behind the file was when the last message had arrived.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { flood, fromRoot, inspect, quantile } from './inspected';

const ROUNDS = 5;
const MESSAGES = 1_000_000;
const BYTES = 200;

const server = [process.execPath, fromRoot('bench/flood-server.mjs')];

/** Messages a second to one viewer. */
async function throughput(...options: string[]): Promise<number> {
  const inspected = await inspect(server, options);
  const rate = await flood(inspected, MESSAGES, BYTES);
  if (options.length === 0) {
    const folder = join(inspected.home, 'recordings');
    // The name begins with the time.
    const written = statSync(join(folder, readdirSync(folder).sort().at(-1)!)).size;
    console.log(`  in the file when the flood was over: ${(written / 1024 / 1024).toFixed(0)} MiB`);
  }
  await inspected.stop();
  return rate;
}

const ratios: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const off = await throughput('--no-record');
  const on = await throughput();
  ratios.push(on / off);
  console.log(
    `throughput  off ${(off / 1000).toFixed(0)} k/s  on ${(on / 1000).toFixed(0)} k/s  ${((100 * on) / off).toFixed(0)} %`,
  );
}
console.log(`throughput  median ratio ${(100 * quantile(ratios, 0.5)).toFixed(0)} % (target ≥ 90 %)`);
