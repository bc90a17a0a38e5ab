import { expect, test } from 'vitest';
import { fieldTerm, withTerm } from './terms';

const method = fieldTerm('method', 'tools/call');

test.each<[string, string]>([
  ['', 'method:tools/call'],
  ['echo', 'echo method:tools/call'],
  ['echo or ping', '(echo or ping) method:tools/call'],
  ['method:tools/call echo', 'echo method:tools/call'],
  ['-method:tools/call echo', 'echo method:tools/call'],
  ['"not closed', 'method:tools/call'],
])('%j with a condition more: %j', (text, expected) => {
  expect(withTerm(text, method)).toBe(expected);
});

test('what is hidden is no longer the only thing shown', () => {
  expect(withTerm('echo method:tools/call', method, { not: true })).toBe('echo -method:tools/call');
});

test('a condition may take the place of all on its key, or only take them away', () => {
  const time = (value: string) => fieldTerm('time', value);
  expect(withTerm('echo time:1s..2s', time('3s..4s'), { key: 'time' })).toBe('echo time:3s..4s');
  expect(withTerm('echo time:1s..2s', undefined, { key: 'time' })).toBe('echo');
});

test.each([
  ['echo', 'tool:echo'],
  ['two words', 'tool:"two words"'],
  ['a*', 'tool:"a*"'],
  ['f(x)', 'tool:f(x)'],
  ['a)', 'tool:"a)"'],
  ['"', 'tool:"\\""'],
  ['', 'tool:""'],
])('%j becomes %s', (value, written) => {
  expect(withTerm('', fieldTerm('tool', value))).toBe(written);
});
