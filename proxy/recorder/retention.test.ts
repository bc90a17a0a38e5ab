import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { systemClock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { TOUCH_MS } from '@/proxy/files/append-only-file';
import { PID_NAMESPACE } from '@/proxy/files/process-identity';
import { importedFileName, newFileName, readFileName } from './file-names';
import { isBeingRecorded } from './in-use';
import { KeptRecordings } from './kept-recordings';
import { isRecordingName } from './list-recordings';
import { openFile } from './open-file';
import { Recorder } from './recorder';
import { deleteExpired } from './retention';
import { changeSettingsFile } from './settings-file';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return { ...fs, lstatSync: vi.fn(fs.lstatSync) };
});

const NOW = Date.parse('2026-03-01T00:00:00Z');
const DAY = 24 * 60 * 60_000;
/** A process id above what any system assigns. */
const NOBODY = 2 ** 31 - 2;
const ABOUT = {
  name: 'x',
  transport: 'stdio',
  at: '2026-01-01T00:00:00.000Z',
  redactor: new CaptureRedactor([]),
} as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, days: number, bytes = 10): string {
  writeFileSync(join(folder, name), 'x'.repeat(bytes));
  utimesSync(join(folder, name), (NOW - days * DAY) / 1000, (NOW - days * DAY) / 1000);
  return name;
}
const ours = (server: string, pid = NOBODY, at = '2026-02-03T04:05:06.789Z') => newFileName(at, server, pid);
/** Makes a recording that a running process has open until the test is over. */
async function written(server: string, days: number, at?: string): Promise<string> {
  const part = openSync(join(folder, 'part'), 'w');
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', part, 'ignore'] });
  await once(child, 'spawn');
  writers.push(child);
  closeSync(part);
  const name = ours(server, child.pid, at);
  renameSync(join(folder, 'part'), join(folder, name));
  return file(name, days);
}
const writers: ChildProcess[] = [];
afterEach(() => {
  for (const child of writers.splice(0)) child.kill('SIGKILL');
});
const left = () => readdirSync(folder).sort();

test('a file name has time, server and process, whatever the server is called', () => {
  expect(ours('Demo  Server')).toMatch(
    /^20260203T040506Z-demo-server-p2147483646\.[0-9a-f]{6}-[0-9a-f]{8}\.mcpr\.jsonl$/,
  );
  for (const name of ['../../etc/passwd', 'CON', 'a\0b', '…', '-', 'x'.repeat(300)]) {
    expect(ours(name)).toMatch(/^[\w.-]{1,100}$/);
    expect(readFileName(ours(name, 7))).toEqual({ pid: 7, space: PID_NAMESPACE });
  }
  expect(ours('a')).not.toBe(ours('a'));
});

test.each(['+012345-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '2026-01-01T00:00:00Z'])(
  'a file name is valid whatever the time is: %s',
  (at) => {
    expect(isRecordingName(importedFileName(at, 'x', false))).toBe(true);
    expect(isRecordingName(newFileName(at, 'x', 7))).toBe(true);
    expect(readFileName(newFileName(at, 'x', 7))).toEqual({ pid: 7, space: PID_NAMESPACE });
  },
);

test('deletes recordings that are too old', () => {
  const old = file(ours('old'), 31);
  const young = file(ours('young'), 29);
  deleteExpired(folder, { days: 30, bytes: 1000 }, NOW);
  expect(left()).toEqual([young]);
  expect(old).not.toBe(young);
});

test('keeps files that can’t be looked at, and deletes the others', () => {
  const files = ['a', 'b'].map((server) => file(ours(server), 31));
  vi.mocked(lstatSync).mockImplementationOnce(() => {
    throw Object.assign(new Error('no idea'), { code: 'EACCES' });
  });
  expect(deleteExpired(folder, { days: 30, bytes: 1000 }, NOW)).toMatchObject({ old: 1 });
  expect(left()).toHaveLength(files.length - 1);
});

test('deletes the oldest recordings beyond the size', () => {
  const files = [3, 2, 1].map((days) => file(ours(`d${days}`), days, 40));
  deleteExpired(folder, { days: 30, bytes: 100 }, NOW);
  expect(left()).toEqual(files.slice(1).sort());
});

test('keeps the newest, however large, until it is too old, and deletes no others because of its size', () => {
  const newest = file(ours('large'), 1, 5000);
  const small = file(ours('small'), 2);
  deleteExpired(folder, { days: 30, bytes: 1000 }, NOW);
  expect(left()).toEqual([newest, small].sort());
  const next = file(ours('next'), 0);
  deleteExpired(folder, { days: 30, bytes: 1000 }, NOW);
  expect(left()).toEqual([next, small].sort());
  deleteExpired(folder, { days: 30, bytes: 1000 }, NOW + 40 * DAY);
  expect(left()).toEqual([]);
});

describe('keeps annotated recordings without counting them', () => {
  const HEADER = '{"mcpr":1}\n';
  const frame = (n: number, event: object) => `${JSON.stringify({ n, t: 0, c: 'lifecycle', d: '<', m: event })}\n`;
  const end = (more: object) => `${JSON.stringify({ k: 'end', t: 0, frames: 1, sha256: '', ...more })}\n`;
  const note = frame(2, { event: 'note', on: 1, text: '', bookmark: true });
  const long = 'x'.repeat(3_000_000);
  const one = (text: string) => {
    const name = file(ours('one'), 99);
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), 1, 1);
    return name;
  };

  test.each([
    ['a note or a bookmark', HEADER + note + end({ notes: 1 })],
    ['a name', HEADER + end({ notes: 1, about: { name: 'Closed shop', text: '' } })],
    [
      'a bookmark anywhere in a recording that was cut off',
      `${HEADER}${frame(1, { event: 'x', long })}${note}${frame(3, { event: 'x', long })}{"n`,
    ],
  ])('%s', (_, text) => {
    const kept = one(text);
    const small = file(ours('small'), 1);
    expect(deleteExpired(folder, { days: 30, bytes: 15 }, NOW)).toMatchObject({ old: 0, large: 0 });
    expect(left()).toEqual([kept, small].sort());
  });

  test.each([
    ['no note', HEADER + end({})],
    ['server output that looks like a note', `${HEADER}${frame(1, { event: 'stderr', text: note })}{"n`],
  ])('deletes a recording with %s', (_, text) => {
    one(text);
    expect(deleteExpired(folder, { days: 30, bytes: 15 }, NOW)).toMatchObject({ old: 1, bytes: text.length });
    expect(left()).toEqual([]);
  });
});

