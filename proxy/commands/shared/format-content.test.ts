import { expect, test } from 'vitest';
import { blockText, indentJson, resourceText } from './format-content';

test.each([
  {},
  [],
  { a: 1, b: [true, null, { c: 'x' }], d: {}, e: [], f: [[]] },
  'a "quoted" {string}, with [all]: of it\\',
  -1.5e-7,
  [[[1, 2], 3], 'a\nb'],
])('formats like JSON.stringify: %j', (value) => {
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(indentJson(JSON.stringify(value, null, 4))).toBe(JSON.stringify(value, null, 2));
});

test('keeps digits, duplicate keys and escapes', () => {
  expect(indentJson('{"a":9007199254740993,"a":1.0,"\\u0061":"\\/"}')).toBe(
    '{\n  "a": 9007199254740993,\n  "a": 1.0,\n  "\\u0061": "\\/"\n}',
  );
});

test('takes linear time for invalid and deeply nested JSON', () => {
  expect(indentJson('"torn')).toBe('"torn');
  expect(indentJson(']]}')).toBe('\n]\n]\n}');
  expect(indentJson('['.repeat(100_000)).length).toBeLessThan(100_000 * 70);
});

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

test('formats resource contents, valid or not', () => {
  expect(resourceText({ uri: 'u' })).toBe('{\n  "uri": "u"\n}');
  expect(resourceText(7)).toBe('7');
});

test('says that a value is nested too deep', () => {
  expect(blockText(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)))).toMatch(/nested too deep/);
});
