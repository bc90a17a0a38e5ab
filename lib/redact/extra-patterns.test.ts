import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfText, byteText } from './byte-text';
import { patternFinder } from './extra-patterns';

/** Replaces the matches of a pattern in bytes. */
function without(bytes: Uint8Array, regex: string): Buffer {
  const text = byteText(bytes);
  let [rest, read] = ['', 0];
  patternFinder([{ regex }])(text, (from, to) => {
    rest += text.slice(read, from);
    read = to;
  });
  return Buffer.from(bytesOfText(rest + text.slice(read)));
}

test('replaces the characters that a pattern matches', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('[^a]{1}b?', '(?:a|é)+', '[\\u0800-\\uffff]{1,}'),
      (text, regex) => {
        const expected = text.toWellFormed().replace(new RegExp(regex, 'giu'), '');
        expect(without(Buffer.from(text), regex).toString()).toBe(expected);
      },
    ),
  );
});

test('matches bytes in text that is not UTF-8, and keeps the rest', () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('ü\ufffdx secret 𝄞'), Buffer.from([0xe2, 0x82])]);
  const left = Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('ü\ufffdx '), Buffer.from([0xe2, 0x82])]);
  expect(without(bytes, 'secret ....')).toEqual(left);
});
