import { expect, test } from 'vitest';
import { draftMatches } from './text-controls';

test.each<[draft: string, value: unknown, expected: boolean]>([
  ['', undefined, true],
  ['', null, true],
  ['null', null, true],
  ['null', undefined, false],
  ['1', undefined, false],
  ['{"a": 1}', { a: 1 }, true],
  ['2', 1, false],
])('the draft %j stands for %j: %s', (draft, value, expected) => {
  expect(draftMatches(draft, value)).toBe(expected);
});
