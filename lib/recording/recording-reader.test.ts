import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { CHANNELS, DIRECTIONS, type Frame, toChannel } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { runningDigest } from './digests';
import { encodeFrame, encodeHeaderOrEnd } from './encode-lines';
import { RECORDING_VERSION } from './format';
import { encodeIndexLine } from './large/indexes';
import { readHeader } from './read-header';
import { decompressedBytes } from './recording-bytes';
import { FRAMELESS_LINES, NO_LINE, RECORDING_HEADER_BYTES, RecordingReader, unlookedPart } from './recording-reader';
import { TEST_HEADER } from './test-header';

const header = Buffer.from(encodeHeaderOrEnd(TEST_HEADER));
const line = (n: number, text = `{"id":${n}}`, time = n) =>
  Buffer.from(
    encodeFrame(n, { time, channel: 'protocol', direction: 'to-client', flags: 0, bytes: Buffer.from(text) }),
  );
const end = (frames: number) => Buffer.from(encodeHeaderOrEnd({ k: 'end', t: 0, frames }));
const raw = (text: string) => Buffer.from(`${text}\n`);

function read(...pieces: readonly Uint8Array[]) {
  const reader = new RecordingReader(runningDigest());
  const frames = pieces.flatMap((piece) => reader.readChunk(piece));
  return {
    header: reader.header!,
    frames,
    texts: frames.map(({ bytes }) => Buffer.from(bytes).toString()),
    report: reader.finish(),
  };
}

/** Random bytes as a server may send them. */
const bytes = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some)),
  fc.constantFrom(
    Buffer.from('{"a":1,"a":9007199254740993,"z":2.0}'),
    Buffer.from('DEBUG\r'),
    Buffer.from('{\r\n}'),
    Buffer.from(' {} '),
    Buffer.from('{"m":{"m":1},"text":"\\"m\\":"}'),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('"\\ud800"'),
    Buffer.from('{"x":"\\ud800"}'),
    Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
    Buffer.from('{"__proto__":{"polluted":1}}'),
    Buffer.from('['.repeat(400) + ']'.repeat(400)),
  ),
);
/** Names of channels that this version does not know. */
const OTHER_CHANNELS = ['llm', 'Protocol', 'com.example/x:1', '__proto__', 'constructor', '~'.repeat(64)].map(
  (name) => toChannel(name)!,
);
const anyFrame = fc.record({
  step: fc.nat(1_000_000),
  channel: fc.constantFrom(...CHANNELS, ...OTHER_CHANNELS),
  direction: fc.constantFrom(...DIRECTIONS),
  flags: fc.nat(3),
  bytes,
});

describe('frames → lines → frames', () => {
  test('restores every frame from chunks of any size', () => {
    fc.assert(
      fc.property(
        fc.array(anyFrame, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 200 }),
        (made, size) => {
          let time = 0;
          const later = (step: number) => {
            time += step;
            return time;
          };
          const frames = made.map(
            ({ step, ...frame }, index): Frame => ({ ...frame, seq: index + 1, time: later(step) }),
          );
          const file = Buffer.concat([
            header,
            ...frames.map((frame) => encodeFrame(frame.seq, frame)),
            end(frames.length),
          ]);
          const chunks = Array.from({ length: Math.ceil(file.length / size) }, (_, index) =>
            file.subarray(index * size, (index + 1) * size),
          );
          const { frames: found, report } = read(...chunks);
          expect(found.map((frame) => ({ ...frame, bytes: Buffer.from(frame.bytes) }))).toMatchObject(frames);
          for (const { seq, at } of found) expect(file.subarray(at).toString()).toMatch(`{"n":${seq},`);
          expect(report).toEqual({
            frames: frames.length,
            last: frames.length,
            damaged: { count: 0, lines: [] },
            missing: 0,
            unknown: 0,
            withoutBlob: 0,
            changed: false,
            masked: 0,
            torn: false,
            ended: true,
            complete: true,
          });
        },
      ),
    );
  });

  test('writes lines that match the schema in docs', () => {
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/recording.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const fits = (text: Uint8Array) => validate(JSON.parse(Buffer.from(text).toString()));
    expect([
      fits(header),
      fits(end(1)),
      fits(encodeIndexLine(1, 1, new Uint8Array(3))),
      fits(encodeHeaderOrEnd({ k: 'end', t: 1, frames: 1, index: [[10, 20]] })),
      fits(raw('{"n":1}')),
      fits(raw('{"n":0,"t":1,"c":"http","d":">","m":{}}')),
    ]).toEqual([true, true, true, true, false, false]);
    fc.assert(
      fc.property(anyFrame, fc.integer({ min: 1 }), ({ step, ...frame }, n) => {
        expect(fits(encodeFrame(n, { ...frame, time: step })) || validate.errors).toBe(true);
      }),
    );
  });
});

