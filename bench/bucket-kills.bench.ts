// Uploads with the built program: what a push costs in requests and bytes, and that one that is killed at a random
// moment loses nothing and leaves nothing half visible. `--kills=N` (default 100), `--seed=N`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestBucket } from '@/features/team/proxy/bucket/test-bucket';
import { objectsIn, requireWhole } from '@/features/team/proxy/bucket/test-objects';
import { writeRecording } from '@/features/team/proxy/push/test-recording';

declare const ROOT: string;

const flag = (name: string, otherwise: number): number =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const [kills, seed] = [flag('kills', 100), flag('seed', 1)];

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-bucket-kills-'));
const bucket = await startTestBucket(join(ROOT, 'features/team/proxy/bucket/fixtures/s3-server.mjs'));
const outbox = join(folder, 'home/outbox');

function push(...words: string[]) {
  return spawn(process.execPath, [join(ROOT, 'dist/cli.js'), 'recordings', 'push', ...words], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, ...bucket.env, HOME: folder, MCP_INSPECT_HOME: join(folder, 'home') },
  });
}

async function timed(...words: string[]): Promise<{ ms: number; code: number | null }> {
  const began = performance.now();
  const [code] = (await once(push(...words), 'exit')) as [number | null];
  return { ms: performance.now() - began, code };
}

console.log('| recording | requests | bytes sent | time |');
console.log('|---|---|---|---|');
const sizes: readonly (readonly [string, number, number])[] = [
  ['20 frames', 20, 300],
  ['1,000 frames', 1000, 1000],
  ['10,000 frames', 10_000, 1000],
  ['180 frames of 100 KB', 180, 100_000],
];
for (const [name, frames, bytes] of sizes) {
  const file = join(folder, `${frames}.mcpr.jsonl`);
  writeRecording(file, frames, bytes);
  bucket.seen.length = 0;
  const { ms, code } = await timed(file, 's3://team/cost');
  if (code !== 0) throw new Error(`push ended with ${code}`);
  const sent = bucket.seen.reduce((sum, { bytes: body }) => sum + body, 0);
  const kinds = bucket.seen.map(({ method }) => method).join(' ');
  console.log(
    `| ${name}, ${statSync(file).size} bytes | ${bucket.seen.length} (${kinds}) | ${sent} | ${Math.round(ms)} ms |`,
  );
}

/** A small generator of random numbers from 0 to 1 (mulberry32), so that a run can be repeated. */
let state = seed;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

const file = join(folder, '180.mcpr.jsonl');
const whole = await timed(file, 's3://team/whole');
let killed = 0;
let uploads = 0;
for (let words = [file, `s3://team/kill-${uploads}`]; killed < kills; ) {
  const child = push(...words);
  const timer = setTimeout(() => child.kill('SIGKILL'), random() * whole.ms * 1.05);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  const prefix = `kill-${uploads}`;
  const { recordings, summaries } = await requireWhole(bucket, prefix);
  if (code === null) killed++;
  const waits = readdirSync(outbox, { encoding: 'utf8' }).some((name) => /^\d.*\.json$/.test(name));
  // Killed before the entry was written: the person sees that nothing was pushed, and pushes again.
  if (!waits && summaries === 0) continue;
  if (!waits && recordings === 1 && summaries === 1) {
    words = [file, `s3://team/kill-${++uploads}`];
    continue;
  }
  if (!waits) throw new Error(`lost at kill ${killed} of ${prefix}: ${recordings} and ${summaries}`);
  words = [];
}
const { code } = await timed();
if (code !== 0) throw new Error(`the last push ended with ${code}`);
for (let index = 0; index <= uploads; index++) {
  const { recordings, summaries } = await requireWhole(bucket, `kill-${index}`);
  if (index < uploads && (recordings !== 1 || summaries !== 1)) throw new Error(`kill-${index} is incomplete`);
}
const all = [...(await objectsIn(bucket)).keys()].filter((key) => key.startsWith('kill-')).length;
console.log(`\n${killed} kills in ${uploads + 1} uploads of 18 MB: ${all} objects, all whole; nothing lost.`);
await bucket.close();
rmSync(folder, { recursive: true, force: true });