test('adds up deleted recordings until the note is dismissed', async () => {
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const kept = new KeptRecordings(recordings);
  const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder: recordings });
  recorder.deleteExpired();
  expect((await kept.list()).deleted).toBeUndefined();
  const lately = join(folder, file(join('recordings', ours('lately')), 0));
  utimesSync(lately, Date.now() / 1000 - 2 * 86_400, Date.now() / 1000 - 2 * 86_400);
  for (const bytes of [10, 20]) {
    file(join('recordings', ours('old')), 99, bytes);
    recorder.deleteExpired();
  }
  expect((await kept.list()).deleted).toMatchObject({ old: 2, large: 0, bytes: 30, keep: { days: 30 } });
  await kept.clearDeleted();
  expect((await kept.list()).deleted).toBeUndefined();
});

test('makes room however a recording ends, and keeps those still being written', async () => {
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder: recordings });
  const failed = () => expect.unreachable();
  const record = () => recorder.createFile(ABOUT, failed)!;
  const [first, second, third] = [record(), record(), record()];
  const names = () => readdirSync(recordings);
  first.end();
  expect(names()).toHaveLength(3);
  const sizes = names().map((name) => statSync(join(recordings, name)).size);
  // Room for one.
  await changeSettingsFile(recordings, { keep: { days: LIMITS.keepDaysMost, bytes: Math.max(...sizes) } });
  for (const name of names())
    if (!isBeingRecorded(join(recordings, name))) utimesSync(join(recordings, name), 1e9 * 1.7, 1e9 * 1.7);
  second.abandon();
  expect(names()).toHaveLength(2);
  third.end();
  expect(names()).toHaveLength(1);
});

test('deletes nothing while the settings cannot be read', () => {
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  writeFileSync(join(folder, 'settings.json'), '{"keep":{"days":365');
  const old = join(recordings, `20200101T000000Z-x-p${NOBODY}-0123abcd.mcpr.jsonl`);
  writeFileSync(old, '{"mcpr":1}\n');
  utimesSync(old, 1e9, 1e9);
  const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder: recordings });
  recorder.deleteExpired();
  expect(existsSync(old)).toBe(true);
});

describe('the file of a process in another namespace', () => {
  const ELSEWHERE = PID_NAMESPACE === '000000' ? '000001' : '000000';
  const BEGUN = '{"mcpr":1}\n';
  const ENDED = `${BEGUN}{"k":"end","t":0,"frames":0,"sha256":""}\n`;
  const old = `20260203T040506Z-x-p${NOBODY}-0123abcd.mcpr.jsonl`;
  const at = (name: string, text: string, agoMs: number) => {
    writeFileSync(join(folder, name), text);
    const then = (Date.now() - agoMs) / 1000;
    utimesSync(join(folder, name), then, then);
    return join(folder, name);
  };

  test.each([
    ['our own process id', () => newFileName('2026-02-03T04:05:06Z', 'x', process.pid, ELSEWHERE)],
    ['an unused process id', () => newFileName('2026-02-03T04:05:06Z', 'x', NOBODY, ELSEWHERE)],
    ['no namespace in its name', () => old],
  ])('with %s: counts as being recorded if touched recently and without an end', async (_, nameOf) => {
    const name = nameOf();
    expect(isBeingRecorded(at(name, BEGUN, 0))).toBe(true);
    const kept = new KeptRecordings(folder);
    await expect(kept.delete(name)).rejects.toMatchObject({ code: 'still-recorded' });
    await expect(kept.describe(name, { name: 'x', text: '' })).rejects.toMatchObject({ code: 'not-in-file' });
    deleteExpired(folder, { days: 1, bytes: 0 }, Date.now() + 1000 * DAY);
    expect(left()).toEqual([name]);
    expect(isBeingRecorded(at(name, ENDED, 0))).toBe(false);
    expect(isBeingRecorded(at(name, BEGUN, LIMITS.strangeWriterMs + 1000))).toBe(false);
  });
});

