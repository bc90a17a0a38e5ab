/**
 * Cost of recording: the same flood with and without it, alternating. It sends a flood of small messages, and one of
 * large messages that all contain the same long string. The file lags behind in a flood, so this also prints its size
 * when the last message has arrived and at the end. CPU seconds are printed too, since they depend less on the load of
 * the machine.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { flood, fromRoot, inspect, quantile } from './inspected';

/** Kinds of floods: rounds, messages per round, and bytes per message. */
const FLOODS = [
  { rounds: 5, messages: 1_000_000, bytes: 200 },
  { rounds: 5, messages: 200, bytes: 1_000_000 },
] as const;

type Flood = (typeof FLOODS)[number];

const server = [process.execPath, fromRoot('bench/flood-server.mjs')];

interface Flooded {
  /** Messages per second to one viewer. */
  readonly rate: number;
  /** CPU seconds; undefined if the system has no /proc. */
  readonly seconds: number | undefined;
}

async function flooded({ messages, bytes }: Flood, ...options: string[]): Promise<Flooded> {
  const inspected = await inspect(server, options);
  const before = inspected.cpuSeconds;
  const rate = await flood(inspected, messages, bytes);
  const after = inspected.cpuSeconds;
  const written = () => {
    const folder = join(inspected.home, 'recordings');
    // File names start with the time, so the last one is the newest.
    return (statSync(join(folder, readdirSync(folder).sort().at(-1)!)).size / 1024 / 1024).toFixed(0);
  };
  const recorded = options.length === 0 ? written() : undefined;
  await inspected.stop();
  if (recorded) console.log(`  file at the end of the flood: ${recorded} MiB, complete: ${written()} MiB`);
  return { rate, seconds: before === undefined || after === undefined ? undefined : after - before };
}

const seconds = (one: Flooded) => (one.seconds === undefined ? '' : ` (${one.seconds.toFixed(2)} s of CPU)`);

for (const kind of FLOODS) {
  console.log(`${kind.messages} messages of ${kind.bytes} bytes`);
  const ratios: number[] = [];
  for (let round = 0; round < kind.rounds; round++) {
    const off = await flooded(kind, '--record', 'off');
    const on = await flooded(kind);
    const ratio = on.rate / off.rate;
    ratios.push(ratio);
    console.log(
      `throughput  off ${off.rate.toFixed(0)}/s${seconds(off)}  on ${on.rate.toFixed(0)}/s${seconds(on)}  ${(100 * ratio).toFixed(0)} %`,
    );
  }
  console.log(`throughput  median ratio ${(100 * quantile(ratios, 0.5)).toFixed(0)} % (target ≥ 90 %)`);
}
