import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHANNELS, DIRECTIONS, FLAG } from '@/lib/wire/frame';
import { BLOB_LIMITS } from './blobs';
import { encodeFrame, encodeHeaderOrEnd, FrameEncoder } from './encode-lines';
import { RECORDING_VERSION } from './format';
import { RecordingReader } from './recording-reader';
import { TEST_HEADER } from './test-header';

describe('encodeFrame', () => {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const frame = (bytes: Uint8Array, flags = 0) =>
    ({ time: 812, channel: 'protocol', direction: 'to-server', flags, bytes }) as const;
  const lineOf = (text: string, flags = 0) => new TextDecoder().decode(encodeFrame(3, frame(utf8(text), flags)));

  /** A reader written from the document: the content is cut out of the line, not serialised again. */
  function contentOf(line: Uint8Array): Buffer {
    const text = Buffer.from(line).toString();
    expect(text.endsWith('\n')).toBe(true);
    expect(text.indexOf('\n')).toBe(text.length - 1);
    const parsed = JSON.parse(text) as { text?: string; b64?: string };
    if (parsed.b64 !== undefined) return Buffer.from(parsed.b64, 'base64');
    if (parsed.text !== undefined) return Buffer.from(parsed.text);
    return Buffer.from(text.slice(text.indexOf(',"m":') + 5, -2));
  }

  describe('encodes a frame', () => {
    test.each([
      [
        'JSON as it stands',
        '{"id":1,"big":9007199254740993,"a":1,"a":2.0}',
        '"m":{"id":1,"big":9007199254740993,"a":1,"a":2.0}',
      ],
      ['a batch as it stands', '[{"id":1}]', '"m":[{"id":1}]'],
      ['other text as a string', 'DEBUG "oops"\r', '"text":"DEBUG \\"oops\\"\\r"'],
      ['JSON with space around it', ' {}', '"text":" {}"'],
      ['JSON over several lines', '{\n}', '"text":"{\\n}"'],
      ['a bare number', '7', '"text":"7"'],
      ['text that only looks like JSON', '{]', '"text":"{]"'],
      ['an empty line', '', '"text":""'],
    ])('%s', (_what, text, content) => {
      expect(lineOf(text)).toBe(`{"n":3,"t":812,"c":"protocol","d":">",${content}}\n`);
    });

    test('as base64 if it is not UTF-8', () => {
      const line = new TextDecoder().decode(encodeFrame(3, frame(Uint8Array.of(0x7b, 0xff, 0x7d))));
      expect(line).toContain('"b64":"e/99"');
    });

    test('as text if it is part of a longer line', () => {
      expect(lineOf('{}', FLAG.continued)).toBe('{"n":3,"t":812,"c":"protocol","d":">","f":2,"text":"{}"}\n');
    });

    test('as text if it is nested too deeply', () => {
      expect(lineOf('['.repeat(400) + ']'.repeat(400))).toContain('"text":"[[');
    });

    test('so that any bytes can be restored from one line', () => {
      const json = fc.json().map((text) => utf8(text));
      const bytes = fc.oneof(json, fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'binary' }).map(utf8));
      fc.assert(
        fc.property(
          bytes,
          fc.constantFrom(...CHANNELS),
          fc.constantFrom(...DIRECTIONS),
          (content, channel, direction) => {
            const line = encodeFrame(1, { time: 1, channel, direction, flags: 0, bytes: content });
            expect(contentOf(line).equals(Buffer.from(content))).toBe(true);
          },
        ),
      );
    });

    test('so that a large binary frame can be restored', () => {
      const content = Uint8Array.from({ length: 200_000 }, (_, index) => index % 256);
      expect(contentOf(encodeFrame(1, frame(content))).equals(Buffer.from(content))).toBe(true);
    });
  });

  test('writes lines as in docs/recording-format.md', () => {
    const document = readFileSync(join(import.meta.dirname, '../../docs/recording-format.md'), 'utf8');
    const header = encodeHeaderOrEnd({
      mcpr: RECORDING_VERSION,
      id: '0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11',
      at: '2026-01-31T12:00:00.000Z',
      by: 'mcp-inspect/0.1.0',
      mode: 'client',
      name: 'demo',
      transport: 'stdio',
      redaction: { policy: 'capture/2' },
    });
    const ping = { ...frame(utf8('{"jsonrpc":"2.0","id":1,"method":"ping"}')), time: 30_411 };
    expect(document).toContain(new TextDecoder().decode(header));
    expect(document).toContain(new TextDecoder().decode(encodeFrame(2, ping)));
  });
});

