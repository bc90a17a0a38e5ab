import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JSON_DEPTH } from '@/lib/json/parse';
import { JsonOutline, readOutline } from './outline';
import { JSON_NODES } from './parse';
import { finish, outlineOf } from './test-outline';

const encode = (text: string) => new TextEncoder().encode(text);

const read = (bytes: Uint8Array, portion?: number) => finish(readOutline(bytes, portion));

/** Rebuilds the value from an outline's nodes alone. */
function value(from: JsonOutline, node = 0): unknown {
  if (from.kind(node) === 'array') return Array.from(from.children(node), (child) => value(from, child));
  if (from.kind(node) !== 'object') return JSON.parse(from.text(node));
  const entries = Array.from(from.children(node), (child) => [from.name(child), value(from, child)] as const);
  return Object.fromEntries(entries);
}

test('ignores one byte order mark, and counts its bytes', () => {
  const result = read(encode('\uFEFF [1]'));
  expect(value(result as JsonOutline)).toEqual([1]);
  expect((result as JsonOutline).start(0)).toBe(4);
  for (const text of ['\uFEFF', '\uFEFF\uFEFF1', '1\uFEFF']) expect(read(encode(text))).toBe('not-json');
});

describe('accepts exactly what JSON.parse accepts', () => {
  test('for any value, in portions of any size', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), (text, portion, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        const result = read(encode(written), portion);
        expect(result).toBeInstanceOf(JsonOutline);
        expect(value(result as JsonOutline)).toEqual(JSON.parse(written));
      }),
    );
  });

  test('for any text with an error somewhere', () => {
    const pieces = fc.constantFrom(
      '"',
      '\\',
      ',',
      ':',
      '[',
      ']',
      '{',
      '}',
      '0',
      '-',
      '.',
      'e',
      'null',
      'u12',
      '\n',
      ' ',
    );
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat({ max: 3 }), pieces, (text, place, cut, piece) => {
        const at = place % (text.length + 1);
        const broken = text.slice(0, at) + piece + text.slice(at + cut);
        let parses = true;
        try {
          JSON.parse(new TextDecoder().decode(encode(broken)));
        } catch {
          parses = false;
        }
        expect(typeof read(encode(broken)) !== 'string').toBe(parses);
      }),
      { numRuns: process.env.TEST_LONG ? 2000 : 400 },
    );
  });

  test.each([
    '',
    ' ',
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '+1',
    'tru',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '"\t"',
    '"\\x"',
    '1 2',
    '"a',
  ])('%j is not JSON', (text) => expect(read(encode(text))).toBe('not-json'));
});

test('gives positions, parents and numbers of children', () => {
  const text = '{"a": [10, "é", {"b":null}], "c":1.50}';
  const from = outlineOf(text);
  expect(from.size).toBe(7);
  expect(from.name(1)).toBe('a');
  expect(from.childCount(1)).toBe(3);
  expect([...from.children(0)]).toEqual([1, 6]);
  expect(from.next(1)).toBe(6);
  expect(from.parent(5)).toBe(4);
  expect(from.indexInParent(4)).toBe(2);
  expect(from.string(3)).toBe('é');
  expect(from.text(6)).toBe('1.50');
  expect(new TextDecoder().decode(from.bytes.subarray(from.nameStart(6), from.end(6)))).toBe('"c":1.50');
});

test('cuts a long string between characters and escapes', () => {
  for (const unit of ['😀', '\\ud83d', '\\n', 'aé', '\\\\']) {
    for (let shift = 0; shift < 6; shift++) {
      const from = outlineOf(`"${'x'.repeat(shift)}${unit.repeat(2000)}"`);
      const { text, whole } = from.stringStart(0);
      expect(whole).toBe(false);
      expect(from.string(0).startsWith(text)).toBe(true);
      expect(text.length).toBeGreaterThan(300);
    }
  }
  expect(outlineOf('"short"').stringStart(0)).toEqual({ text: 'short', whole: true });
});

test('splits no escape after an incomplete character', () => {
  // 0xc3 needs a second byte to be a character; the quotes are escaped.
  for (const lead of [0xc3, 0xe2, 0xf0]) {
    for (const shift of ['', 'a', 'aa', 'aaa']) {
      const noise = Array.from({ length: 2000 }, () => [lead, 0x5c, 0x22]).flat();
      const from = read(Uint8Array.from([0x22, ...encode(shift), ...noise, 0x22])) as JsonOutline;
      expect(from.stringStart(0).text.startsWith(`${shift}\ufffd"`)).toBe(true);
    }
  }
});

test('gives the end and the beginning of a name', () => {
  const name = `a"b${'é'.repeat(5000)}`;
  const from = outlineOf(`{"x":"\\"", ${JSON.stringify(name)} \t:\n 1}`);
  expect([from.name(1), from.name(2)]).toEqual(['x', name]);
  expect(name.startsWith(from.shortName(2)!)).toBe(true);
  expect(from.shortName(2)!.length).toBeLessThan(2048);
  expect([from.shortName(0), from.shortName(1)]).toEqual([undefined, 'x']);
});

test('accepts invalid UTF-8 and shows it as U+FFFD', () => {
  const from = read(Uint8Array.from([0x22, 0x61, 0xff, 0x62, 0x22]));
  expect((from as JsonOutline).string(0)).toBe('a\ufffdb');
});

test('refuses JSON beyond the bounds', () => {
  expect(read(encode('['.repeat(JSON_DEPTH + 1)))).toBe('too-deep');
  expect(read(encode(`[${'0,'.repeat(JSON_NODES)}0]`))).toBe('too-many');
});
