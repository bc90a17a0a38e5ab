import { describe, expect, test } from 'vitest';
import { view as viewOf } from '@/lib/schema/view';
import type { View } from '@/lib/schema/view-types';
import { BranchMemory, chooseBranches } from './union-branches';

describe('branch memory', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'array', items: {} }] };
  const union = viewOf(schema, schema) as View<'union'>;

  test('a choice holds until the document changes from outside; drafts stay', () => {
    const memory = new BranchMemory();
    memory.chooseBranch(union, ['a'], 1);
    memory.keepDraft(union, ['a'], 0, 'typed');
    expect(memory.chosenBranch(union, ['a'])).toBe(1);
    expect(memory.chosenBranch(union, ['b'])).toBeUndefined();
    memory.resetChoices();
    expect(memory.chosenBranch(union, ['a'])).toBeUndefined();
    expect(memory.keptDraft(union, ['a'], 0)).toBe('typed');
    expect(memory.keptDraft(union, ['a'], 1)).toBeUndefined();
  });

  test('a moved item does not get the branch and draft of another item', () => {
    const memory = new BranchMemory();
    const typed = () => {
      memory.chooseBranch(union, ['list', 0], 0);
      memory.chooseBranch(union, ['list', 1, 'a'], 1);
      memory.keepDraft(union, ['list', 1, 'a'], 0, 'typed');
      memory.chooseBranch(union, ['list2'], 1);
    };
    for (const edit of [
      { type: 'remove', path: ['list', 0] },
      { type: 'move', path: ['list'], from: 0, to: 1 },
      { type: 'rename', path: [], from: 'list', to: 'other' },
    ] as const) {
      typed();
      memory.followEdit(edit);
      expect(memory.chosenBranch(union, ['list', 0])).toBeUndefined();
      expect(memory.chosenBranch(union, ['list', 1, 'a'])).toBeUndefined();
      expect(memory.keptDraft(union, ['list', 1, 'a'], 0)).toBeUndefined();
      expect(memory.chosenBranch(union, ['list2'])).toBe(1);
    }
    typed();
    memory.followEdit({ type: 'remove', path: ['list'] });
    expect(memory.chosenBranch(union, ['list', 0])).toBe(0);
  });

  test('replacing a value resets the chosen branch and keeps drafts', () => {
    const memory = new BranchMemory();
    memory.chooseBranch(union, ['a', 'b'], 1);
    memory.keepDraft(union, ['a', 'b'], 0, 'typed');
    memory.resetChoicesBelow(['a']);
    expect(memory.chosenBranch(union, ['a', 'b'])).toBeUndefined();
    expect(memory.keptDraft(union, ['a', 'b'], 0)).toBe('typed');
  });
});

describe('shown branches', () => {
  const choice = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] };
  const schema = {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { type: 'object', properties: { c: choice } } },
      pair: { type: 'array', prefixItems: [true, choice] },
      tree: { $ref: '#/$defs/Tree' },
    },
    additionalProperties: choice,
    $defs: {
      Tree: {
        oneOf: [
          { type: 'object', properties: { leaf: { type: 'string' } }, required: ['leaf'] },
          { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/Tree' } } } },
        ],
      },
    },
  };

  function places(value: unknown): [string, string][] {
    return [...chooseBranches(schema, value, new BranchMemory())].sort();
  }

  test('are chosen by value for every union of a document', () => {
    expect(
      places({ rows: [{ c: [] }, { c: 7 }], pair: [0, [1]], other: ['x'], tree: { kids: [{ leaf: 'x' }] } }),
    ).toEqual([
      ['["other"]', 'anyOf/1'],
      ['["pair",1]', 'anyOf/1'],
      ['["rows",0,"c"]', 'anyOf/1'],
      ['["rows",1,"c"]', 'anyOf/0'],
      ['["tree","kids",0]', 'oneOf/0'],
      ['["tree"]', 'oneOf/1'],
    ]);
  });

  test('follow an earlier choice even if the value does not fit', () => {
    const memory = new BranchMemory();
    chooseBranches(schema, { other: [1] }, memory);
    expect([...chooseBranches(schema, { other: 'text' }, memory)]).toEqual([['["other"]', 'anyOf/1']]);
  });

  test.each([[null], ['text'], [undefined], [[1]]])('are empty for a document that is %j', (value) => {
    expect(places(value)).toEqual([]);
  });

  test('join the places of a union inside a union', () => {
    const inner = { oneOf: [{ type: 'integer' }, { type: 'string', minLength: 3 }] };
    const nested = { $defs: { inner }, oneOf: [{ $ref: '#/$defs/inner' }, { type: 'boolean' }] };
    expect([...chooseBranches(nested, 'a', new BranchMemory())]).toEqual([['[]', 'oneOf/0/oneOf/1']]);
  });
});
