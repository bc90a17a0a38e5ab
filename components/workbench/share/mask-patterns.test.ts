import { expect, test } from 'vitest';
import { patternFault } from './mask-patterns';

test.each([
  ['/(/', 'is not a regular expression'],
  ['ab', 'fewer than 3 characters'],
])('%s is refused where it is typed, for what is wrong with it', (text, reason) => {
  expect(patternFault(['Acme', text])).toContain(reason);
});

test('what can be masked is not', () => {
  expect(patternFault(['Acme', '/[a-z.]+@[a-z.-]+/'])).toBeUndefined();
});
