import { expect, test } from 'vitest';
import { readCount } from './read-count';

test.each([undefined, null, '', ' 1', '-1', '0x10', '1e9', '1.5', '9'.repeat(16), 'NaN'])(
  '%j is not a count',
  (text) => {
    expect(readCount(text)).toBeUndefined();
  },
);

test('a count has up to 15 digits', () => {
  expect(['0', '007', '9'.repeat(15)].map(readCount)).toEqual([0, 7, 999_999_999_999_999]);
});