describe('reading files of other programs', () => {
  test('accepts keys in another order, white space and unknown keys', () => {
    const { texts } = read(
      header,
      raw('{ "d": "<", "x": {"m":1}, "c":"protocol", "t": 3, "n": 1, "m": {"id": 12345678901234567890} }'),
      raw('{"n":2,"t":4,"c":"stderr","d":"<","y":"\\"m\\":","text":"hi"}'),
    );
    expect(texts).toEqual(['{"id": 12345678901234567890}', 'hi']);
  });

  test('accepts a carriage return before the line feed, as Git and editors write it', () => {
    const crlf = (bytes: Uint8Array) => raw(`${Buffer.from(bytes).toString().trimEnd()}\r`);
    const blob = raw(`{"k":"blob","b":"b1","s":"${'x'.repeat(70_000)}"}\r`);
    const cut = raw('{"n":2,"t":2,"c":"protocol","d":"<","blobs":[[6,"b1"]],"cut":{"a":""}}\r');
    const { texts, report } = read(crlf(header), crlf(line(1)), blob, cut, crlf(end(2)));
    expect(texts).toEqual(['{"id":1}', `{"a":"${'x'.repeat(70_000)}"}`]);
    expect(report).toMatchObject({ complete: true, damaged: { count: 0 } });
  });

  test('skips and counts unknown kinds', () => {
    const { report } = read(header, line(1), raw('{"k":"note","on":1}'));
    expect(report).toMatchObject({ frames: 1, unknown: 1, damaged: { count: 0 } });
  });

  test('keeps frames of unknown and reserved channels, byte for byte', () => {
    const found = read(
      header,
      line(1),
      raw('{"n":2,"t":2,"c":"llm","d":">","m":{"id": 12345678901234567890, "id":1}}'),
      raw('{"t":3,"n":3,"d":"<","c":"app","text":"a\\u0007\\ud800b"}'),
      raw('{"n":4,"t":4,"c":"model","d":"<","b64":"/w=="}'),
      raw('{"n":5,"t":5,"c":"otel","d":"<","m":{"id":1,"result":{}}}'),
    );
    expect(found.frames.map(({ channel }) => channel)).toEqual(['protocol', 'llm', 'app', 'model', 'otel']);
    expect(found.texts[1]).toBe('{"id": 12345678901234567890, "id":1}');
    expect(found.texts.slice(3)).toEqual(['\ufffd', '{"id":1,"result":{}}']);
    expect(found.report).toMatchObject({ frames: 5, unknown: 0, missing: 0, damaged: { count: 0 } });
  });

  test.each([
    ['no characters', ''],
    ['more characters than a name may have', 'x'.repeat(65)],
    ['a million characters', 'x'.repeat(1e6)],
    ['control characters', 'a\u0000\u001b[31m\nb'],
    ['a space', 'two words'],
    ['other letters', 'bücher'],
    ['a lone surrogate', '\ud800'],
    ['a quote', '"'],
    ['a backslash', '\\'],
    ['a number', 7],
    ['a list', ['protocol']],
  ])('reports a channel with %s as a damaged line', (_what, name) => {
    const bad = raw(JSON.stringify({ n: 2, t: 2, c: name, d: '<', text: 'x' }));
    expect(read(header, line(1), bad, line(3)).report).toMatchObject({ frames: 2, damaged: { count: 1, lines: [3] } });
  });

  test('reads version 2 as 0.1.0 wrote it', () => {
    const found = read(readFileSync(join(import.meta.dirname, 'fixtures/version-2.mcpr.jsonl')));
    expect(found.header).toMatchObject({ version: 2, by: 'mcp-inspect/0.1.0', mode: 'client', transport: 'stdio' });
    expect(found.report).toMatchObject({
      frames: 20,
      complete: true,
      damaged: { count: 0 },
      missing: 0,
      changed: false,
    });
    expect(found.texts[13]).toBe('reading the sensor');
    expect(found.texts[15]).toBe('{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"21.50"}]}}');
  });

  test('reads version 1, whose frames of unknown channels were missing to its readers', () => {
    const found = read(readFileSync(join(import.meta.dirname, 'fixtures/version-1.mcpr.jsonl')));
    expect(found.header.version).toBe(1);
    expect(found.frames.map(({ channel, time }) => [channel, time])).toEqual([
      ['lifecycle', 0],
      ['protocol', 30_411],
      ['stderr', 31_002],
      ['llm', 31_500],
      ['protocol', 31_990],
      ['lifecycle', 31_990],
    ]);
    expect(found.texts[3]).toBe('{"prompt":"hi"}');
    expect(found.report).toMatchObject({ complete: true, damaged: { count: 0 }, changed: false });
  });

  test('upgrades an older version', () => {
    const file = readFileSync(join(import.meta.dirname, 'fixtures/version-0.mcpr.jsonl'));
    const found = read(file);
    expect(found.frames.map(({ time, direction }) => [time, direction])).toEqual([
      [0, 'to-client'],
      [30_411, 'to-server'],
      [31_002, 'to-client'],
      [31_990, 'to-client'],
    ]);
    expect(found.texts[1]).toBe('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
    expect(found.report).toMatchObject({ complete: true, damaged: { count: 0 }, changed: false });
  });

  test.each([
    ['vscode', 'vscode'],
    ['VS Code', undefined],
    [1, undefined],
    ['a'.repeat(41), undefined],
  ])('a header with %j as the borrowed name has %j', (as, read) => {
    expect(readHeader(raw(JSON.stringify({ ...TEST_HEADER, as }))).as).toBe(read);
  });

  test('refuses a newer version with advice, even if its lines look familiar', () => {
    const later = raw(JSON.stringify({ ...TEST_HEADER, mcpr: RECORDING_VERSION + 1 }));
    expect(() => read(later, line(1))).toThrow(
      expect.objectContaining({
        code: 'recording-newer',
        message: 'This recording has format version 3, which this mcp-inspect cannot read.',
        advice: 'Update mcp-inspect, then open it again.',
      }),
    );
  });
});

describe('reading hostile and broken files', () => {
  test.each<[string, Uint8Array[], object]>([
    ['a torn last line', [line(1), line(2).subarray(0, -3)], { frames: 1, torn: true, complete: false }],
    ['no end', [line(1)], { torn: false, complete: false }],
    ['an end that declares more frames', [line(1), end(2)], { ended: true, missing: 1, complete: false }],
    ['a frame after the end', [line(1), end(1), line(2)], { frames: 2, complete: false }],
    [
      'a damaged line',
      [line(1), raw('{"n":2,"t":'), line(3)],
      { frames: 2, damaged: { count: 1, lines: [3] }, missing: 0 },
    ],
    ['a second header', [line(1), header], { damaged: { count: 1, lines: [3] } }],
    ['missing numbers', [line(1), line(5)], { frames: 2, missing: 3 }],
    ['a number twice', [line(1), line(1)], { frames: 1, damaged: { count: 1, lines: [3] } }],
    ['descending numbers', [line(9), line(8)], { frames: 1, damaged: { count: 1, lines: [3] } }],
    [
      'a number that is too large',
      [line(1), raw('{"n":1e300,"t":1,"c":"stderr","d":"<","text":""}')],
      { damaged: { count: 1, lines: [3] } },
    ],
    [
      'a negative number',
      [line(1), raw('{"n":-2,"t":1,"c":"stderr","d":"<","text":""}')],
      { damaged: { count: 1, lines: [3] } },
    ],
    [
      'an invalid time',
      [line(1), raw('{"n":2,"t":"x","c":"stderr","d":"<","text":""}')],
      { damaged: { count: 1, lines: [3] } },
    ],
    [
      'content of the wrong type',
      [line(1), raw('{"n":2,"t":2,"c":"stderr","d":"<","text":7}')],
      { damaged: { count: 1, lines: [3] } },
    ],
    [
      'invalid base64',
      [line(1), raw('{"n":2,"t":2,"c":"stderr","d":"<","b64":"***"}')],
      { damaged: { count: 1, lines: [3] } },
    ],
    [
      'content with another key after it',
      [line(1), raw('{"n":2,"t":2,"c":"protocol","d":"<","m":{},"d":{}}')],
      { damaged: { count: 1, lines: [3] } },
    ],
    [
      'keys from prototypes',
      [line(1), raw('{"__proto__":{"c":"stderr"},"constructor":1}')],
      { damaged: { count: 1, lines: [3] } },
    ],
    ['invalid UTF-8', [line(1), Buffer.from([0x7b, 0xff, 0x7d, 10])], { damaged: { count: 1, lines: [3] } }],
    ['deeply nested JSON', [line(1), raw('['.repeat(200_000))], { damaged: { count: 1, lines: [3] } }],
    [
      'deeply nested JSON in a frame line',
      [line(1), raw(`{"n":2,"t":2,"c":"protocol","d":"<","m":${'['.repeat(200_000)}}`)],
      { damaged: { count: 1, lines: [3] } },
    ],
    ['empty lines', [line(1), raw(''), raw('')], { damaged: { count: 2, lines: [3, 4] } }],
  ])('%s', (_what, pieces, expected) => {
    expect(read(header, ...pieces).report).toMatchObject(expected);
    expect(({} as { c?: unknown }).c).toBeUndefined();
  });

  test('never lets time run backwards', () => {
    expect(read(header, line(1, '{}', 50), line(2, '{}', 7)).frames.map(({ time }) => time)).toEqual([50, 50]);
  });

  test('an over-long line is skipped in bounded memory', () => {
    const reader = new RecordingReader();
    reader.readChunk(Buffer.concat([header, line(1)]));
    const chunk = Buffer.alloc(32 * 1024 * 1024, 0x61);
    for (let fed = 0; fed <= LIMITS.recordedLineBytes; fed += chunk.length) reader.readChunk(chunk);
    expect(reader.readChunk(Buffer.concat([raw(''), line(3)])).map(({ seq }) => seq)).toEqual([2, 3]);
    expect(reader.finish()).toMatchObject({ frames: 2, damaged: { count: 1, lines: [3] } });
  });

  test('accepts a very long line only if its content is base64, as our writer writes it', () => {
    const { recordedPlainBytes } = LIMITS;
    Object.assign(LIMITS, { recordedPlainBytes: 40_000 });
    try {
      const random = Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at * at * 31) & 255));
      const frame = (n: number, bytes: Buffer) =>
        encodeFrame(n, { time: 0, channel: 'stderr', direction: 'to-client', flags: 0, bytes });
      const escapes = Buffer.alloc(10_000, 1);
      const named = toChannel('~'.repeat(64))!;
      const other = encodeFrame(1, { time: 0, channel: named, direction: 'to-server', flags: 255, bytes: random });
      expect(read(header, other).frames).toMatchObject([{ channel: named, bytes: new Uint8Array(random) }]);
      const long = [frame(1, random), frame(2, escapes), frame(3, Buffer.from('x'.repeat(39_000)))];
      expect(long.map((text) => Buffer.from(text).toString().slice(34, 40))).toEqual(['"b64":', '"b64":', '"text"']);
      expect(read(header, ...long).frames.map(({ bytes }) => Buffer.from(bytes))).toEqual([
        random,
        escapes,
        Buffer.from('x'.repeat(39_000)),
      ]);
      const start = '{"n":4,"t":1,"c":"stderr","d":"<",';
      const hostile = [
        `${start}"text":"${'x'.repeat(40_000)}"}`,
        `${start}"b64":"${'*'.repeat(40_000)}"}`,
        `${start}"b64":"${'AA=='.repeat(10_000)}"}`,
        `${start}"b64":"${'A'.repeat(40_000)}`,
        'x'.repeat(50_000),
      ];
      expect(read(header, ...long, ...hostile.map(raw)).report).toMatchObject({ frames: 3, damaged: { count: 5 } });
    } finally {
      Object.assign(LIMITS, { recordedPlainBytes });
    }
  });

  test.each([
    ['text', raw('hello')],
    ['other JSON', raw('{"log":{"version":"1.2"}}')],
    ['an invalid version', raw('{"mcpr":"1"}')],
    ['a zip', Buffer.from('PK\u0003\u0004\u0014\u0000\n\u0000')],
    ['an empty file', Buffer.alloc(0)],
    ['an endless first line', Buffer.alloc(RECORDING_HEADER_BYTES + 1, 0x20)],
  ])('%s is not a recording', (_what, file) => {
    expect(() => read(file)).toThrow(expect.objectContaining({ code: 'not-a-recording' }));
  });

  test('does not report damaged lines as an empty recording', () => {
    expect(() => read(header, raw('{"n":1'), end(1))).toThrow(
      expect.objectContaining({ code: 'recording-too-damaged' }),
    );
  });

  test('refuses a header without frames', () => {
    expect(() => read(header)).toThrow(
      expect.objectContaining({ code: 'recording-empty', advice: expect.stringContaining('cut off') }),
    );
    expect(() => read(header, end(0))).toThrow(
      expect.objectContaining({ code: 'recording-empty', advice: expect.stringContaining('before anything happened') }),
    );
  });
});

