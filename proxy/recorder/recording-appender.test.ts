import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { newFileName } from './file-names';
import { createRecording } from './recorder';
import { RecordingAppender } from './recording-appender';

/** Above what any system gives. */
const NOBODY = 2 ** 31 - 2;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a.mcpr.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const frame = (text: string, time = 0) =>
  ({ time, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes: Buffer.from(text) }) as const;
const note = (text: string) => frame(JSON.stringify({ event: 'note', on: 1, text, bookmark: false }));

function record(to: string, ends = true) {
  const file = createRecording(to, {
    name: 'demo',
    transport: 'stdio',
    at: '2026-01-01T00:00:00.000Z',
    version: '0.0.0-test',
    redactor: new CaptureRedactor([]),
  });
  file.add([frame('{"event":"open"}', 5), frame('{"event":"closed"}', 42_000)]);
  if (ends) file.end();
}

/** Reads the file, and checks the digest of every end line. */
function read(from = path) {
  const bytes = readFileSync(from);
  const reader = new RecordingReader();
  const frames = reader.readChunk(bytes);
  let at = 0;
  const digests = bytes
    .toString()
    .split('\n')
    .flatMap((line) => {
      const before = createHash('sha256').update(bytes.subarray(0, at)).digest('hex');
      at += Buffer.byteLength(line) + 1;
      return line.startsWith('{"k":"end"') ? [JSON.parse(line).sha256 === before] : [];
    });
  return { texts: frames.map((one) => Buffer.from(one.bytes).toString()), frames, digests, report: reader.finish() };
}

test('adds notes after the end, at the time of the last frame, and then a new end', async () => {
  record(path);
  const appender = new RecordingAppender(path);
  await appender.appendFrames([note('a')]);
  await appender.appendFrames([note('b')]);
  // A second appender to the same file does not know about the first.
  await new RecordingAppender(path).appendFrames([note('c')]);
  await appender.appendFrames([note('d')]);
  const { texts, frames, digests, report } = read();
  expect(texts.slice(2).map((text) => JSON.parse(text).text)).toEqual(['a', 'b', 'c', 'd']);
  expect(frames.slice(2).map(({ time }) => time)).toEqual(Array(4).fill(42_000));
  expect(digests).toEqual(Array(5).fill(true));
  expect(report).toMatchObject({ frames: 6, complete: true, damaged: { count: 0 }, missing: 0, unknown: 0 });
});

test('gives later frames their own time, never decreasing', async () => {
  record(path);
  await new RecordingAppender(path).appendFrames([frame('{"event":"look-further"}', 50_000), note('a')]);
  const { frames, report } = read();
  expect(frames.map(({ time }) => time)).toEqual([5, 42_000, 50_000, 50_000]);
  expect(readFileSync(path, 'utf8')).toContain('{"k":"end","t":50000,"frames":4,"notes":1');
  expect(report).toMatchObject({ complete: true, damaged: { count: 0 } });
});

test('adds frames of several appenders at once', async () => {
  record(path);
  const appenders = [new RecordingAppender(path), new RecordingAppender(path)];
  await Promise.all(Array.from({ length: 20 }, (_, at) => appenders[at % 2]!.appendFrames([note(`${at}`)])));
  expect(read()).toMatchObject({ report: { frames: 22, complete: true, damaged: { count: 0 }, missing: 0 } });
});

test('adds frames of several processes at once', async () => {
  record(path);
  const processes: RecordingAppender[] = [];
  for (let at = 0; at < 3; at++) {
    // Copies of the module share no state, like processes.
    vi.resetModules();
    const { RecordingAppender: Other } = await import('./recording-appender');
    processes.push(new Other(path));
  }
  await Promise.all(Array.from({ length: 30 }, (_, at) => processes[at % 3]!.appendFrames([note(`${at}`)])));
  const { report, digests } = read();
  expect(report).toMatchObject({ frames: 32, complete: true, damaged: { count: 0 }, missing: 0 });
  expect(digests).toEqual(Array(31).fill(true));
  expect(readdirSync(folder)).toEqual(['a.mcpr.jsonl']);
});

