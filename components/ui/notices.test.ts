import { expect, test } from 'vitest';
import { codeParts } from './notices';

test.each([
  ['The argument `mode` is new.', ['The argument ', ['mode'], ' is new.']],
  ['`a` was `b`', [['a'], ' was ', ['b']]],
  ['no code', ['no code']],
  ['one ` alone', ['one ` alone']],
  ['`a` and one ` alone', [['a'], ' and one ` alone']],
  ['', []],
])('splits %j at backticks', (sentence, parts) => {
  expect(codeParts(sentence).map(({ code, text }) => (code ? [text] : text))).toEqual(parts);
});
