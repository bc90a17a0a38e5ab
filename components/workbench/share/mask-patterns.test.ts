import { expect, test } from 'vitest';
import { patternFault } from './mask-patterns';

test.each([
  ['/(/', 'is not a regular expression'],
  ['ab', 'fewer than 3 characters'],
])('explains why %s is refused', (text, reason) => {
  expect(patternFault(['Acme', text])).toContain(reason);
});

test('accepts valid patterns', () => {
  expect(patternFault(['Acme', '/[a-z.]+@[a-z.-]+/'])).toBeUndefined();
});
