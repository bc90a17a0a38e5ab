import { expect, test } from 'vitest';
import { patternTest } from './word-keys';

test.each<[string, string[], string[]]>([
  ['tools/call', ['tools/call', 'TOOLS/Call'], ['tools/calls', 'xtools/call']],
  ['tools/*', ['tools/', 'tools/list'], ['tool', 'mytools/list']],
  ['*/list', ['tools/list', '/list'], ['tools/lists']],
  ['*a*b*', ['ab', 'xaxbx'], ['ba']],
  ['a*a', ['aa', 'aba'], ['a']],
  ['ab*bc', ['abbc', 'ab-bc'], ['abc']],
  ['a*b*c', ['abc', 'a-b-c'], ['acb', 'abcd']],
  ['*', ['', 'x'], []],
])('%s', (value, fits, not) => {
  const test = patternTest({ value, quoted: false });
  expect([...fits, ...not].filter(test)).toEqual(fits);
});

test('matches a star literally in quotes', () => {
  const test = patternTest({ value: 'a*', quoted: true });
  expect(['a*', 'ab'].filter(test)).toEqual(['a*']);
});

test('matches many stars against a long text quickly', () => {
  expect(patternTest({ value: `${'*a'.repeat(50)}b`, quoted: false })('a'.repeat(100_000))).toBe(false);
});
