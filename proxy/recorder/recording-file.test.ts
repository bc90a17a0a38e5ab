import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BLOB_LIMITS } from '@/lib/recording/blobs';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER as header } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { PLANTED } from '@/lib/redact/test-planted';
import { survivors } from '@/lib/redact/test-survivors';
import { LIMITS } from '@/lib/wire/limits';
import { RecordingFile } from './recording-file';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return { ...fs, closeSync: vi.fn(fs.closeSync) };
});

const NONE = new CaptureRedactor([]);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a.mcpr.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const frame = (text: string, time = 5): FrameToRecord => ({
  time,
  channel: 'protocol',
  direction: 'to-client',
  flags: 0,
  bytes: new TextEncoder().encode(text),
});
const lines = () => readFileSync(path, 'utf8').split('\n');

test('writes a header, numbered frames, and an end with the digest of all lines before it', () => {
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

test.skipIf(process.platform === 'win32')('only its owner can read it', () => {
  RecordingFile.create(path, header, NONE).end();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('writes each line at once', () => {
  const recording = RecordingFile.create(path, header, NONE);
  recording.add([frame('{}')]);
  expect(lines()).toHaveLength(3);
  recording.end();
});

test('writes none of the secrets planted in a connection', () => {
  const planted = PLANTED.filter(({ onlyShared }) => !onlyShared);
  const recording = RecordingFile.create(path, header, new CaptureRedactor([]));
  for (const { frames } of planted) recording.add(frames);
  recording.end();
  expect(survivors(readFileSync(path), planted)).toEqual([]);
});

test('says in its end line how many secrets it forgot, and a reader reports that', () => {
  const recording = RecordingFile.create(path, header, new CaptureRedactor([]));
  for (let index = 0; index < LIMITS.redactedValues + 3; index++) {
    recording.add([frame(`{"token":"tok-${index}-A8dkfj29x"}`)]);
  }
  recording.end();
  expect(JSON.parse(lines().at(-2)!)).toMatchObject({ k: 'end', forgotten: LIMITS.redactedValues / 2 });
  const reader = new RecordingReader();
  reader.readChunk(readFileSync(path));
  expect(reader.finish()).toMatchObject({ forgotten: LIMITS.redactedValues / 2, masked: LIMITS.redactedValues + 3 });
});

test('redacts large frames in turns, and keeps their order', async () => {
  const recording = RecordingFile.create(path, header, new CaptureRedactor([]));
  const large = frame(JSON.stringify({ a: `${'and so on '.repeat(100_000)}token=Ab12-Cd34-Ef56` }));
  await recording.addInTurns([frame('{"n":1}'), large, frame('{"said":"Ab12-Cd34-Ef56"}'), large, frame('{"n":5}')]);
  recording.end();
  const reader = new RecordingReader();
  const texts = reader.readChunk(readFileSync(path)).map(({ bytes }) => Buffer.from(bytes).toString());
  expect(texts.map((text) => text.slice(-40))).toEqual([
    '{"n":1}',
    expect.stringMatching(/ token=\[redacted:token:\w{8}\]"\}$/),
    expect.stringMatching(/^\{"said":"\[redacted:token:\w{8}\]"\}$/),
    expect.stringMatching(/ token=\[redacted:token:\w{8}\]"\}$/),
    '{"n":5}',
  ]);
  expect(reader.finish()).toMatchObject({ frames: 5, complete: true });
});

test('yields between small frames when redaction is slow, after writing what is ready', async () => {
  const recording = RecordingFile.create(path, header, new CaptureRedactor([]));
  const frames = Array.from({ length: 100 }, (_, n) => frame(`{"n":${n},"token":"Ab12-Cd34-${n}"}`));
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++);
  const rest = recording.addInTurns(frames);
  const written = lines().length - 2;
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(20);
  await rest;
  clock.mockRestore();
  recording.end();
  const reader = new RecordingReader();
  const texts = reader.readChunk(readFileSync(path)).map(({ bytes }) => Buffer.from(bytes).toString());
  expect(texts.map((text) => text.replace(/\[redacted:token:\w{8}\]/, 'masked'))).toEqual(
    frames.map((_, n) => `{"n":${n},"token":"masked"}`),
  );
});

test('leaves no file if the first line can’t be written', () => {
  const full = () => {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  };
  expect(() => RecordingFile.create(path, header, NONE, full)).toThrow('no room');
  expect(existsSync(path)).toBe(false);
});

test('leaves an existing file alone', () => {
  writeFileSync(path, 'precious');
  expect(() => RecordingFile.create(path, header, NONE)).toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe('precious');
});

test.skipIf(process.platform === 'win32')('follows no link, not even a broken one', () => {
  symlinkSync(join(folder, 'elsewhere'), path);
  expect(() => RecordingFile.create(path, header, NONE)).toThrow();
  expect(() => statSync(join(folder, 'elsewhere'))).toThrow('ENOENT');
});

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EFBIG', 'the file has reached its maximum size'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EIO', 'the disk failed'],
  ['EWHAT', 'no idea'],
])('%s in the middle of a line: keeps whole lines, and reports it in one sentence', (code, reason) => {
  let left = 400;
  const recording = RecordingFile.create(path, header, NONE, (file, bytes, offset) => {
    if (left === 0) throw Object.assign(new Error('no idea'), { code });
    const taken = writeSync(file, bytes, offset, Math.min(left, bytes.length - offset, 100));
    left -= taken;
    return taken;
  });
  for (let i = 0; i < 20; i++) recording.add([frame(`{"i":${i}}`)]);
  const sentence = `The recording \`${path}\` is incomplete: ${reason}. The part already written can be opened.`;
  expect(recording.end()).toBe(sentence);
  expect(recording.end()).toBe(sentence);
  const written = lines();
  expect(written.pop()).toBe('');
  expect(written.length).toBeGreaterThan(2);
  for (const line of written) expect(() => JSON.parse(line)).not.toThrow();
});

test.skipIf(process.platform === 'win32').each([
  ['its folder', () => folder],
  ['the file', () => path],
])('%s deleted while recording: reports it in one sentence, and throws nothing', (_, gone) => {
  mkdirSync(join(folder, 'sub'));
  path = join(folder, 'sub', 'a.mcpr.jsonl');
  const recording = RecordingFile.create(path, header, NONE);
  recording.add([frame('{}')]);
  expect(recording.failure).toBeUndefined();
  rmSync(gone() === folder ? join(folder, 'sub') : path, { recursive: true });
  recording.add([frame('{}')]);
  const sentence = `The recording \`${path}\` was deleted, so recording stopped.`;
  expect(recording.failure).toBe(sentence);
  recording.add([frame('{}')]);
  expect(recording.end()).toBe(sentence);
});

describe('reports failures other than writing, and throws nothing', () => {
  test.each(['end', 'abandon'] as const)('a file that can’t be closed at its %s', (how) => {
    const recording = RecordingFile.create(path, header, NONE);
    let closed = 0;
    recording.onClosed(() => closed++);
    vi.mocked(closeSync).mockImplementationOnce(() => {
      throw Object.assign(new Error('no idea'), { code: 'EIO' });
    });
    recording[how]();
    recording.abandon();
    expect(closed).toBe(1);
    expect(recording.failure).toBe(
      `The recording \`${path}\` is incomplete: the disk failed. The part already written can be opened.`,
    );
  });

  const long = `{"token":"Ab12-Cd34-Ef56","x":"${'x'.repeat(10_000)}"}`;
  test.each([
    ['add', '{"token":"Ab12-Cd34-Ef56"}'],
    ['addInTurns', '{"token":"Ab12-Cd34-Ef56"}'],
    ['add', long],
    ['addInTurns', long],
  ] as const)('a frame that can’t be redacted: %s', async (how, text) => {
    const redactor = new CaptureRedactor([]);
    const recording = RecordingFile.create(path, header, redactor);
    recording.add([frame('{"n":1}')]);
    for (const method of ['apply', 'applyInSlices'] as const) {
      vi.spyOn(redactor, method).mockImplementation(() => {
        throw new RangeError('Array buffer allocation failed');
      });
    }
    await recording[how]([frame(text), frame('{"n":3}')]);
    expect(recording.end()).toBe(
      `The recording \`${path}\` is incomplete: Array buffer allocation failed. The part already written can be opened.`,
    );
    expect(lines().slice(1)).toEqual(['{"n":1,"t":5,"c":"protocol","d":"<","m":{"n":1}}', '']);
  });
});

test.skipIf(process.platform !== 'linux')('throws if the disk is full from the beginning', () => {
  const file = () =>
    RecordingFile.create(path, header, NONE, (_, bytes) => writeSync(openSync('/dev/full', 'w'), bytes));
  expect(file).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
});

describe('long strings', () => {
  const picture = 'iVBORw0K'.repeat(64 * 1024);
  const shown = (data: string) => frame(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { data } }));
  const texts = () => {
    const reader = new RecordingReader();
    const frames = reader.readChunk(readFileSync(path)).map(({ bytes }) => Buffer.from(bytes).toString());
    return { frames, report: reader.finish() };
  };

  test('are written once, restored, and covered by the digest', () => {
    const recording = RecordingFile.create(path, header, NONE);
    for (let i = 0; i < 5; i++) recording.add([shown(picture), frame('{}')]);
    recording.end();
    const written = readFileSync(path);
    expect(written.length).toBeLessThan(1.01 * picture.length);
    const { frames, report } = texts();
    expect(frames).toHaveLength(10);
    expect(frames[8]).toBe(Buffer.from(shown(picture).bytes).toString());
    expect(report).toMatchObject({ complete: true, damaged: { count: 0 } });
    const end = JSON.parse(lines().at(-2)!) as { sha256: string };
    expect(end.sha256).toBe(
      createHash('sha256')
        .update(written.subarray(0, written.lastIndexOf('{"k":"end"')))
        .digest('hex'),
    );
  });

  test('contain no secret that is known when they are written', () => {
    const secret = 'Qm7Zx9Lp2Vt4Rw8Ns6Kd';
    const filler = 'word '.repeat(20 * 1024);
    const recording = RecordingFile.create(path, header, new CaptureRedactor(['given-Qw3Er5Ty7Ui9']));
    recording.add([shown(`${filler}given-Qw3Er5Ty7Ui9 ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`)]);
    recording.add([shown(`${filler}${secret}`)]);
    recording.add([frame(JSON.stringify({ password: secret }))]);
    recording.add([shown(`${filler}${secret}`)]);
    recording.end();
    const text = readFileSync(path, 'utf8');
    expect(text).not.toMatch(/given-Qw3|ghp_a/);
    expect(text.split(secret)).toHaveLength(2);
    const { frames, report } = texts();
    expect(report).toMatchObject({ complete: true, masked: 4 });
    expect(frames[1]).toContain(secret);
    expect(frames[3]).toContain('[redacted:');
    expect(frames[3]).not.toContain(secret);
  });

  test('are left out with their frame if the disk fills up between the two', () => {
    let whole = 0;
    const recording = RecordingFile.create(path, header, NONE, (file, bytes, offset) => {
      const end = bytes.indexOf(10, offset) + 1;
      if (whole === 3) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
      whole++;
      return writeSync(file, bytes, offset, end - offset);
    });
    recording.add([frame('{}')]);
    recording.add([shown(picture)]);
    expect(recording.end()).toContain('the disk is full');
    expect(lines().map((line) => line.slice(0, 11))).toEqual(['{"mcpr":2,"', '{"n":1,"t":', '{"k":"blob"', '']);
    expect(texts()).toMatchObject({ frames: ['{}'], report: { torn: false, damaged: { count: 0 } } });
  });
});

