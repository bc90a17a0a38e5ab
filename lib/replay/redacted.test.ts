import { expect, test } from 'vitest';
import { fitsRedacted, isAnything, isRedacted } from './redacted';

test.each<[string, string, boolean]>([
  ['•••', 'anything', true],
  ['Bearer •••', 'Bearer x', true],
  ['Bearer •••', 'Basic x', false],
  ['a•••b•••c', 'a1b2c', true],
  ['a•••b•••c', 'ac', false],
  ['ab•••bc', 'abc', false],
  ['[redacted:token:0a1b]', '', true],
  ['x[redacted:aws-key:00ff]y', 'x y', true],
  ['plain', 'plain', true],
  ['plain', 'other', false],
])('%s and %s: %s', (recorded, text, fits) => expect(fitsRedacted(recorded, text)).toBe(fits));

test('what was taken out as a whole may have been anything', () => {
  expect([isAnything('•••'), isAnything('[redacted:x:00]'), isAnything('a •••')]).toEqual([true, true, false]);
  expect([isRedacted('{"a":"•••"}'), isRedacted('{"a":"[redacted]"}')]).toEqual([true, false]);
});
