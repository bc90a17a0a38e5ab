import fc from 'fast-check';
import { expect, test } from 'vitest';
import { needleOf } from './text-search';

const encoder = new TextEncoder();
const isIn = (text: string, whole: string) => needleOf(text).isIn(encoder.encode(whole));

test.each([
  ['', '', true],
  ['', 'x', true],
  ['x', '', false],
  ['Hello', 'say hELLO', true],
  ['hello', 'hell', false],
  ['aab', 'aaab', true],
  ['[', '{', false],
  ['@', '`', false],
  ['größe', 'GRÖSSE', false],
  ['GRÖSSE', 'die grösse', true],
  ['日本', 'in 日本語', true],
  ['😀x', '😀X', true],
])('%j in %j: %s', (text, whole, expected) => {
  expect(isIn(text, whole)).toBe(expected);
});

test('agrees with a search of the lower-case text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '-', '日', 'é', 'É'), maxLength: 4 });
  const whole = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '-', '日', 'é', 'É'), maxLength: 40 });
  fc.assert(
    fc.property(text, whole, (wanted, all) => {
      expect(isIn(wanted, all)).toBe(all.toLowerCase().includes(wanted.toLowerCase()));
    }),
  );
});

test('searches bytes that are not valid UTF-8', () => {
  expect(needleOf('ok').isIn(new Uint8Array([0xff, 0x4f, 0x4b, 0xfe]))).toBe(true);
});
