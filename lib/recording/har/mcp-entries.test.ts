import { expect, test } from 'vitest';
import { bodyBytes } from './mcp-entries';

const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
/** Decodes UTF-8 as Chromium does in an archive. */
const misread = (text: string) => new TextDecoder('windows-1252').decode(utf8(text));

test.each(['plain', 'hé – “ü” 🦑', '\u0081\u009d'])('restores the misread text %s', (text) => {
  expect(read(bodyBytes(misread(text), utf8(text).length))).toBe(text);
});

test.each([
  ['plain', 'hé', 3],
  ['if its size is right', misread('hé'), utf8(misread('hé')).length],
  ['without a size', misread('hé'), undefined],
  ['of another size', misread('hé'), 99],
  ['if it would not be UTF-8', 'hé', 2],
])('leaves a text alone: %s', (_, text, size) => {
  expect(read(bodyBytes(text, size))).toBe(text);
});
