import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfText, byteText } from './byte-text';
import { patternFinder } from './extra-patterns';
import { countPatternMatches } from './redaction';
import { ShareReview } from './share-review';
import { plantedFrame } from './test-plant';

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

test('stops an expression that takes too long, wherever it runs', () => {
  const within = (_ms: number, work: () => void) => {
    try {
      new Script('call()').runInContext(createContext({ call: work }), { timeout: 50 });
      return true;
    } catch {
      return false;
    }
  };
  const frame = plantedFrame(JSON.stringify({ password: 'hunter2!', text: `${'a'.repeat(60)}!` }));
  const review = new ShareReview();
  review.addFrame(frame);
  review.addFrame(plantedFrame(`password=${'a'.repeat(60)}!`));
  const patterns = [{ regex: '^(a+)+$' }];
  const failure = expect.objectContaining({ code: 'pattern-too-slow' });
  expect(() => review.createRedaction({ patterns, within }).apply(frame)).toThrow(failure);
  expect(() => review.idsMatching(patterns, within)).toThrow(failure);
  expect(() => countPatternMatches(patternFinder(patterns), frame.bytes, within)).toThrow(failure);
});
