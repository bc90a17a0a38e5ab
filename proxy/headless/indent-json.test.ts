import { expect, test } from 'vitest';
import { indentJson } from './indent-json';

test.each([
  {},
  [],
  { a: 1, b: [true, null, { c: 'x' }], d: {}, e: [], f: [[]] },
  'a "quoted" {string}, with [all]: of it\\',
  -1.5e-7,
  [[[1, 2], 3], 'a\nb'],
])('as JSON.stringify does: %j', (value) => {
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(indentJson(JSON.stringify(value, null, 4))).toBe(JSON.stringify(value, null, 2));
});

test('digits, duplicate keys and escapes stay', () => {
  expect(indentJson('{"a":9007199254740993,"a":1.0,"\\u0061":"\\/"}')).toBe(
    '{\n  "a": 9007199254740993,\n  "a": 1.0,\n  "\\u0061": "\\/"\n}',
  );
});

test('what is no JSON and what is nested without end costs no more than it is long', () => {
  expect(indentJson('"torn')).toBe('"torn');
  expect(indentJson(']]}')).toBe('\n]\n]\n}');
  expect(indentJson('['.repeat(100_000)).length).toBeLessThan(100_000 * 70);
});