test('redacts what it adds', async () => {
  record(path);
  const about = { event: 'about', name: 'hunter2-hunter2', text: '' };
  await new RecordingAppender(path, new CaptureRedactor(['hunter2-hunter2'])).appendFrames([
    note('it is hunter2-hunter2'),
    frame(JSON.stringify(about)),
  ]);
  expect(readFileSync(path, 'utf8').match(/"about":/g)).toHaveLength(1);
  expect(readFileSync(path, 'utf8')).not.toContain('hunter2');
});

test('removes the torn line of a recording that was cut off, which stays incomplete', async () => {
  const dead = join(folder, newFileName('2026-01-01T00:00:00.000Z', 'demo', NOBODY));
  record(dead, false);
  appendFileSync(dead, `{"n":3,"t":"${'x'.repeat(600_000)}`);
  await new RecordingAppender(dead).appendFrames([note('a')]);
  expect(read(dead)).toMatchObject({
    texts: ['{"event":"open"}', '{"event":"closed"}', expect.stringContaining('"a"')],
    report: { complete: false, damaged: { count: 0 }, torn: false },
  });
});

test.each(['', '{"n":4,"t":'])('writes an end again after a writer was killed before it did (%j)', async (torn) => {
  record(path);
  await new RecordingAppender(path).appendFrames([note('a')]);
  const noted = readFileSync(path);
  writeFileSync(path, Buffer.concat([noted.subarray(0, noted.lastIndexOf('{"k":"end"')), Buffer.from(torn)]));
  expect(read()).toMatchObject({ report: { ended: false, torn: torn !== '' } });
  await new RecordingAppender(path).appendFrames([note('b')]);
  expect(read()).toMatchObject({
    digests: [true, true],
    report: { frames: 4, complete: true, damaged: { count: 0 }, torn: false },
  });
});

test('continues after the numbers of damaged last lines', async () => {
  record(path);
  writeFileSync(path, readFileSync(path, 'utf8').replace('{"n":2,', '{"n";2,'));
  await new RecordingAppender(path).appendFrames([note('a')]);
  expect(readFileSync(path, 'utf8')).toContain('{"n":3,"t":5,"c":"lifecycle"');
  const { frames, report } = read();
  expect(frames.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(report).toMatchObject({ frames: 2, damaged: { count: 1 }, missing: 0 });
});

describe('changes nothing and says why, for', () => {
  const refuses = async (file: string, why: string) => {
    const before = readFileSync(file);
    await expect(new RecordingAppender(file).appendFrames([note('a')])).rejects.toMatchObject({
      code: 'not-in-file',
      message: `Could not add to the recording: ${why}.`,
    });
    expect(readFileSync(file)).toEqual(before);
  };

  test('a recording that may still be written', async () => {
    record(path, false);
    await refuses(path, 'it has no end, so it may still be written');
    const ours = join(folder, newFileName('2026-01-01T00:00:00.000Z', 'demo', process.pid));
    record(ours, false);
    await refuses(ours, 'it has no end, so it may still be written');
  });

  test('frames that can’t be redacted', async () => {
    record(path);
    const before = readFileSync(path);
    const redactor = new CaptureRedactor([]);
    vi.spyOn(redactor, 'apply').mockImplementation(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    await expect(new RecordingAppender(path, redactor).appendFrames([note('a')])).rejects.toMatchObject({
      code: 'not-in-file',
      message: 'Could not add to the recording: Array buffer allocation failed.',
    });
    expect(readFileSync(path)).toEqual(before);
  });

  test('a gzipped recording', async () => {
    record(path);
    const zipped = join(folder, 'a.mcpr.gz');
    writeFileSync(zipped, gzipSync(readFileSync(path)));
    await refuses(zipped, 'only plain `.mcpr.jsonl` files can be changed');
  });

  test('another format version', async () => {
    record(path);
    writeFileSync(path, readFileSync(path, 'utf8').replace('{"mcpr":2', '{"mcpr":3'));
    await refuses(path, 'it has a different format version');
  });

  test('a link', async () => {
    record(path);
    const link = join(folder, 'link.mcpr.jsonl');
    symlinkSync(path, link);
    const before = readFileSync(path);
    await expect(new RecordingAppender(link).appendFrames([note('a')])).rejects.toMatchObject({ code: 'not-in-file' });
    expect(readFileSync(path)).toEqual(before);
  });
});
