import { expect, test } from 'vitest';
import { BranchMemory } from './branch-memory';
import { chooseBranches } from './shown-branches';

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

test('unions all over a document choose their branch by their value', () => {
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

test('a pick stands', () => {
  const memory = new BranchMemory();
  chooseBranches(schema, { other: [1] }, memory);
  expect([...chooseBranches(schema, { other: 'text' }, memory)]).toEqual([['["other"]', 'anyOf/1']]);
});

test.each([[null], ['text'], [undefined], [[1]]])('%j is no trouble', (value) => {
  expect(places(value)).toEqual([]);
});

test('a union that is a branch of another is told with it', () => {
  const inner = { oneOf: [{ type: 'integer' }, { type: 'string', minLength: 3 }] };
  const nested = { $defs: { inner }, oneOf: [{ $ref: '#/$defs/inner' }, { type: 'boolean' }] };
  expect([...chooseBranches(nested, 'a', new BranchMemory())]).toEqual([['[]', 'oneOf/0/oneOf/1']]);
});
