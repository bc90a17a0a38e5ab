import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { killedFrame, seeded } from './fixtures/killed-frames';
import { RecordingAppender } from './recording-appender';

const ROOT = join(import.meta.dirname, '../..');
/** Processes at a time. */
const AT_ONCE = 4;
const NEVER = 2 ** 40;

let folder: string;
let writer: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  writer = join(folder, 'killed-writer.mjs');
  const entryPoints = [join(import.meta.dirname, 'fixtures/killed-writer.ts')];
  const alias = { '@': ROOT };
  await build({ entryPoints, outfile: writer, alias, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
});
const alive = new Set<ChildProcess>();
afterAll(() => {
  for (const child of alive) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A recording whose writer was killed. */
interface Killed {
  readonly path: string;
  readonly seed: number;
  /** Number of frames that the writer reported as written. */
  readonly said: number;
}

/**
 * Runs a writer until it is dead: after it wrote `bytes`, or once `enough` is true of the file's size and the number of
 * frames reported.
 */
async function killed(
  seed: number,
  what: 'frames' | 'notes',
  bytes: number,
  enough?: (size: number, said: number) => boolean,
): Promise<Killed> {
  const child = spawn(process.execPath, [writer, folder, `${seed}`, what, `${bytes}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  alive.add(child);
  let output = '';
  const lines = () => output.split('\n').slice(0, -1);
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const closed = once(child, 'close');
  let over = false;
  closed.then(() => {
    over = true;
    alive.delete(child);
  });
  while (enough && !over) {
    const [path, ...said] = lines();
    if (path !== undefined && enough(statSync(path, { throwIfNoEntry: false })?.size ?? 0, said.length))
      child.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const [, signal] = (await closed) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  const [path = '', ...said] = lines();
  return { path, seed, said: Number(said.at(-1) ?? 0) };
}

/** Expects every complete line as it was written. Returns the number of frames, and whether a line is torn. */
function checked({ path, seed, said }: Killed) {
  const bytes = readFileSync(path);
  const reader = new RecordingReader(runningSha256());
  const frames = reader.readChunk(bytes);
  const written = bytes.toString().split('\n');
  const torn = written.pop() !== '';
  expect(frames).toHaveLength(written.filter((line) => line.startsWith('{"n":')).length);
  for (const { seq, bytes: found } of frames)
    if (!killedFrame(seed, seq).bytes.equals(found)) expect.fail(`frame ${seq} of ${path} has other bytes`);
  expect(frames.length).toBeGreaterThanOrEqual(said);
  if (frames.length > 0) {
    expect(reader.finish()).toMatchObject({ torn, damaged: { count: 0 }, missing: 0, unknown: 0, changed: false });
  }
  return { frames: frames.length, torn };
}

/** Kills `count` writers, some at a time, and checks the file of each. Returns how many left a torn line. */
async function killAll(count: number, kill: (seed: number) => Promise<Killed>, ended: boolean): Promise<number> {
  let [next, torn] = [0, 0];
  const work = async () => {
    while (next < count) {
      const dead = await kill(++next);
      const found = checked(dead);
      if (found.torn) torn++;
      if (found.frames > 0) await expectGoesOn(dead, found.frames, ended);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return torn;
}

/** Expects that appending removes the torn line and nothing else. */
async function expectGoesOn({ path, seed, said }: Killed, frames: number, ended: boolean): Promise<void> {
  await new RecordingAppender(path).appendFrames([killedFrame(seed, frames + 1)]);
  expect(existsSync(`${path}.lock`)).toBe(false);
  expect(checked({ path, seed, said })).toEqual({ frames: frames + 1, torn: false });
  const reader = new RecordingReader();
  reader.readChunk(readFileSync(path));
  expect(reader.finish()).toMatchObject({ complete: ended, ended });
}

// With TEST_LONG two hundred processes keep every core busy for some seconds.
const TIMEOUT = 120_000;
/** Kills of each kind. */
const KILLS = process.env.TEST_LONG
  ? { inWrites: 130, outside: 30, inNotes: 30, afterNotes: 10 }
  : { inWrites: 3, outside: 3, inNotes: 3, afterNotes: 1 };

test(`keeps every line when killed ${KILLS.inWrites} times in the middle of a write, after any number of bytes`, {
  timeout: TIMEOUT,
}, async () => {
  const random = seeded(61);
  const kill = (seed: number) => killed(seed, 'frames', 1 + Math.floor(random() ** 2 * 400_000));
  const torn = await killAll(KILLS.inWrites, kill, false);
  expect(torn).toBeGreaterThan(KILLS.inWrites * (10 / 13));
});

test(`keeps every line when killed ${KILLS.outside} times from outside, at any moment`, {
  timeout: TIMEOUT,
}, async () => {
  const random = seeded(62);
  await killAll(
    KILLS.outside,
    (seed) => {
      const bytes = random() * 300_000;
      return killed(seed, 'frames', NEVER, (size) => size > bytes);
    },
    false,
  );
});

test(`keeps every line when killed ${KILLS.inNotes + KILLS.afterNotes} times while notes are added`, {
  timeout: TIMEOUT,
}, async () => {
  const random = seeded(63);
  const kill = (seed: number) => killed(seed, 'notes', 1 + Math.floor(random() * 150_000));
  const inside = await killAll(KILLS.inNotes, kill, true);
  expect(inside).toBeGreaterThan(KILLS.inNotes / 2);
  await killAll(
    KILLS.afterNotes,
    (seed) => {
      const notes = Math.floor(random() * 12);
      return killed(seed, 'notes', NEVER, (_, said) => said > notes);
    },
    true,
  );
});
