import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import type { RecordingHeader } from '@/lib/recording/format';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { PLANTED } from '@/lib/redact/test-planted';
import { survivors } from '@/lib/redact/test-survivors';
import { RecordingFile } from './recording-file';

const NONE = new CaptureRedactor([]);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a.mcpr.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const header: RecordingHeader = {
  mcpr: 1,
  id: 'a-recording',
  at: '2026-01-01T00:00:00.000Z',
  by: 'mcp-inspect/0.0.0-test',
  mode: 'client',
  name: 'x',
  transport: 'stdio',
  redaction: { policy: 'capture/2' },
};
const frame = (text: string, time = 5): FrameToRecord => ({
  time,
  channel: 'protocol',
  direction: 'to-client',
  flags: 0,
  bytes: new TextEncoder().encode(text),
});
const lines = () => readFileSync(path, 'utf8').split('\n');

test('header, frames without a gap, and an end that vouches for what is before it', () => {
  const recording = RecordingFile.create(path, header, NONE);
  expect([recording.add([frame('{}')]), recording.add([frame('oops', 9)])]).toEqual([1, 2]);
  expect(recording.end()).toBeUndefined();
  expect(recording.end()).toBeUndefined();
  const [first, one, two, end, rest] = lines();
  expect(JSON.parse(first!)).toEqual(header);
  expect(one).toBe('{"n":1,"t":5,"c":"protocol","d":"<","m":{}}');
  expect(two).toBe('{"n":2,"t":9,"c":"protocol","d":"<","text":"oops"}');
  const sha256 = createHash('sha256').update(`${first}\n${one}\n${two}\n`).digest('hex');
  expect(JSON.parse(end!)).toEqual({ k: 'end', t: 9, frames: 2, sha256 });
  expect(rest).toBe('');
});

test.skipIf(process.platform === 'win32')('nobody else may read it', () => {
  RecordingFile.create(path, header, NONE).end();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('each line is there before the next thing happens', () => {
  const recording = RecordingFile.create(path, header, NONE);
  recording.add([frame('{}')]);
  expect(lines()).toHaveLength(3);
  recording.end();
});

test('58: none of the secrets that were planted in a session is in its file', () => {
  const planted = PLANTED.filter(({ onlyShared }) => !onlyShared);
  const recording = RecordingFile.create(path, header, new CaptureRedactor([]));
  for (const { frames } of planted) recording.add(frames);
  recording.end();
  expect(survivors(readFileSync(path), planted)).toEqual([]);
});

test('where not even the first line can be written, no file is left', () => {
  const full = () => {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  };
  expect(() => RecordingFile.create(path, header, NONE, full)).toThrow('no room');
  expect(existsSync(path)).toBe(false);
});

test('a file that is there is left alone', () => {
  writeFileSync(path, 'precious');
  expect(() => RecordingFile.create(path, header, NONE)).toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe('precious');
});

test.skipIf(process.platform === 'win32')('no link is followed, not even one that leads nowhere', () => {
  symlinkSync(join(folder, 'elsewhere'), path);
  expect(() => RecordingFile.create(path, header, NONE)).toThrow();
  expect(() => statSync(join(folder, 'elsewhere'))).toThrow('ENOENT');
});

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EFBIG', 'the file is as large as it may get'],
  ['EWHAT', 'no idea'],
])('%s in the middle of a line: whole lines stay, and one sentence says so', (code, reason) => {
  let left = 400;
  const recording = RecordingFile.create(path, header, NONE, (file, bytes, offset) => {
    if (left === 0) throw Object.assign(new Error('no idea'), { code });
    const taken = writeSync(file, bytes, offset, Math.min(left, bytes.length - offset, 100));
    left -= taken;
    return taken;
  });
  for (let i = 0; i < 20; i++) recording.add([frame(`{"i":${i}}`)]);
  const sentence = `The recording \`${path}\` is incomplete: ${reason}. What it has can be read.`;
  expect(recording.end()).toBe(sentence);
  expect(recording.end()).toBe(sentence);
  const written = lines();
  expect(written.pop()).toBe('');
  expect(written.length).toBeGreaterThan(2);
  for (const line of written) expect(() => JSON.parse(line)).not.toThrow();
});
