import { describe, expect, test } from 'vitest';
import { byteRuns } from './byte-text';

const utf8 = (text: string) => new TextEncoder().encode(text);
const shown = (...bytes: number[]) =>
  byteRuns(Uint8Array.from(bytes))
    .map((run) => run.text)
    .join('');

describe('byteRuns', () => {
  test('valid text comes back whole', () => {
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

  test('agrees with the platform on what is valid, for every two bytes', () => {
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
