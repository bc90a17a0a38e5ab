import { expect, test } from 'vitest';
import type { View } from '@/lib/schema/shape';
import { view as viewOf } from '@/lib/schema/view';
import { BranchMemory } from './branch-memory';

const schema = { anyOf: [{ type: 'string' }, { type: 'array', items: {} }] };
const union = viewOf(schema, schema) as View<'union'>;

test('a pick holds until the document changes from outside; what was typed stays', () => {
  const memory = new BranchMemory();
  memory.choose(union, ['a'], 1);
  memory.keep(union, ['a'], 0, 'typed');
  expect(memory.chosen(union, ['a'])).toBe(1);
  expect(memory.chosen(union, ['b'])).toBeUndefined();
  expect(memory.places.get('["a"]')).toBe('anyOf/1');
  memory.renew();
  expect(memory.chosen(union, ['a'])).toBeUndefined();
  expect(memory.places.size).toBe(0);
  expect(memory.kept(union, ['a'], 0)).toBe('typed');
  expect(memory.kept(union, ['a'], 1)).toBeUndefined();
});
