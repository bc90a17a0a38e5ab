import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { BLOB_LIMITS } from './blobs';
import { type ContentDigest, contentDigest } from './digests';
import { encodeHeaderOrEnd, FrameEncoder } from './encode-lines';
import { RecordingReader } from './recording-reader';
import { TEST_HEADER } from './test-header';

const raw = (text: string) => Buffer.from(`${text}\n`);
const header = Buffer.from(encodeHeaderOrEnd(TEST_HEADER));
const blob = (name: string, content: string) => raw(`{"k":"blob","b":"${name}","s":"${content}"}`);
const cut = (n: number, blobs: string, json: string) =>
  raw(`{"n":${n},"t":1,"c":"protocol","d":"<","blobs":${blobs},"cut":${json}}`);
const message = (text: string) =>
  ({ time: 0, channel: 'protocol', direction: 'to-client', flags: 0, bytes: Buffer.from(text) }) as const;

function read(...pieces: readonly Uint8Array[]) {
  const reader = new RecordingReader();
  const frames = pieces.flatMap((piece) => reader.readChunk(piece));
  return { texts: frames.map(({ bytes }) => Buffer.from(bytes).toString()), report: reader.finish() };
}

test('a screenshot is stored once, however often it is sent, and every copy is restored', () => {
  const text = JSON.stringify({ content: [{ type: 'image', data: 'iVBORw0K'.repeat(128 * 1024) }] });
  const encoder = new FrameEncoder();
  const lines = Array.from({ length: 50 }, (_, index) => encoder.encodeLines(index + 1, message(text))).flat();
  const file = Buffer.concat([header, ...lines]);
  expect(file.length).toBeLessThan(text.length + 50 * 200);
  const { texts, report } = read(file);
  expect(texts.every((found) => found === text)).toBe(true);
  expect(report).toMatchObject({ frames: 50, damaged: { count: 0 }, unknown: 0 });
});