describe('FrameEncoder', () => {
  // Small limits, so that a few characters behave like megabytes.
  const real = { ...BLOB_LIMITS };
  const small = { minBytes: 8, perFrame: 3, window: 5, windowBytes: 120, textBytes: 120 };
  beforeAll(() => void Object.assign(BLOB_LIMITS, small));
  afterAll(() => void Object.assign(BLOB_LIMITS, real));

  const header = encodeHeaderOrEnd(TEST_HEADER);
  const frame = (text: string | Uint8Array, flags = 0, channel: 'protocol' | 'stderr' = 'protocol') =>
    ({ time: 0, channel, direction: 'to-client', flags, bytes: Buffer.from(text as string) }) as const;
  const linesOf = (encoder: FrameEncoder, n: number, text: string | Uint8Array, flags?: number) =>
    encoder.encodeLines(n, frame(text, flags)).map((line) => Buffer.from(line).toString());

  /** A reader written from the document alone, which puts strings back into a text. */
  function peerRead(file: string): string[] {
    const blobs = new Map<string, Buffer>();
    const found: string[] = [];
    for (const line of file.split('\n').slice(1, -1)) {
      const parsed = JSON.parse(line) as {
        k?: string;
        b: string;
        blobs?: [number, string][];
        text?: string;
        b64?: string;
      };
      const textAfter = (key: string) => Buffer.from(line.slice(line.indexOf(`"${key}":`) + key.length + 3, -1));
      if (parsed.k === 'blob') blobs.set(parsed.b, textAfter('s').subarray(1, -1));
      else if (parsed.blobs) {
        let bytes = textAfter('cut');
        for (const [at, name] of parsed.blobs.reverse()) {
          bytes = Buffer.concat([bytes.subarray(0, at), blobs.get(name)!, bytes.subarray(at)]);
        }
        found.push(bytes.toString());
      } else if (parsed.b64 !== undefined) found.push(Buffer.from(parsed.b64, 'base64').toString());
      else found.push(parsed.text ?? textAfter('m').toString());
    }
    return found;
  }

  describe('a long string', () => {
    test('gets a line of its own before its frame', () => {
      const encoder = new FrameEncoder();
      expect(linesOf(encoder, 1, '{"a":1.0,"data":"12345678","z":"x"}')).toEqual([
        '{"k":"blob","b":"b1","s":"12345678"}\n',
        '{"n":1,"t":0,"c":"protocol","d":"<","blobs":[[17,"b1"]],"cut":{"a":1.0,"data":"","z":"x"}}\n',
      ]);
      expect(linesOf(encoder, 2, '["12345678"]')).toEqual([
        '{"n":2,"t":0,"c":"protocol","d":"<","blobs":[[2,"b1"]],"cut":[""]}\n',
      ]);
    });

    test('is identified by its characters as written, with their escapes', () => {
      const encoder = new FrameEncoder();
      const [blob] = linesOf(encoder, 1, '{"a":"\\u00e9\\"\\/\\\\"}');
      expect(blob).toBe('{"k":"blob","b":"b1","s":"\\u00e9\\"\\/\\\\"}\n');
      expect(linesOf(encoder, 2, '{"a":"é\\"/\\\\....."}')[0]).toContain('"b2"');
    });

    test('stays in its frame if it is a member name', () => {
      const text = '{"123456789" :{"1234567890":"12345678"}}';
      const [blob, rest] = linesOf(new FrameEncoder(), 1, text);
      expect([blob, rest]).toEqual([
        '{"k":"blob","b":"b1","s":"12345678"}\n',
        '{"n":1,"t":0,"c":"protocol","d":"<","blobs":[[29,"b1"]],"cut":{"123456789" :{"1234567890":""}}}\n',
      ]);
    });

    test.each<[string, string | Uint8Array, number?]>([
      ['too short', '{"a":"1234567"}'],
      ['in invalid JSON', '{"a":"12345678"'],
      ['in more than one value', '{"a":"12345678"}{}'],
      ['with a line break in it', '{"a":"1234\n5678"}'],
      ['with a control character in it', '{"a":"1234\u00015678"}'],
      ['with an invalid escape', '{"a":"12345678\\x"}'],
      ['with half a character', Buffer.from([...Buffer.from('{"a":"1234567'), 0xc3, ...Buffer.from('"}')])],
      ['in JSON with white space around it', ' {"a":"12345678"}'],
      ['in a part of a line', '{"a":"12345678"}', 2],
      ['in a message with too much else', `{"a":"${'1'.repeat(120)}"}`],
    ])('%s stays in its frame', (_what, text, flags) => {
      expect(new FrameEncoder().encodeLines(1, frame(text, flags))).toEqual([encodeFrame(1, frame(text, flags))]);
    });

    test('stays in its frame on other channels', () => {
      expect(new FrameEncoder().encodeLines(1, frame('{"a":"12345678"}', 0, 'stderr'))).toHaveLength(1);
    });

    test('is written again after too many other strings', () => {
      const encoder = new FrameEncoder();
      const text = (digit: number) => `["${String(digit).repeat(8)}"]`;
      for (let digit = 0; digit < BLOB_LIMITS.window; digit++) linesOf(encoder, digit + 1, text(digit));
      expect(linesOf(encoder, 6, text(0))).toHaveLength(1);
      // With a new blob added, the first one leaves the window.
      expect(linesOf(encoder, 7, '["00000000","99999999"]').map((line) => line.slice(0, 20))).toEqual([
        '{"k":"blob","b":"b6"',
        '{"k":"blob","b":"b7"',
        '{"n":7,"t":0,"c":"pr',
      ]);
    });
  });

  test('writes any frames so that our reader and a reader written from the document restore them', () => {
    const string = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('aaaaaaaa', 'cccccccccccccccccccc', 'd'.repeat(60), 'e'.repeat(70), 'ff', ''),
      },
      fc.string({ unit: 'binary', minLength: 6, maxLength: 14 }),
      fc.constantFrom('"blobs":[[3,"b1"]]', '"","","","', '\\"\\"\\"\\"', '\u2028\u2029 \u2028', '\ufeff12345678'),
    );
    const value = fc.oneof(
      fc.array(string, { maxLength: 5 }).map((strings) => JSON.stringify(strings)),
      fc.dictionary(string, string, { maxKeys: 3 }).map((members) => JSON.stringify(members)),
      fc.tuple(string, string).map(([a, b]) => `{"a" : ${JSON.stringify(a)},"a":${JSON.stringify([b])},"n":1.50}`),
      fc.string({ maxLength: 30 }),
    );
    const made = { places: 0, blobs: 0 };
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), (texts) => {
        const encoder = new FrameEncoder();
        const lines = texts.flatMap((text, index) => encoder.encodeLines(index + 1, frame(text)));
        const file = Buffer.concat([header, ...lines]);
        const reader = new RecordingReader();
        const sent = texts.map((text) => Buffer.from(text).toString());
        expect(reader.readChunk(file).map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(sent);
        expect(reader.finish()).toMatchObject({ frames: texts.length, damaged: { count: 0 }, unknown: 0 });
        expect(peerRead(file.toString())).toEqual(sent);
        made.places += file.toString().match(/\[\d+,"b\d+"\](?=[,\]])/g)?.length ?? 0;
        made.blobs += lines.length - texts.length;
      }),
      { numRuns: 400, seed: 7 },
    );
    // Many frames had long strings, and some shared them.
    expect(made.blobs).toBeGreaterThan(1000);
    expect(made.places).toBeGreaterThan(made.blobs * 1.15);
  });
});
