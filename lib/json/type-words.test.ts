import { expect, test } from 'vitest';
import { parseExactJson } from './exact';
import { typeWords, withArticle } from './type-words';

test.each([
  ['null', 'null'],
  ['[]', 'an array'],
  ['{}', 'an object'],
  ['"a"', 'a string'],
  ['true', 'a boolean'],
  ['18446744073709551615', 'a number'],
])('%s is %s', (text, words) => {
  expect(typeWords(parseExactJson(text))).toBe(words);
});

test('a schema’s type has its article', () => {
  expect(['integer', 'string', 'null', 'enum'].map(withArticle)).toEqual(['an integer', 'a string', 'null', 'an enum']);
});