test('writes lines that match the schema in docs', () => {
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/recording.schema.json'), 'utf8'));
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const fits = (line: Uint8Array) => validate(JSON.parse(Buffer.from(line).toString()));
  const lines = new FrameEncoder().encodeLines(1, message(JSON.stringify(['x'.repeat(BLOB_LIMITS.minBytes)])));
  expect(lines.map(fits)).toEqual([true, true]);
  const m = raw('{"n":1,"t":1,"c":"protocol","d":"<","blobs":[[2,"b1"]],"m":[""]}');
  expect([cut(1, '[]', '[""]'), cut(1, '[[2]]', '[""]'), m, raw('{"k":"blob","b":"b1"}')].map(fits)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('frames that were read are written the same from their blobs as from their bytes, and digested once', () => {
  const texts = ['a', 'b', 'c'].map((id) => JSON.stringify({ id, data: 'x'.repeat(BLOB_LIMITS.minBytes), end: 1 }));
  const written = new FrameEncoder();
  const file = Buffer.concat([
    header,
    ...texts.flatMap((text, index) => written.encodeLines(index + 1, message(text))),
  ]);
  const frames = new RecordingReader().readChunk(file);
  const digested: number[] = [];
  const digest: ContentDigest = (bytes) => {
    digested.push(bytes.length);
    return contentDigest(bytes);
  };
  expect(frames.every(({ cut: found }) => found !== undefined)).toBe(true);
  const again = new FrameEncoder(digest);
  const lines = frames.flatMap((frame, index) => again.encodeLines(index + 1, frame));
  expect(Buffer.concat([header, ...lines])).toEqual(file);
  expect(digested).toEqual([BLOB_LIMITS.minBytes]);
});

test('a message that another program cut otherwise is cut again', () => {
  const long = 'y'.repeat(BLOB_LIMITS.minBytes);
  const [frame] = new RecordingReader().readChunk(
    Buffer.concat([header, blob('b1', 'short'), cut(1, '[[6,"b1"]]', `{"a":"","b":"${long}"}`)]),
  );
  const lines = new FrameEncoder().encodeLines(1, frame!).map((line) => Buffer.from(line).toString());
  expect(lines).toEqual([
    `{"k":"blob","b":"b1","s":"${long}"}\n`,
    '{"n":1,"t":1,"c":"protocol","d":"<","blobs":[[18,"b1"]],"cut":{"a":"short","b":""}}\n',
  ]);
});

describe('reading files of other programs', () => {
  test('accepts keys in another order, white space, other names and short strings', () => {
    const { texts, report } = read(
      header,
      raw('{ "b": "first one", "k": "blob", "x": 1, "s" : "\\u00e9" }'),
      raw('{"c":"protocol","blobs":[[9,"first one"],[16,"first one"]],"d":"<","t":1,"n":1,"cut": { "é": "","b":""}}'),
    );
    expect(texts).toEqual(['{ "é": "\\u00e9","b":"\\u00e9"}']);
    expect(report).toMatchObject({ damaged: { count: 0 } });
  });

  test('ignores blobs of a frame that was never written', () => {
    const { texts, report } = read(header, blob('b1', 'x'), raw('{"n":1,"t":1,"c":"stderr","d":"<","text":""}'));
    expect([texts, report.damaged.count, report.unknown]).toEqual([[''], 0, 0]);
  });

  test('counts masked places of a blob in every frame that refers to it', () => {
    const lines = [blob('b1', 'a [redacted:jwt:01234567]'), cut(1, '[[2,"b1"]]', '[""]'), cut(2, '[[2,"b1"]]', '[""]')];
    expect(read(header, ...lines).report.masked).toBe(2);
  });
});

describe('reading hostile files', () => {
  const sound = raw('{"n":1,"t":1,"c":"stderr","d":"<","text":""}');

  test.each<[string, Uint8Array[], number]>([
    ['a missing blob', [cut(2, '[[2,"b2"]]', '[""]')], 1],
    ['a later blob', [cut(2, '[[2,"b2"]]', '[""]'), blob('b2', 'y')], 1],
    ['a blob too far back', [...Array.from({ length: 64 }, () => blob('b2', 'y')), cut(2, '[[2,"b1"]]', '[""]')], 1],
    ['a name from a prototype', [cut(2, '[[2,"__proto__"]]', '[""]')], 1],
    ['a place outside', [cut(2, '[[9,"b1"]]', '[""]')], 0],
    ['a place before', [cut(2, '[[-1,"b1"]]', '[""]')], 0],
    ['a place outside strings', [cut(2, '[[1,"b1"]]', '[""]')], 0],
    ['a place that is not a number', [cut(2, '[["2","b1"]]', '[""]')], 0],
    ['places in descending order', [cut(2, '[[5,"b1"],[2,"b1"]]', '["",""]')], 0],
    ['a place twice', [cut(2, '[[2,"b1"],[2,"b1"]]', '[""]')], 0],
    ['no places', [cut(2, '{}', '[""]')], 0],
    ['no list', [raw('{"n":2,"t":1,"c":"protocol","d":"<","cut":[""]}')], 0],
    ['invalid JSON', [cut(2, '[[2,"b1"]]', '["",')], 0],
    ['a blob that is not a string', [raw('{"k":"blob","b":"b2","s":7}')], 0],
    ['a blob with another key after it', [raw('{"k":"blob","b":"b2","s":"","x":"y"}')], 0],
    ['a blob without a name', [raw('{"k":"blob","s":"y"}')], 0],
    ['a blob that ends early', [raw('{"k":"blob","b":"b2","s":"\\"}')], 0],
  ])('%s is a damaged line', (_what, lines, withoutBlob) => {
    const { texts, report } = read(header, blob('b1', 'x'), sound, ...lines);
    expect(texts).toEqual(['']);
    expect(report).toMatchObject({ damaged: { count: 1 }, withoutBlob });
  });

  test('reports a frame as damaged if restoring it would make it too long', () => {
    const most = BLOB_LIMITS.textBytes / 1024 ** 2;
    const places = Array.from({ length: most + 1 }, (_, index) => `[${2 + 3 * index},"b1"]`).join();
    const json = `[${Array.from({ length: most + 1 }, () => '""').join()}]`;
    const { report } = read(header, blob('b1', 'x'.repeat(1024 ** 2)), sound, cut(2, `[${places}]`, json));
    expect(report).toMatchObject({ frames: 1, damaged: { count: 1 } });
  });

  test('stops reading a small file that expands without end', () => {
    const { recordingBytes } = LIMITS;
    Object.assign(LIMITS, { recordingBytes: 8 * 1024 ** 2, putBackTimes: 2 });
    try {
      const reader = new RecordingReader();
      reader.readChunk(Buffer.concat([header, blob('b1', 'x'.repeat(1024 ** 2))]));
      const lines = Array.from({ length: 100_000 }, (_, index) => cut(index + 1, '[[2,"b1"]]', '[""]'));
      expect(reader.readChunk(Buffer.concat(lines.slice(0, 10)))).toHaveLength(10);
      expect(reader.readChunk(Buffer.concat(lines.slice(10)))).toEqual([]);
      expect(() => reader.readChunk(sound)).toThrow(expect.objectContaining({ code: 'recording-expands' }));
      expect(reader.finish()).toMatchObject({ complete: false });
    } finally {
      Object.assign(LIMITS, { recordingBytes, putBackTimes: 100 });
    }
  });

  test('reads all frames of our own writer, which repeats blobs', () => {
    const { recordingBytes } = LIMITS;
    Object.assign(LIMITS, { recordingBytes: 1024 ** 2, putBackTimes: 3 });
    try {
      const [a, b] = ['a', 'b'].map((letter) => letter.repeat(BLOB_LIMITS.minBytes));
      const encoder = new FrameEncoder();
      const texts = Array.from({ length: 200 }, (_, index) => JSON.stringify(index % 3 === 0 ? [a, b, a] : [a]));
      const lines = texts.flatMap((text, index) => encoder.encodeLines(index + 1, message(text)));
      const found = read(header, ...lines);
      expect(found.texts).toEqual(texts);
      // The writer repeats a string whenever restoring it would exceed the limit for the file's size.
      expect(lines.length - texts.length).toBeGreaterThan(50);
      expect(lines.length - texts.length).toBeLessThan(120);
    } finally {
      Object.assign(LIMITS, { recordingBytes, putBackTimes: 100 });
    }
  });

  test('reports a frame with too many blob references as damaged', () => {
    const many = (count: number) =>
      cut(
        2,
        JSON.stringify(Array.from({ length: count }, (_, index) => [2 + 3 * index, 'b1'])),
        `[${Array.from({ length: count }, () => '""').join()}]`,
      );
    expect(read(header, blob('b1', 'x'), sound, many(64)).report).toMatchObject({ frames: 2, damaged: { count: 0 } });
    expect(read(header, blob('b1', 'x'), sound, many(65)).report).toMatchObject({ frames: 1, damaged: { count: 1 } });
  });
});