describe('the bytes of a file', () => {
  const file = Buffer.concat([header, line(1), line(2), end(2)]);
  const plain = async (source: Buffer) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of decompressedBytes(new Blob([new Uint8Array(source)]).stream())) pieces.push(piece);
    return Buffer.concat(pieces);
  };

  test('are read plain or gunzipped', async () => {
    expect(await plain(file)).toEqual(file);
    expect(await plain(gzipSync(file))).toEqual(file);
  });

  test('are read as far as possible from truncated gzip', async () => {
    const lines = Buffer.concat([
      header,
      ...Array.from({ length: 5000 }, (_, index) => line(index + 1, `{"x":${Math.sin(index)}}`)),
    ]);
    const zipped = gzipSync(lines);
    const { report } = read(await plain(zipped.subarray(0, zipped.length - 2000)));
    expect(report.frames).toBeGreaterThan(1000);
    expect(report.complete).toBe(false);
  });

  test('are limited for a gzip bomb', async () => {
    const most = 16 * 1024 * 1024;
    const source = gzipSync(Buffer.alloc(4 * most));
    let taken = 0;
    const bomb = async () => {
      for await (const piece of decompressedBytes(new Blob([new Uint8Array(source)]).stream(), most))
        taken += piece.length;
    };
    await expect(bomb()).rejects.toMatchObject({ code: 'recording-too-large' });
    expect(taken).toBeLessThanOrEqual(most);
  });
});

