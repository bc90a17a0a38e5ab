/**
 * Long recordings on the command line: 1,000,000 frames, read by their index. Prints time, CPU and memory of the first
 * answer of `replay`, of `share --frames 1-100`, of `test` and `test --minimise` with a server that answers as
 * recorded, of `diff` with itself (as many frames, half of them calls) and of `search`, and what `--record` costs a
 * command. The baseline, in the same run, is Node parsing the lines. `--frames=N` sets another length. Exits with 1
 * beyond a target.
 */
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { costOf, printCost } from './command-cost';
import { fromRoot, quantile } from './inspected';
import { writeLongRecording } from './long-recording';

const FRAMES = Number(process.argv.find((word) => /^--frames=\d+$/.test(word))?.slice('--frames='.length) ?? 1_000_000);
const home = process.env.MCP_INSPECT_HOME!;
const file = join(home, 'long.mcpr.jsonl');
/** Messages of the command that is recorded, and how often it runs. */
const [MESSAGES, ROUNDS] = [200_000, 5];

async function parseLines(): Promise<void> {
  const begin = performance.now();
  for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
  console.log(`${'parsing the lines alone'.padEnd(28)} ${((performance.now() - begin) / 1000).toFixed(2)} s`);
}

await writeLongRecording(file, FRAMES);
await parseLines();
const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}';
printCost('replay, first answer', await costOf(['replay', file], initialize), { seconds: 3, peak: 300 });
const part = join(home, 'part.mcpr.jsonl');
printCost('share --frames 1-100', await costOf(['share', file, '--frames', '1-100', '--out', part]), { seconds: 2 });
const answering = ['--', process.execPath, fromRoot('bench/long-server.mjs'), '5'];
printCost('test', await costOf(['test', file, ...answering]), { peak: 500 });
// The server exits at the call after three quarters of the recording.
const dying = [...answering, String(Math.floor((FRAMES / 5) * 0.75))];
const minimised = join(home, 'min');
printCost('minimise', await costOf(['test', file, '--minimise', '--fail-on', 'exit', '--out', minimised, ...dying]), {
  peak: 500,
});
rmSync(file);
await writeLongRecording(file, FRAMES, 2);
printCost('diff of half as many calls', await costOf(['diff', file, file]), { peak: 500 });
printCost('search', await costOf(['search', 'tool:none', file]), { peak: 1000 });

const burst = `burst_${MESSAGES}`;
const server = ['--', process.execPath, fromRoot('bench/flood-server.mjs'), burst];
const recorded = join(home, 'recorded.mcpr.jsonl');
const ratios: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const off = await costOf(['call', burst, ...server]);
  const on = await costOf(['call', burst, '--record', recorded, ...server]);
  rmSync(recorded);
  ratios.push(on.seconds / off.seconds);
}
console.log(`--record, median ratio       ${quantile(ratios, 0.5).toFixed(2)} (target ≤ 1.3)`);
if (quantile(ratios, 0.5) > 1.3) process.exitCode = 1;
rmSync(file);
rmSync(part);
