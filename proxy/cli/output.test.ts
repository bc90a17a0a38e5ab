import { expect, test } from 'vitest';
import { hasColours, styledText } from './output';
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

test('removes escapes from pieces, and keeps each piece on its line', () => {
  const lines = [['a ', { text: '\u001b[31mx\ny\u0007', tone: 'bad' }], ['b']] as const;
  expect(styledText(lines, false)).toBe('a \uFFFD[31mx y\uFFFD\nb');
  expect(styledText(lines, true)).toBe('a \u001b[31m\uFFFD[31mx y\uFFFD\u001b[39m\nb');
});

test('uses colours only on terminals, and only if the environment allows them', () => {
  expect(hasColours({ isTTY: true }, {})).toBe(true);
  for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
    expect(hasColours({ isTTY: true }, environment)).toBe(false);
  expect(hasColours({}, {})).toBe(false);
});