describe('missing frames', () => {
  /** Returns number and content of each frame; for a placeholder, its event. */
  const all = (...pieces: readonly Uint8Array[]) => {
    const reader = new RecordingReader();
    const frames = [...pieces.flatMap((piece) => reader.readChunk(piece)), ...reader.fillGapAtEnd()];
    const says = frames.map(({ seq, bytes: of }) => [seq, JSON.parse(Buffer.from(of).toString())]);
    return { says, frames, reader, report: reader.finish() };
  };
  const missing = (frames: number, more?: object) => ({ event: 'missing', frames, ...more });
  const ONE_MORE = { event: 'missing' };
  const note = (n: number, on: number) =>
    encodeFrame(n, {
      time: n,
      channel: 'lifecycle',
      direction: 'to-client',
      flags: 0,
      bytes: Buffer.from(JSON.stringify({ event: 'note', on, text: 'x', bookmark: false })),
    });

  test.each<[string, Uint8Array[], unknown[]]>([
    [
      'a damaged line',
      [line(1), raw('{"n":2,"t":'), line(3)],
      [
        [2, missing(1, { lines: 1, line: 3 })],
        [3, { id: 3 }],
      ],
    ],
    [
      'damaged lines among missing ones',
      [line(1), raw('x'), raw('{"k":"new"}'), raw('y'), line(5)],
      [
        [2, missing(3, { lines: 2, line: 3 })],
        [3, ONE_MORE],
        [4, ONE_MORE],
        [5, { id: 5 }],
      ],
    ],
    [
      'frames that only the end declares',
      [line(1), raw('x'), end(3)],
      [
        [2, missing(2, { lines: 1, line: 3 })],
        [3, ONE_MORE],
      ],
    ],
    ['an end line that is not the last line', [line(1), end(3), line(2)], [[2, { id: 2 }]]],
    ['a damaged line without a gap', [line(1), raw('x'), line(2)], [[2, { id: 2 }]]],
    [
      'a damaged line without a gap, and another with one',
      [line(1), raw('x'), line(2), raw('y'), line(4)],
      [
        [2, { id: 2 }],
        [3, missing(1, { lines: 1, line: 5 })],
        [4, { id: 4 }],
      ],
    ],
  ])('%s: frames keep their numbers', (_what, pieces, says) => {
    const found = all(header, ...pieces);
    expect(found.says).toEqual([[1, { id: 1 }], ...says]);
    for (const { seq } of found.frames) expect(found.reader.numbers.numberOf(seq)).toBe(seq);
    expect(found.frames.filter(({ at }) => at === NO_LINE)).toHaveLength(found.frames.length - found.report.frames);
    expect(found.report.renumberedFrom).toBeUndefined();
  });

  test('at the start of the file get placeholders', () => {
    expect(all(header, line(3)).says).toEqual([
      [1, missing(2)],
      [2, ONE_MORE],
      [3, { id: 3 }],
    ]);
  });

  test('are not reported for a file without frames', () => {
    expect(() => all(header, end(5))).toThrow(expect.objectContaining({ code: 'recording-empty' }));
  });

  test('beyond the limit share a placeholder, and later frames and notes are renumbered', () => {
    const { missingFrames } = LIMITS;
    Object.assign(LIMITS, { missingFrames: 3 });
    try {
      const { says, report, reader } = all(header, line(3), line(1e9), line(1e9 + 2), note(1e9 + 4, 1e9), end(4e9));
      expect(says).toEqual([
        [1, missing(2)],
        [2, ONE_MORE],
        [3, { id: 3 }],
        [4, missing(1e9 - 4, { folded: true })],
        [5, { id: 1e9 }],
        [6, missing(1)],
        [7, { id: 1e9 + 2 }],
        [8, missing(1)],
        [9, { event: 'note', on: 5, text: 'x', bookmark: false }],
        [10, missing(3e9 - 4, { folded: true })],
      ]);
      expect(report).toMatchObject({ frames: 4, renumberedFrom: 5, missing: 4e9 - 4 });
      expect(says.map(([seq]) => reader.numbers.numberOf(seq as number))).toEqual([
        1,
        2,
        3,
        4,
        1e9,
        1e9 + 1,
        1e9 + 2,
        1e9 + 3,
        1e9 + 4,
        1e9 + 5,
      ]);
    } finally {
      Object.assign(LIMITS, { missingFrames });
    }
  });

  test('get one placeholder per gap beyond the limit', () => {
    const leaps = Array.from({ length: 50 }, (_, index) => line((index + 1) * 7_000));
    const { frames, report } = all(header, ...leaps);
    expect(report).toMatchObject({ frames: 50, missing: 50 * 6_999 });
    expect(frames.length).toBeLessThan(LIMITS.missingFrames + 100);
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, index) => index + 1));
  });

  test('are counted when appending', () => {
    expect(all(header, line(1), raw('x'), end(3)).reader.position).toMatchObject({ n: 3, declaredFrames: 3 });
    expect(all(header, line(1), end(1)).reader.position).toMatchObject({ n: 1, declaredFrames: 1 });
    expect(all(header, line(1), end(Number.MAX_SAFE_INTEGER)).reader.position).toMatchObject({ n: 1 });
  });
});

