import { expect, test } from 'vitest';
import { blockText, resourceText } from './content';

test.each<[unknown, string]>([
  [{ type: 'text', text: 'a\nb' }, 'a\nb'],
  [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }, '[image image/png, 3 bytes; --json has them]'],
  [{ type: 'audio', data: 'AAA=' }, '[audio, 2 bytes; --json has them]'],
  [{ type: 'resource', resource: { uri: 'u', text: 'hello' } }, 'hello'],
  [{ type: 'resource', resource: { uri: 'u', blob: 'AA==' } }, '[u, 1 bytes; --json has them]'],
  [{ type: 'resource_link', uri: 'u', name: 'n' }, '[link u n]'],
  [{ type: 'resource_link', uri: 'u', name: 1 }, '[link u]'],
  [{ type: 'text', text: 5 }, '{\n  "type": "text",\n  "text": 5\n}'],
  [{ type: 'hologram' }, '{\n  "type": "hologram"\n}'],
  [{ type: '__proto__' }, '{\n  "type": "__proto__"\n}'],
  [null, 'null'],
  ['x', '"x"'],
])('%j', (block, text) => {
  expect(blockText(block)).toBe(text);
});

test('contents of a resource, right or not', () => {
  expect(resourceText({ uri: 'u' })).toBe('{\n  "uri": "u"\n}');
  expect(resourceText(7)).toBe('7');
});

test('a value nested too deep to be written is said to be that', () => {
  expect(blockText(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)))).toMatch(/nested too deep/);
});
