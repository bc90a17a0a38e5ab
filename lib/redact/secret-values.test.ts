import { expect, test } from 'vitest';
import { METHODS } from '@/lib/protocol/methods';
import { PROTOCOL_WORD } from './value-rows';

test('knows every method with a slash', () => {
  const methods = [...METHODS.keys()].filter((method) => method.includes('/'));
  expect(methods.length).toBeGreaterThan(20);
  expect(methods.filter((method) => !PROTOCOL_WORD.test(method))).toEqual([]);
});
