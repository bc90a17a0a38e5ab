import { expect, test } from 'vitest';
import { listChanges } from './list-changes';

const item = (key: string, raw = {}) => ({ key, raw: { name: key, ...raw } });

test('names what appears, vanishes and changes in each list', () => {
  const before = { tools: [item('a'), item('b', { title: 'x' }), item('__proto__')], prompts: [item('p')] };
  const after = { tools: [item('b', { title: 'y' }), item('c'), item('__proto__')], resources: [item('r')] };
  expect(listChanges(before, after)).toEqual([
    { kind: 'tools', key: 'a', change: 'removed' },
    { kind: 'tools', key: 'c', change: 'added' },
    { kind: 'tools', key: 'b', change: 'changed' },
    { kind: 'resources', key: 'r', change: 'added' },
    { kind: 'prompts', key: 'p', change: 'removed' },
  ]);
});

test('neither the order of items nor that of members is a change', () => {
  const one = { tools: [item('a', { x: 1, y: 2 }), item('b')] };
  const other = { tools: [item('b'), { key: 'a', raw: { y: 2, x: 1, name: 'a' } }] };
  expect(listChanges(one, other)).toEqual([]);
});
