import { expect, test } from 'vitest';
import { endOfStderr } from './failed-server';

test('shows the line of stderr that explains the end before the last ones', () => {
  const stack = Array.from({ length: 30 }, (_, at) => `    at load (a.js:${at})`);
  const shown = endOfStderr(['up', 'Error: no bindings', ...stack, '}']);
  expect(shown.slice(0, 2)).toEqual(['Error: no bindings', '…']);
  expect(shown).toHaveLength(12);
});

test('does not repeat a line that is among the last ones', () => {
  expect(endOfStderr(['up', 'Error: no bindings'])).toEqual(['up', 'Error: no bindings']);
  expect(endOfStderr([])).toEqual([]);
});
