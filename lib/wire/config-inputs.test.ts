import { expect, test } from 'vitest';
import {
  filledWords,
  fillInputs,
  givenInputs,
  isLeftOut,
  missingInputs,
  readInputs,
  secretInputs,
} from './config-inputs';

const input = (id: string): string => `\${input:${id}}`;

test('what has only empty optional inputs is left out, and several values are several words', () => {
  const given = [
    { id: 'none', value: '' },
    { id: 'one', value: '1' },
    { id: 'dirs', value: '/a\n\n/b c\r\n', several: true as const },
  ];
  const answerTo = (id: string) => given.find((answer) => answer.id === id);
  const fill = (word: string): string => fillInputs(word, given);
  const words = [
    '-v',
    input('none'),
    `--x=${input('none')}`,
    `${input('none')}${input('one')}`,
    input('dirs'),
    '',
    input('unknown'),
  ];
  expect(filledWords(words, fill, answerTo)).toEqual(['-v', '1', '/a', '/b c', '', input('unknown')]);
  expect(isLeftOut('', answerTo)).toBe(false);
  expect(isLeftOut(input('unknown'), answerTo)).toBe(false);
});

test('a form is complete without its optional answers', () => {
  const inputs = [
    ...readInputs([
      { id: 'a', optional: true },
      { id: 'b' },
      { id: 'c', optional: true, type: 'pickString', options: ['x'] },
    ]).values(),
  ];
  expect(givenInputs(inputs, new Map())).toBeUndefined();
  expect(missingInputs(inputs, new Map()).map(({ id }) => id)).toEqual(['b']);
  expect(missingInputs(inputs, new Map([['b', '2']]))).toEqual([]);
  const given = givenInputs(inputs, new Map([['b', '2']]));
  expect(given).toEqual([
    { id: 'a', value: '' },
    { id: 'b', value: '2' },
    { id: 'c', value: '' },
  ]);
});

test('each of several secret values is a secret', () => {
  expect(secretInputs([{ id: 'k', value: 'one\ntwo', secret: true, several: true }])).toEqual([
    'one\ntwo',
    'one',
    'two',
  ]);
});
