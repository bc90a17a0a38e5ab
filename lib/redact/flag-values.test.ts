import { expect, test } from 'vitest';
import { secretFlagValues } from './flag-values';

test.each([
  [['server.js', '--api-key=abc-1', '--port=3'], ['abc-1']],
  [['--token', 'abc-1', 'x'], ['abc-1']],
  [['-token=abc-1'], ['abc-1']],
  [['--password', 'abc'], ['abc']],
  [['--token', '--verbose'], []],
  [['--name', 'abc-1', 'token', 'x-1'], []],
  [['https://me:abc-1@host/'], ['me:abc-1']],
])('%j → %j', (args, values) => {
  expect(secretFlagValues(args)).toEqual(values);
});
