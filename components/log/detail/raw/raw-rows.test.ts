import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce } from '@/lib/wire/in-slices';
import { rawRows } from './raw-rows';

const encode = (text: string) => new TextEncoder().encode(text);

function rowsOf(bytes: Uint8Array, columns: number): string[] {
  const rows = atOnce(rawRows(bytes, columns));
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return Array.from({ length: rows.count }, (_, row) =>
    text.decode(bytes.subarray(rows.start(row), rows.start(row + 1))),
  );
}

test('rows are as wide as asked for, and a line feed ends one', () => {
  expect(rowsOf(encode('abcdefgh'), 3)).toEqual(['abc', 'def', 'gh']);
  expect(rowsOf(encode('a\r\nbcd\n'), 10)).toEqual(['a\r\n', 'bcd\n']);
  expect(rowsOf(encode(''), 10)).toEqual([]);
});

test('what is wide, or shown as an escape, takes its room', () => {
  expect(rowsOf(encode('日本語'), 4)).toEqual(['日本', '語']);
  expect(rowsOf(encode('\u001b[1m'), 5)).toEqual(['\u001b[', '1m']);
});

test('nothing is lost, and no character is cut in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, columns) => {
      expect(rowsOf(encode(text), columns).join('')).toBe(text);
    }),
  );
});

test('invalid bytes are rows as well', () => {
  const bytes = new Uint8Array(100).fill(0xff);
  const rows = atOnce(rawRows(bytes, 20));
  expect(rows.count).toBe(20);
  expect(rows.start(20)).toBe(100);
});
