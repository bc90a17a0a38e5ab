import { expect, test } from 'vitest';
import { bodyBytes } from './mcp-entries';

const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
/** As Chromium has it in an archive. */
const misread = (text: string) => new TextDecoder('windows-1252').decode(utf8(text));

test.each(['plain', 'hé – “ü” 🦑', '\u0081\u009d'])('restores misread %s', (text) => {
  expect(read(bodyBytes(misread(text), utf8(text).length))).toBe(text);
});

test.each([
  ['as it is', 'hé', 3],
  ['whatever it looks like', misread('hé'), utf8(misread('hé')).length],
  ['without a size', misread('hé'), undefined],
  ['of another size', misread('hé'), 99],
  ['if it was not UTF-8', 'hé', 2],
])('a text is left %s', (_, text, size) => {
  expect(read(bodyBytes(text, size))).toBe(text);
});