test('touches the file regularly while recording, even without frames', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder });
    const recording = recorder.createFile(ABOUT, () => expect.unreachable())!;
    const path = join(folder, left()[0]!);
    utimesSync(path, 1, 1);
    vi.advanceTimersByTime(TOUCH_MS);
    expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(LIMITS.strangeWriterMs);
    recording.abandon();
    utimesSync(path, 1, 1);
    vi.advanceTimersByTime(TOUCH_MS);
    expect(statSync(path).mtimeMs).toBe(1000);
  } finally {
    vi.useRealTimers();
  }
});

test('keeps a shown recording until it is closed', async () => {
  const looked = file(ours('looked'), 99);
  const files = [await openFile(join(folder, looked)), await openFile(join(folder, looked))];
  await Promise.all(files.map(({ bytes }) => bytes.cancel()));
  for (const hide of files.map((one) => one.shown())) {
    deleteExpired(folder, { days: 1, bytes: 0 }, NOW);
    expect(left()).toEqual([looked]);
    hide();
  }
  deleteExpired(folder, { days: 1, bytes: 0 }, NOW);
  expect(left()).toEqual([]);
});

test('deletes nothing for its age until a clock that leapt ahead has stayed there for a day', () => {
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder: recordings });
  const aged = (server: string, days: number) => {
    const path = join(recordings, ours(server));
    writeFileSync(path, 'x');
    utimesSync(path, Date.now() / 1000 - days * 86_400, Date.now() / 1000 - days * 86_400);
  };
  for (const days of [365, 366, 400]) aged('old', days);
  // Recorded by this run.
  aged('now', 0);
  recorder.deleteExpired();
  expect(readdirSync(recordings)).toHaveLength(4);
  aged('yesterday', 1.1);
  recorder.deleteExpired();
  expect(readdirSync(recordings)).toHaveLength(2);
});

test('deletes temporary files of killed processes after a day, and no similar files', () => {
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const part = `${'0123abcd'.repeat(2)}.part`;
  const left = [part, `${ours('x')}.lock`, '../settings.json.0123abcd', '../deleted.json.0123abcd'];
  const others = ['notes.part', 'x.lock', '../settings.json', '../settings.json.bak', '../deleted.json.0123abcde'];
  for (const name of [...left, ...others]) {
    writeFileSync(join(recordings, name), 'x');
    utimesSync(join(recordings, name), 1e9, 1e9);
  }
  const young = `${'4567abcd'.repeat(2)}.part`;
  writeFileSync(join(recordings, young), 'x');
  new Recorder({ clock: systemClock, version: '0.0.0-test', folder: recordings }).deleteExpired();
  for (const name of left) expect(existsSync(join(recordings, name))).toBe(false);
  for (const name of [...others, young]) expect(existsSync(join(recordings, name))).toBe(true);
});

test('keeps files that are being written, foreign files, links and folders', async () => {
  const kept = [await written('live', 99), file('mine.mcpr.jsonl', 99), ours('link'), ours('folder')];
  symlinkSync(join(folder, 'mine.mcpr.jsonl'), join(folder, kept[2]!));
  mkdirSync(join(folder, kept[3]!));
  deleteExpired(folder, { days: 1, bytes: 0 }, NOW);
  expect(left()).toEqual(kept.sort());
});

test('keeps files that are being written, even if the clock was wrong at their start or is wrong now', async () => {
  const names = [
    await written('past', 99, '1970-01-01T00:00:00Z'),
    await written('future', -400, '2040-01-01T00:00:00Z'),
  ];
  for (const now of [0, NOW, NOW + 1000 * DAY]) deleteExpired(folder, { days: 1, bytes: 0 }, now);
  expect(left()).toEqual(names.sort());
});

test('deletes files of an earlier process with the same id, and finished ones', async () => {
  // As in a container, where each run has the same process id.
  file(ours('before', process.pid), 99);
  // Another process has that id now, and does not have the file open. Only Linux can tell.
  if (process.platform === 'linux') file(ours('reused', process.ppid), 99);
  const ended = await written('ended', 99);
  writeFileSync(join(folder, ended), '{"mcpr":1}\n{"k":"end","t":0,"frames":0,"sha256":""}\n');
  utimesSync(join(folder, ended), 1, 1);
  deleteExpired(folder, { days: 30, bytes: 1000 }, NOW);
  expect(left()).toEqual([]);
});

test('does nothing if the folder is missing', () => {
  expect(() => deleteExpired(join(folder, 'none'), { days: 1, bytes: 1 }, NOW)).not.toThrow();
});
