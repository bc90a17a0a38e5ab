import { expect, test } from 'vitest';
import { defaultsFor } from './defaults';

test('what is unset and has a default, and nothing else', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string', default: 'x' },
      b: { type: 'string' },
      c: { type: 'integer', default: 5 },
      n: { type: ['string', 'null'], default: null },
      deep: { type: 'object', properties: { d: { default: 1 } } },
      there: { type: 'object', properties: { e: { default: 2 } } },
    },
    required: ['b'],
  };
  expect(defaultsFor(schema, { c: 7, there: {} })).toEqual([
    { path: ['a'], value: 'x' },
    { path: ['n'], value: null },
    { path: ['there', 'e'], value: 2 },
  ]);
  expect(defaultsFor(schema, undefined)).toHaveLength(3);
  expect(defaultsFor(schema, 'text')).toEqual([]);
  expect(defaultsFor(undefined, {})).toEqual([]);
});
