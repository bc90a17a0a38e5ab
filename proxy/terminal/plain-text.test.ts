import { expect, test } from 'vitest';
import { plainText } from './plain-text';

test.each([
  ['\x1b]8;;http://x\x07link', '\uFFFD]8;;http://x\uFFFDlink'],
  ['\x1b[2J', '\uFFFD[2J'],
  ['\x9b31m', '\uFFFD31m'],
  ['a\rb\x08c', 'a\uFFFDb\uFFFDc'],
  ['a\u202Eb\u200Bc\u2028d', 'a\uFFFDb\uFFFDc\uFFFDd'],
  ['👩\u200D🚀 می\u200Cروم', '👩\u200D🚀 می\u200Cروم'],
  ['plain\ttext\nß 漢 🚀', 'plain\ttext\nß 漢 🚀'],
])('%j', (text, plain) => {
  expect(plainText(text)).toBe(plain);
});
