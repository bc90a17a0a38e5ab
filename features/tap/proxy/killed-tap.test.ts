import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '@/proxy/recorder/fixtures/killed-frames';
import { finished, type TestTaps, testTaps } from './test-tap';

/** Taps that are killed, a third of them in the first second. */
const KILLS = process.env.TEST_LONG ? 100 : 3;
/** A line that the host read so many ms before the kill is in the file. */
const PROMISE_MS = 100;
const CALL_MS = 5;

let taps: TestTaps;
beforeAll(async () => {
  taps = await testTaps();
}, 60_000);
afterAll(() => taps.remove());

const newest = (): string => taps.names().at(-1)!;

test('nothing passes before the recording has begun', async () => {
  const tap = taps.start([], ['cat']);
  const all = finished(tap);
  tap.stdin.write('{"id":1}\n');
  await once(tap.stdout, 'readable');
  const before = taps.read(newest()).frames.map(({ channel }) => channel);
  expect(before.slice(0, 2)).toEqual(['lifecycle', 'lifecycle']);
  tap.stdin.end();
  await all;
});

/** Kills a tap so many ms after the first answer. Returns what the host read in time and the recording lacks. */
async function lostAfter(ms: number): Promise<readonly string[]> {
  const tap = taps.start([], ['cat']);
  const read: { readonly line: string; readonly at: number }[] = [];
  tap.stdin.on('error', () => {});
  const lines = createInterface({ input: tap.stdout }).on('line', (line) => read.push({ line, at: performance.now() }));
  let n = 0;
  const calling = setInterval(() => tap.stdin.write(`{"jsonrpc":"2.0","id":${++n},"method":"ping"}\n`), CALL_MS);
  await once(lines, 'line');
  await new Promise((resolve) => setTimeout(resolve, ms));
  const killed = performance.now();
  tap.kill('SIGKILL');
  await once(tap, 'close');
  clearInterval(calling);
  const { frames, reader } = taps.read(newest());
  expect(reader.finish()).toMatchObject({ damaged: { count: 0 }, missing: 0 });
  const recorded = new Set(
    frames.filter(({ direction }) => direction === 'to-client').map(({ bytes }) => Buffer.from(bytes).toString()),
  );
  return read.filter(({ line, at }) => killed - at > PROMISE_MS && !recorded.has(line)).map(({ line }) => line);
}

test(`a tap that is killed ${KILLS} times has recorded what the host had read`, { timeout: 10 * 60_000 }, async () => {
  const random = seeded(64);
  for (let n = 0; n < KILLS; n++) expect(await lostAfter(random() * (n % 3 === 0 ? 1000 : 400))).toEqual([]);
});
