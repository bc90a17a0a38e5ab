import { expect, test } from 'vitest';
import { METHODS } from '@/lib/protocol/methods';
import { isProtocolWord } from './secret-values';

test('every method that has a slash is a word of the protocol', () => {
  const methods = [...METHODS.keys()].filter((method) => method.includes('/'));
  expect(methods.length).toBeGreaterThan(20);
  expect(methods.filter((method) => !isProtocolWord(method))).toEqual([]);
});
