/**
 * What recording costs: the same flood through ours with and without it, by turns, of small messages, and of large ones that all have the
 * same long string. The recording follows behind in a flood, so besides the rate it says how far behind the file was when the last
 * message had arrived, and how large it is in the end; and what processor time ours took during the flood, on which it matters less what else the
 * machine does.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { flood, fromRoot, inspect, quantile } from './inspected';

/** How many floods of each, and of how many messages of how many bytes. */
const FLOODS = [
  { rounds: 5, messages: 1_000_000, bytes: 200 },
  { rounds: 5, messages: 200, bytes: 1_000_000 },
] as const;

type Flood = (typeof FLOODS)[number];

const server = [process.execPath, fromRoot('bench/flood-server.mjs')];

interface Flooded {
  /** Messages a second to one viewer. */
  readonly rate: number;
  /** Of processor time. */
  readonly seconds: number | undefined;
}

async function flooded({ messages, bytes }: Flood, ...options: string[]): Promise<Flooded> {
  const inspected = await inspect(server, options);
  const before = inspected.cpuSeconds;
  const rate = await flood(inspected, messages, bytes);
  const after = inspected.cpuSeconds;
  const written = () => {
    const folder = join(inspected.home, 'recordings');
    // The name begins with the time.
    return (statSync(join(folder, readdirSync(folder).sort().at(-1)!)).size / 1024 / 1024).toFixed(0);
  };
  const recorded = options.length === 0 ? written() : undefined;
  await inspected.stop();
  if (recorded)
    console.log(`  in the file when the flood was over: ${recorded} MiB, and when it was written: ${written()} MiB`);
  return { rate, seconds: before === undefined || after === undefined ? undefined : after - before };
}

const seconds = (one: Flooded) => (one.seconds === undefined ? '' : ` (${one.seconds.toFixed(2)} s of a processor)`);

for (const kind of FLOODS) {
  console.log(`${kind.messages} messages of ${kind.bytes} bytes`);
  const ratios: number[] = [];
  for (let round = 0; round < kind.rounds; round++) {
    const off = await flooded(kind, '--no-record');
    const on = await flooded(kind);
    const ratio = on.rate / off.rate;
    ratios.push(ratio);
    console.log(
      `throughput  off ${off.rate.toFixed(0)}/s${seconds(off)}  on ${on.rate.toFixed(0)}/s${seconds(on)}  ${(100 * ratio).toFixed(0)} %`,
    );
  }
  console.log(`throughput  median ratio ${(100 * quantile(ratios, 0.5)).toFixed(0)} % (target ≥ 90 %)`);
}
