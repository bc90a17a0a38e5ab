import { expect, test } from 'vitest';
import { view as viewOf } from '@/lib/schema/view';
import { isGroup } from './field';

const group = (schema: unknown) => isGroup(viewOf(schema, schema), schema);
const level = (to: string) => ({ oneOf: Array.from({ length: 100 }, () => ({ $ref: `#/$defs/${to}` })) });

test('objects, lists and unions of them are groups; a string or a list of strings is not', () => {
  expect(group({ type: 'object' })).toBe(true);
  expect(group({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })).toBe(false);
  expect(group({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] })).toBe(true);
});

test('stops at a union that contains itself', () => {
  expect(group({ anyOf: [{ type: 'string' }, { $ref: '#' }] })).toBe(false);
});

test('ends soon on nested unions', () => {
  const schema = {
    ...level('b'),
    $defs: { b: level('c'), c: level('d'), d: level('e'), e: { type: 'string' } },
  };
  expect(group(schema)).toBe(false);
});
