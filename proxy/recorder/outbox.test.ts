import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { systemClock } from '@/lib/wire/clock';
import { outboxFolder } from '@/proxy/files/data-folder';
import { PID_NAMESPACE, processStat } from '@/proxy/files/process-identity';
import { newFileName } from './file-names';
import {
  addToOutbox,
  isOver,
  type OutboxEntry,
  outboxSecret,
  readOutbox,
  removeEntry,
  saveEntry,
  type UploadOrder,
} from './outbox';
import { Recorder } from './recorder';
import { hasUploads, RecordingUploads } from './recording-uploads';
import { deleteExpired } from './retention';

const ORDER: UploadOrder = { to: 's3://team', tags: [], isStrict: false };

let home: string;
let recordings: string;
let outbox: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcp-inspect-outbox-'));
  recordings = join(home, 'recordings');
  outbox = outboxFolder(recordings);
  mkdirSync(recordings);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(home, { recursive: true });
});

/** A recording that was cut off, or one with its end. */
function recording(ended: boolean): string {
  const path = join(recordings, 'a.mcpr.jsonl');
  const end = ended ? [encodeHeaderOrEnd({ k: 'end', t: 0, frames: 0 })] : [];
  writeFileSync(path, Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), ...end]));
  return path;
}

test('keeps entries, readable only by their owner, and removes them', async () => {
  const ids = ['1', '2'].map((name) => addToOutbox(outbox, join(recordings, name), ORDER, false));
  const names = ids.map((id) => readOutbox(outbox).find((one) => one.id === id)?.entry.recording);
  expect(names).toEqual([join(recordings, '1'), join(recordings, '2')]);
  expect(statSync(outbox).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(outbox)) expect(statSync(join(outbox, name)).mode & 0o777).toBe(0o600);
  for (const id of ids) await removeEntry(outbox, id);
  expect(readdirSync(outbox)).toEqual([]);
});

test('a recording that waits is not deleted for its size, only for its age', () => {
  const now = Date.now();
  const kept = ['a', 'b', 'c', 'd'].map((server, days) => {
    const path = join(recordings, newFileName('2026-02-03T04:05:06.789Z', server, 2 ** 31 - 2));
    writeFileSync(
      path,
      Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), encodeHeaderOrEnd({ k: 'end', t: 0, frames: 0 })]),
    );
    utimesSync(path, now / 1000 - days * 86_400, now / 1000 - days * 86_400);
    return path;
  });
  const [newest, waits, refused] = kept as [string, string, string, string];
  addToOutbox(outbox, waits, ORDER, true);
  addToOutbox(outbox, refused, ORDER, true);
  const { id, entry } = readOutbox(outbox).find((one) => one.entry.recording === refused)!;
  saveEntry(outbox, id, { ...entry, isRefused: true });
  expect(deleteExpired(recordings, { days: 30, bytes: 1 + statSync(newest).size }, now)).toMatchObject({ large: 2 });
  expect(kept.map((path) => existsSync(path))).toEqual([true, true, false, false]);
  expect(deleteExpired(recordings, { days: 1, bytes: 1e9 }, now + 43_200_000)).toMatchObject({ old: 1 });
  expect(existsSync(waits)).toBe(false);
});

test('leaves entries of other versions, and other files, alone', () => {
  addToOutbox(outbox, recording(true), ORDER, false);
  const name = '20260101T000000000Z-00000000.json';
  for (const text of ['{"outbox":2,"recording":"x","order":{}}', '{', 'null', '{"outbox":1,"recording":1}']) {
    writeFileSync(join(outbox, name), text);
    expect(readOutbox(outbox)).toHaveLength(1);
  }
  expect(readdirSync(outbox)).toContain(name);
});

test('is over once the recording has its end, or its writer is dead', () => {
  const own = { pid: process.pid, start: processStat(process.pid)?.start, space: PID_NAMESPACE };
  const cases: readonly (readonly [boolean, OutboxEntry['writer'], boolean])[] = [
    [false, undefined, true],
    [false, own, false],
    [true, own, true],
    [false, { ...own, pid: 2 ** 22 + 1 }, true],
    [false, { ...own, space: 'ffffff' }, false],
  ];
  for (const [ended, writer, expected] of cases) {
    const entry: OutboxEntry = { outbox: 1, recording: recording(ended), order: ORDER, ...(writer && { writer }) };
    expect(isOver(entry), JSON.stringify(writer)).toBe(expected);
  }
});

test('a process with the same id that started later is another one', () => {
  const start = processStat(process.pid)?.start;
  const writer = { pid: process.pid, start: (start ?? 1) - 1, space: PID_NAMESPACE };
  const entry: OutboxEntry = { outbox: 1, recording: recording(false), order: ORDER, writer };
  expect(isOver(entry)).toBe(start !== undefined);
});

test('the secret stays the same', () => {
  const secret = outboxSecret(outbox);
  expect(secret).toHaveLength(32);
  expect(outboxSecret(outbox)).toEqual(secret);
});

test('a recording is in the outbox from its begin on, and is uploaded at its end', () => {
  const started: string[] = [];
  const settings = { order: ORDER, program: '/cli.js', words: ['push'] };
  const uploads = new RecordingUploads(recordings, settings, (program) => started.push(program));
  const recorder = new Recorder({ clock: systemClock, version: '0', folder: recordings, uploads });
  const about = {
    name: 'x',
    transport: 'stdio',
    at: new Date().toISOString(),
    redactor: new CaptureRedactor([]),
  } as const;
  const file = recorder.createFile(about, () => {})!;
  const [waiting] = readOutbox(outbox);
  expect(waiting?.entry.recording).toBe(file.path);
  expect([isOver(waiting!.entry), started]).toEqual([false, []]);
  file.end();
  expect([isOver(waiting!.entry), started]).toEqual([true, ['/cli.js']]);
});

test('many ends start few processes, and the last one is not forgotten', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let started = 0;
  const uploads = new RecordingUploads(recordings, { order: ORDER, program: '', words: [] }, () => started++);
  for (let index = 0; index < 50; index++) uploads.onEnd('x');
  expect(started).toBe(1);
  vi.advanceTimersByTime(2000);
  expect(started).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(started).toBe(2);
  uploads.onEnd('x');
  uploads.onEnd('x');
  expect(started).toBe(3);
  uploads.finish();
  uploads.finish();
  expect(started).toBe(4);
});

test('a start uploads only if something waits', () => {
  let started = 0;
  const uploads = new RecordingUploads(recordings, { order: ORDER, program: '', words: [] }, () => started++);
  uploads.resume();
  outboxSecret(outbox);
  uploads.resume();
  expect([started, hasUploads(outbox)]).toEqual([0, false]);
  addToOutbox(outbox, recording(true), ORDER, false);
  uploads.resume();
  expect(started).toBe(1);
});

test('an outbox that can’t be written ends no recording, and gets another chance at the end', () => {
  writeFileSync(outbox, 'a file in its place');
  const uploads = new RecordingUploads(recordings, { order: ORDER, program: '', words: [] }, () => {});
  uploads.onBegin('/x');
  rmSync(outbox);
  uploads.onEnd('/x');
  expect(readOutbox(outbox).map(({ entry }) => entry.recording)).toEqual(['/x']);
});
