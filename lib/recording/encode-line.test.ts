import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHANNELS, DIRECTIONS, FLAG } from '@/lib/wire/frame';
import { encodeFrame, encodeLine } from './encode-line';
import { RECORDING_VERSION } from './format';

const utf8 = (text: string) => new TextEncoder().encode(text);
const frame = (bytes: Uint8Array, flags = 0) =>
  ({ time: 812, channel: 'protocol', direction: 'to-server', flags, bytes }) as const;
const lineOf = (text: string, flags = 0) => new TextDecoder().decode(encodeFrame(3, frame(utf8(text), flags)));

/** A reader as the specification has it: the content is cut out of the line, not made anew. */
function contentOf(line: Uint8Array): Buffer {
  const text = Buffer.from(line).toString();
  expect(text.endsWith('\n')).toBe(true);
  expect(text.indexOf('\n')).toBe(text.length - 1);
  const parsed = JSON.parse(text) as { text?: string; b64?: string };
  if (parsed.b64 !== undefined) return Buffer.from(parsed.b64, 'base64');
  if (parsed.text !== undefined) return Buffer.from(parsed.text);
  return Buffer.from(text.slice(text.indexOf(',"m":') + 5, -2));
}

describe('a frame', () => {
  test.each([
    [
      'JSON stands as it was',
      '{"id":1,"big":9007199254740993,"a":1,"a":2.0}',
      '"m":{"id":1,"big":9007199254740993,"a":1,"a":2.0}',
    ],
    ['a batch too', '[{"id":1}]', '"m":[{"id":1}]'],
    ['other text is a string', 'DEBUG "oops"\r', '"text":"DEBUG \\"oops\\"\\r"'],
    ['JSON with space around it', ' {}', '"text":" {}"'],
    ['JSON over several lines', '{\n}', '"text":"{\\n}"'],
    ['a bare number', '7', '"text":"7"'],
    ['what only looks like JSON', '{]', '"text":"{]"'],
    ['an empty line', '', '"text":""'],
  ])('%s', (_what, text, content) => {
    expect(lineOf(text)).toBe(`{"n":3,"t":812,"c":"protocol","d":">",${content}}\n`);
  });

  test('what is no UTF-8 is base64', () => {
    const line = new TextDecoder().decode(encodeFrame(3, frame(Uint8Array.of(0x7b, 0xff, 0x7d))));
    expect(line).toContain('"b64":"e/99"');
  });

  test('a part of a longer line is no message', () => {
    expect(lineOf('{}', FLAG.continued)).toBe('{"n":3,"t":812,"c":"protocol","d":">","f":2,"text":"{}"}\n');
  });

  test('a bomb is text', () => {
    expect(lineOf('['.repeat(400) + ']'.repeat(400))).toContain('"text":"[[');
  });

  test('any bytes come back, every line is JSON, and nothing else ends it', () => {
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

  test('a large binary one', () => {
    const content = Uint8Array.from({ length: 200_000 }, (_, index) => index % 256);
    expect(contentOf(encodeFrame(1, frame(content))).equals(Buffer.from(content))).toBe(true);
  });
});

test('the document shows what is written', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/recording-format.md'), 'utf8');
  const header = encodeLine({
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
