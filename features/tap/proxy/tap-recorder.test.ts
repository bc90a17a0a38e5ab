import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { nextTask } from '@/lib/wire/in-slices';
import { Gaps } from './gaps';
import type { Passed } from './ring';
import { TapRecorder } from './tap-recorder';

const SECRET = 'Zebra7Quilt9Moon';

let folder: string;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A recorder of a session, and what it wrote, file by file. */
function setUp(args: readonly string[] = [], mostBytes = 1_000_000) {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-tap-'));
  const session = { version: '0.0.0', folder, command: 'server', args, cwd: '/', environment: {}, session: 'a' };
  const at = new Date().toISOString();
  const failures: string[] = [];
  const recorder = new TapRecorder({ ...session, at, mostBytes, mostMs: 1e9 }, (sentence) => failures.push(sentence));
  return {
    recorder,
    pass: (stream: Passed, text: string) => recorder.onPassed(stream, 1, Buffer.from(text), nextTask),
    async end() {
      await recorder.end({ time: 2, missed: [], events: [] });
      expect(failures).toEqual([]);
      const files = readdirSync(folder).map((name) =>
        new RecordingReader().readChunk(readFileSync(join(folder, name))).map((frame) => ({
          ...frame,
          text: Buffer.from(frame.bytes).toString(),
        })),
      );
      const partOf = (text = '') => /"part":(\d+)/.exec(text)?.[1];
      return files.sort((a, b) => Number(partOf(a[0]?.text)) - Number(partOf(b[0]?.text)));
    },
  };
}

test('a value found in one file is masked in the next', async () => {
  const { pass, end } = setUp([], 1000);
  await pass('stdout', `{"password":"${SECRET}"}\n`);
  for (let n = 0; n < 100; n++) await pass('stdout', `{"n":${n},"t":"${SECRET}"}\n`);
  const files = await end();
  expect(files.length).toBeGreaterThan(2);
  expect(JSON.stringify(files)).not.toContain(SECRET);
});

test('a value is masked that is cut by the end of a file', async () => {
  const { pass, end } = setUp(['--api-key', SECRET], 69_000);
  // Stderr is cut after 64 KiB, in the middle of the value.
  await pass('stdout', `${'x'.repeat(4_000)}\n`);
  await pass('stderr', `${'y'.repeat(65_536 - 9)}${SECRET} z${'z'.repeat(100)}\n`);
  await pass('stdout', '{}\n');
  const files = await end();
  const pieces = files.map((frames) => frames.filter(({ channel }) => channel === 'stderr').map(({ text }) => text));
  expect(pieces.map(({ length }) => length)).toEqual([1, 1]);
  expect(pieces[0]![0]!.endsWith(SECRET.slice(0, 9))).toBe(false);
  expect(pieces[1]![0]).not.toContain(SECRET.slice(9));
});

test('a gap ends a message of its own stream only, and what is left of it is dropped', async () => {
  const { recorder, pass, end } = setUp();
  const gaps = new Gaps();
  await pass('stdin', '{"id":1,"whole":');
  await pass('stdout', '{"half":');
  gaps.miss('stdout', Buffer.from('1}\n{"n":1}\n{"password":'));
  const missed = gaps.take();
  expect(missed).toEqual([{ stream: 'stdout', messages: 3 }]);
  for (const gap of missed) recorder.onMissed(gap);
  for (const text of [`"${SECRET}`, `","a":"${SECRET}"}\n{"after":1}\n`]) {
    await pass('stdout', String(gaps.withoutEnd('stdout', Buffer.from(text))));
  }
  await pass('stdin', String(gaps.withoutEnd('stdin', Buffer.from('true}\n'))));
  const [frames = []] = await end();
  const rows = frames.slice(1).map(({ text, bytes, flags, channel }) => {
    const event = channel === 'lifecycle' ? lifecycleEventOf(bytes) : undefined;
    return event?.event === 'missing' ? event.frames : [text, flags];
  });
  expect(rows).toEqual([['{"half":', 1], 3, ['{"after":1}', 0], ['{"id":1,"whole":true}', 0]]);
});

test('a gap that ends between two messages drops nothing', () => {
  const gaps = new Gaps();
  gaps.miss('stdout', Buffer.from('{"n":'));
  gaps.miss('stdout', Buffer.from('1}\n'));
  expect(gaps.take()).toEqual([{ stream: 'stdout', messages: 1 }]);
  const next = Buffer.from('{"n":2}\n');
  expect(gaps.withoutEnd('stdout', next)).toBe(next);
});

test('each file has the rules and the overlay in force, and what is held', async () => {
  const { recorder, pass, end } = setUp([], 1000);
  const held = (hold: number) =>
    recorder.logEvent({ event: 'held', hold, rule: 'all', direction: 'to-server', kind: 'request', bytes: 2 });
  recorder.logEvent({ event: 'rules', rules: [] });
  recorder.logEvent({ event: 'rules', rules: [{ name: 'all', do: 'hold' }] });
  recorder.logEvent({ event: 'overlay', text: '{}', notified: 0 });
  held(1);
  held(2);
  const did = { event: 'intercepted', direction: 'to-server', delivered: 1 } as const;
  recorder.logEvent({ ...did, did: 'progress', hold: 2 });
  recorder.logEvent({ ...did, did: 'release', hold: 1 });
  await pass('changed-in', `{"method":"tools/call","password":"${SECRET}"}\n{"t":"${SECRET}"}\n`);
  await pass('stdout', `${'x'.repeat(1000)}\n{}\n`);
  const [first = [], second = []] = await end();
  expect(first.filter(({ channel }) => channel === 'intercept')).toMatchObject([
    { direction: 'to-server', text: expect.not.stringContaining(SECRET) },
    { direction: 'to-server', text: expect.not.stringContaining(SECRET) },
  ]);
  const repeated = second.slice(0, 5).map(({ bytes }) => lifecycleEventOf(bytes) ?? 'message');
  expect(repeated).toMatchObject([
    { event: 'start', tap: { part: 2, repeated: 4 } },
    'message',
    { event: 'rules', rules: [{ name: 'all' }] },
    { event: 'overlay', text: '{}' },
    { event: 'held', hold: 2 },
  ]);
});

test('events that found no room are counted', async () => {
  const { recorder, end } = setUp();
  const gaps = new Gaps();
  gaps.missEvent();
  gaps.missEvent();
  gaps.miss('changed-out', Buffer.from('{}\n'));
  const missed = gaps.take();
  expect(missed).toEqual([
    { stream: 'events', messages: 2 },
    { stream: 'changed-out', messages: 1 },
  ]);
  for (const gap of missed) recorder.onMissed(gap);
  const [frames = []] = await end();
  expect(frames.slice(1).map(({ bytes }) => lifecycleEventOf(bytes))).toMatchObject([{ frames: 2 }, { frames: 1 }]);
});
