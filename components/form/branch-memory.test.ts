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
  memory.renew();
  expect(memory.chosen(union, ['a'])).toBeUndefined();
  expect(memory.kept(union, ['a'], 0)).toBe('typed');
  expect(memory.kept(union, ['a'], 1)).toBeUndefined();
});

test('items that move do not take over what was remembered of others', () => {
  const memory = new BranchMemory();
  const typed = () => {
    memory.choose(union, ['list', 0], 0);
    memory.choose(union, ['list', 1, 'a'], 1);
    memory.keep(union, ['list', 1, 'a'], 0, 'typed');
    memory.choose(union, ['list2'], 1);
  };
  for (const edit of [
    { type: 'remove', path: ['list', 0] },
    { type: 'move', path: ['list'], from: 0, to: 1 },
    { type: 'rename', path: [], from: 'list', to: 'other' },
  ] as const) {
    typed();
    memory.follow(edit);
    expect(memory.chosen(union, ['list', 0])).toBeUndefined();
    expect(memory.chosen(union, ['list', 1, 'a'])).toBeUndefined();
    expect(memory.kept(union, ['list', 1, 'a'], 0)).toBeUndefined();
    expect(memory.chosen(union, ['list2'])).toBe(1);
  }
  typed();
  memory.follow({ type: 'remove', path: ['list'] });
  expect(memory.chosen(union, ['list', 0])).toBe(0);
});

test('a value that is replaced as a whole decides anew; what was typed into other branches stays', () => {
  const memory = new BranchMemory();
  memory.choose(union, ['a', 'b'], 1);
  memory.keep(union, ['a', 'b'], 0, 'typed');
  memory.reconsider(['a']);
  expect(memory.chosen(union, ['a', 'b'])).toBeUndefined();
  expect(memory.kept(union, ['a', 'b'], 0)).toBe('typed');
});
