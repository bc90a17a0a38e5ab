import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfText, byteText } from './byte-text';
import { patternFinder } from './extra-patterns';

/** What is left of bytes without what a pattern finds. */
function without(bytes: Uint8Array, regex: string): Buffer {
  const text = byteText(bytes);
  let [rest, read] = ['', 0];
  patternFinder([{ regex }])(text, (from, to) => {
    rest += text.slice(read, from);
    read = to;
  });
  return Buffer.from(bytesOfText(rest + text.slice(read)));
}

test('of text is left what the pattern leaves of its characters', () => {
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

test('what is no UTF-8 stays to the byte around what is found', () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('ü\ufffdx secret 𝄞'), Buffer.from([0xe2, 0x82])]);
  const left = Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('ü\ufffdx '), Buffer.from([0xe2, 0x82])]);
  expect(without(bytes, 'secret .')).toEqual(left);
});

test('of any bytes, what is found is whole characters', () => {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const some = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
    ),
  );
  fc.assert(
    fc.property(some, (pieces) => {
      const text = byteText(Buffer.concat([...pieces, Buffer.from([0xff])]));
      patternFinder([{ regex: '[^\\ufffd]{2}' }])(text, (from, to) => {
        expect(() => utf8.decode(bytesOfText(text.slice(from, to)))).not.toThrow();
      });
    }),
  );
});