describe('lines without a frame', () => {
  const blanks = (count: number) => Buffer.alloc(count, '\n');

  test('stop the reading if there are too many, of any kind', () => {
    const most = FRAMELESS_LINES;
    for (const filler of [raw(''), raw('{'), raw('{"k":"new"}'), line(1), end(0)]) {
      const reader = new RecordingReader();
      expect(reader.readChunk(Buffer.concat([header, line(1)]))).toHaveLength(1);
      const many = Buffer.concat(Array.from({ length: most + 10 }, () => filler));
      expect(reader.readChunk(Buffer.concat([many, line(2)]))).toEqual([]);
      expect(() => reader.readChunk(line(3))).toThrow(expect.objectContaining({ code: 'recording-too-damaged' }));
      expect(reader.finish()).toMatchObject({ frames: 1, complete: false });
    }
  });

  test('are reported if there is no frame at all', () => {
    const reader = new RecordingReader();
    reader.readChunk(Buffer.concat([header, blanks(FRAMELESS_LINES + 1)]));
    expect(() => reader.finish()).toThrow(expect.objectContaining({ code: 'recording-too-damaged' }));
  });

  test('may outnumber the frames by up to the limit', () => {
    const reader = new RecordingReader();
    reader.readChunk(header);
    for (let n = 1; n <= 20; n++) {
      expect(reader.readChunk(Buffer.concat([blanks(n > 10 ? 1 : FRAMELESS_LINES / 10), line(n)]))).toHaveLength(1);
    }
    expect(reader.finish()).toMatchObject({ frames: 20 });
  });

  test('are not parsed if they cannot be objects', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const reader = new RecordingReader();
    reader.readChunk(header);
    const before = parse.mock.calls.length;
    reader.readChunk(Buffer.concat([blanks(100), raw('x'.repeat(10)), raw('[1]'), raw('{')]));
    expect(parse.mock.calls.length).toBe(before);
    parse.mockRestore();
  });
});

describe('secrets that got their names later', () => {
  const reportOf = (end: string, text = 'token [redacted:secret:01234567]', policy = 'capture/2') => {
    const reader = new RecordingReader();
    const head = JSON.stringify({ ...TEST_HEADER, redaction: { policy } });
    reader.readChunk(Buffer.from(`${head}\n{"n":1,"t":1,"c":"stderr","d":"<","text":"${text}"}\n${end}`));
    return reader.finish();
  };
  const END = '{"k":"end","t":1,"frames":1}\n';

  test('were not looked for in a recording without an end, if it has masked values', () => {
    expect(reportOf('')).toMatchObject({ unlooked: 'all' });
    expect(reportOf(END)).not.toHaveProperty('unlooked');
    expect(reportOf('', 'no secret')).not.toHaveProperty('unlooked');
    // A shared copy was searched as a whole.
    expect(reportOf('', undefined, 'share/1')).not.toHaveProperty('unlooked');
  });

  test('were looked for in the first 64 MiB', () => {
    expect(unlookedPart(true, 64 * 1024 * 1024)).toBeUndefined();
    expect(unlookedPart(true, 64 * 1024 * 1024 + 1)).toBe('rest');
    expect(unlookedPart(false, 100)).toBe('all');
  });
});
