import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runToEnd } from '@/lib/wire/in-slices';
import { byteRuns, rawRows } from './byte-rows';

const encode = (text: string) => new TextEncoder().encode(text);

function rowsOf(bytes: Uint8Array, columns: number): string[] {
  const rows = runToEnd(rawRows(bytes, columns));
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return Array.from({ length: rows.count }, (_, row) =>
    text.decode(bytes.subarray(rows.start(row), rows.start(row + 1))),
  );
}

test('cuts rows at the width and after a line feed', () => {
  expect(rowsOf(encode('abcdefgh'), 3)).toEqual(['abc', 'def', 'gh']);
  expect(rowsOf(encode('a\r\nbcd\n'), 10)).toEqual(['a\r\n', 'bcd\n']);
  expect(rowsOf(encode(''), 10)).toEqual([]);
});

test('counts wide characters and escapes by their width', () => {
  expect(rowsOf(encode('日本語'), 4)).toEqual(['日本', '語']);
  expect(rowsOf(encode('\u001b[1m'), 5)).toEqual(['\u001b[', '1m']);
});

test('loses no byte and splits no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, columns) => {
      expect(rowsOf(encode(text), columns).join('')).toBe(text);
    }),
  );
});

test('cuts invalid bytes into rows', () => {
  const bytes = new Uint8Array(100).fill(0xff);
  const rows = runToEnd(rawRows(bytes, 20));
  expect(rows.count).toBe(20);
  expect(rows.start(20)).toBe(100);
});

const utf8 = (text: string) => new TextEncoder().encode(text);
const shown = (...bytes: number[]) =>
  byteRuns(Uint8Array.from(bytes))
    .map((run) => run.text)
    .join('');

describe('byteRuns', () => {
  test('returns valid text as one run', () => {
    const text = '{"a":"grüße 👩‍👩‍👧 שלום"}';
    expect(byteRuns(utf8(text))).toEqual([{ text, escaped: false }]);
  });

  test.each([
    ['a lone continuation byte', [0x61, 0x80, 0x62], 'a\\x80b'],
    ['a lead byte at the end', [0x61, 0xe2, 0x82], 'a\\xe2\\x82'],
    ['an overlong slash', [0xc0, 0xaf], '\\xc0\\xaf'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\\xed\\xa0\\x80'],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], '\\xf4\\x90\\x80\\x80'],
    ['Latin-1 among ASCII', [0x6e, 0xe9, 0x65], 'n\\xe9e'],
    ['carriage return and escape', [0x61, 0x0d, 0x1b], 'a\\x0d\\x1b'],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b], '\\ufeff{'],
  ])('%s', (_, bytes, text) => expect(shown(...bytes)).toBe(text));

  test('agrees with TextDecoder for every first byte, with second bytes around the continuation range', () => {
    const strict = new TextDecoder('utf-8', { fatal: true });
    for (let first = 0; first < 256; first++) {
      for (let second = 0x7e; second < 0xc2; second++) {
        const bytes = Uint8Array.of(first, second, 0x41);
        let valid = true;
        try {
          strict.decode(bytes);
        } catch {
          valid = false;
        }
        const hidden = byteRuns(bytes).some((run) => run.escaped && /\\x[89a-f]/.test(run.text));
        const control = valid && [...new TextDecoder().decode(bytes)].some((c) => c >= '\u0080' && c <= '\u009f');
        expect(hidden).toBe(!valid || control || (valid && first === 0xc2 && second === 0xad));
      }
    }
  });
});
