import { expect, test } from 'vitest';
import { readNumberField } from './number-field';

test.each([
  ['', 20],
  ['  ', 20],
  ['5', 5],
  ['1e3', 1000],
  ['0', 'invalid'],
  ['-1', 'invalid'],
  ['1.5', 'invalid'],
  ['many', 'invalid'],
  ['1e999', 'invalid'],
  ['99999999999999999999', 'invalid'],
])('the limit %j is read as %j', (text, number) => {
  expect(readNumberField(text, { least: 1, whole: true, usual: 20 })).toBe(number);
});