test('a very long frame is written in pieces, between which no index line comes', async () => {
  const { textBytes } = BLOB_LIMITS;
  BLOB_LIMITS.textBytes = 500_000;
  try {
    const written: number[] = [];
    const write = (file: number, bytes: Uint8Array, at: number) => {
      written.push(bytes.length - at);
      return writeSync(file, bytes, at);
    };
    const recording = RecordingFile.create(path, header, NONE, write, { framesEach: 2, fromBytes: 0 });
    const texts = Array.from({ length: 12 }, (_, n) =>
      n % 4 === 3 ? `{"a":"${'é'.repeat(600_000)}${n}"}` : `{"n":${n}}`,
    );
    for (const text of texts)
      await recording.addInTurns([frame(text)], { pause: () => new Promise((resolve) => setTimeout(resolve)) });
    expect(recording.end()).toBeUndefined();
    expect(Math.max(...written)).toBeLessThan(300_000);
    const reader = new RecordingReader();
    const frames = reader.readChunk(readFileSync(path));
    expect(frames.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(texts);
    expect(reader.finish()).toMatchObject({ frames: 12, damaged: { count: 0 }, complete: true });
    expect(reader.position.index).toHaveLength(6);
  } finally {
    BLOB_LIMITS.textBytes = textBytes;
  }
});

describe('many open recordings', () => {
  const many = (count: number): readonly RecordingFile[] =>
    Array.from({ length: count }, (_, index) => {
      const recording = RecordingFile.create(join(folder, `${index}.mcpr.jsonl`), header, new CaptureRedactor([]));
      recording.add([frame('{"id":1}')]);
      return recording;
    });

  test('share their buffers, so that each takes little memory', () => {
    many(1)[0]!.end();
    rmSync(join(folder, '0.mcpr.jsonl'));
    const before = process.memoryUsage().arrayBuffers;
    const recordings = many(100);
    const each = (process.memoryUsage().arrayBuffers - before) / recordings.length;
    for (const recording of recordings) recording.end();
    expect(each).toBeLessThan(20_000);
  });

  test('that are written in turns do not mix their lines', async () => {
    const recordings = many(3);
    const texts = (index: number) => Array.from({ length: 500 }, (_, n) => `{"of":${index},"n":${n}}`);
    const written = recordings.map((recording, index) => recording.addInTurns(texts(index).map((text) => frame(text))));
    await Promise.all(written);
    for (const [index, recording] of recordings.entries()) {
      recording.end();
      const content = readFileSync(join(folder, `${index}.mcpr.jsonl`), 'utf8')
        .split('\n')
        .slice(2, -2);
      expect(content.map((line) => JSON.stringify(JSON.parse(line).m))).toEqual(texts(index));
    }
  });
});
