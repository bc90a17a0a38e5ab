import { expect, test } from 'vitest';
import { helpText } from './help';

test('every line of the help fits a terminal', () => {
  expect(
    helpText()
      .split('\n')
      .filter((line) => line.length > 100),
  ).toEqual([]);
});
