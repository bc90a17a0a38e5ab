import { describe, expect, test } from 'vitest';
import { parseExactJson } from '@/lib/json/exact';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { bestBranch, branchStart } from './values';
import { view } from './view';
import type { View } from './view-types';

test.each([
  [{ enum: ['a', 1], enumNames: ['A'] }, [['a', 'A'], [1]]],
  [
    {
      oneOf: [
        { const: '#f00', title: 'Red' },
        { const: '#0f0', description: 'Green' },
      ],
    },
    [
      ['#f00', 'Red'],
      ['#0f0', 'Green'],
    ],
  ],
  [
    {
      anyOf: [
        { enum: ['a'], title: 'A' },
        { enum: ['b', 'c'], title: 'Others' },
      ],
    },
    [['a', 'A'], ['b'], ['c']],
  ],
  [{ anyOf: [{ type: ['string', 'null'], enum: ['a'] }, { enum: ['b'] }] }, [['a'], [null], ['b']]],
  [{ enum: ['', 'a', '', null] }, [[''], ['a'], [null]]],
])('%j is a choice of %j', (schema, choices) => {
  const found = view(schema, schema);
  const options = found.kind === 'enum' ? found.options : [];
  expect(options.map(({ value, title }) => (title === undefined ? [value] : [value, title]))).toEqual(choices);
});

const union = (schema: unknown) => view(schema, schema) as View<'union'>;
test.each([
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, 2, true],
  [{ oneOf: [{ type: 'string' }, { type: 'array', items: {} }, { const: null }] }, 2, true],
  [{ anyOf: [{ type: 'string' }, { anyOf: [{ type: 'integer' }, { type: 'null' }, { type: 'boolean' }] }] }, 3, true],
  [{ anyOf: [{ type: 'object', properties: {} }, { type: ['array', 'null'] }] }, 2, true],
  [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }, { type: 'null' }] }, 2, true],
  [{ type: ['string', 'integer', 'null'] }, 2, true],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 2, false],
])('%j has %i branches, null: %s', (schema, branches, nullable) => {
  expect(union(schema).branches).toHaveLength(branches);
  expect(union(schema).nullable).toBe(nullable);
});

const labels = (schema: unknown) => union(schema).branches.map(({ label }) => label);
const object = (properties: unknown, more: object = {}) => ({ type: 'object', properties, ...more });

describe('labels branches by', () => {
  test.each([
    [
      'titles',
      {
        anyOf: [
          { title: 'Cat', type: 'object' },
          { title: 'Dog', type: 'object' },
        ],
      },
      ['Cat', 'Dog'],
    ],
    [
      'a property with a different value in each',
      { oneOf: [object({ kind: { const: 'cat' }, a: {} }), object({ kind: { enum: ['dog'] } })] },
      ['kind: "cat"', 'kind: "dog"'],
    ],
    [
      'their names in the schema',
      {
        anyOf: [{ $ref: '#/$defs/Text' }, { $ref: '#/$defs/Image' }],
        $defs: { Text: object({ t: {} }), Image: object({ u: {} }) },
      },
      ['Text', 'Image'],
    ],
    [
      'their shape',
      {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { type: 'string' } },
          object({ id: {}, name: {} }),
          { type: 'object', additionalProperties: { type: 'number' } },
        ],
      },
      ['string', 'array of string', '{id, name}', 'object of number'],
    ],
    [
      'their type if a generator only numbered their names',
      {
        anyOf: [{ $ref: '#/$defs/__schema0' }, { type: 'null' }, { type: 'number' }],
        $defs: { __schema0: { type: 'string' } },
      },
      ['string', 'number'],
    ],
    [
      'title and type if titles repeat',
      {
        anyOf: [
          { title: 'T', type: 'string' },
          { title: 'T', type: 'number' },
        ],
      },
      ['T · string', 'T · number'],
    ],
    [
      'a number if everything repeats',
      { anyOf: [object({ a: {} }), object({ a: {} })] },
      ['{a} · {a}', '{a} · {a} (2)'],
    ],
    ['type in a list of types', { type: ['string', 'boolean'] }, ['string', 'boolean']],
    [
      'the labels of the branches of an inner union',
      { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, object({ x: {} })] },
      ['string', 'number', '{x}'],
    ],
    [
      'a general term for a schema that contains itself',
      { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#' } }] },
      ['string', 'array of one of several'],
    ],
  ])('%s', (_name, schema, expected) => {
    expect(labels(schema)).toEqual(expected);
  });
});

test('applies keywords beside a union to each branch', () => {
  const schema = object({ id: { type: 'string' } }, { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] });
  const [first] = union(schema).branches;
  const node = view(first!.schema, schema);
  expect(node.kind === 'object' && node.properties.map(({ name }) => name)).toEqual(['id', 'a']);
});

test('branches have their location in a validator’s errors', () => {
  const schema = { anyOf: [{ type: 'null' }, { anyOf: [{ type: 'string' }, { type: 'number' }] }, object({ x: {} })] };
  expect(union(schema).branches.map(({ at }) => at)).toEqual(['anyOf/1/anyOf/0', 'anyOf/1/anyOf/1', 'anyOf/2']);
});

describe('the best branch', () => {
  const pets = {
    anyOf: [
      object({ kind: { const: 'cat' }, lives: { type: 'integer' } }),
      object({ kind: { const: 'dog' }, tricks: {} }),
    ],
  };
  const places = {
    anyOf: [
      object({ street: {}, zip: {} }, { required: ['street'] }),
      object({ lat: {}, lon: {} }, { required: ['lat', 'lon'] }),
    ],
  };
  const plain = {
    anyOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'number' } },
    ],
  };
  test.each([
    [pets, { kind: 'dog' }, 1],
    [pets, { lives: 3 }, 0],
    [pets, { tricks: [], kind: 'bird' }, 1],
    [places, { lon: 1 }, 1],
    [places, {}, 0],
    [plain, 'x', 0],
    [plain, 7, 1],
    [plain, [1, 2], 3],
    [plain, ['a'], 2],
    [{ anyOf: [{ type: 'integer' }, { type: 'number' }] }, 1.5, 1],
    [{ anyOf: [{ type: 'number' }, { type: 'integer' }] }, parseExactJson('18446744073709551615'), 1],
  ])('of %j for %j is number %i', (schema, value, index) => {
    expect(bestBranch(union(schema), value, schema)).toBe(index);
  });

  test('is found fast in deeply nested unions', () => {
    const $defs: Record<string, unknown> = { F8: { type: 'string' } };
    for (let level = 7; level >= 0; level--) {
      $defs[`F${level}`] = {
        anyOf: [0, 1, 2, 3].map((k) => object({ k: { const: k }, next: { $ref: `#/$defs/F${level + 1}` } })),
      };
    }
    const schema = { $ref: '#/$defs/F0', $defs };
    let value: unknown = 'x';
    for (let level = 0; level < 8; level++) value = { k: 3, next: value };
    const begun = cpuMs();
    expect(bestBranch(union(schema), value, schema)).toBe(3);
    expect(cpuMs() - begun).toBeLessThan(2_000);
  });
});

test('a picked branch starts with only the properties that distinguish it', () => {
  const schema = {
    anyOf: [
      object({ kind: { const: 'cat' }, lives: { default: 9 } }),
      object({ kind: { const: 'dog' } }),
      { type: 'array', items: {} },
    ],
  };
  expect([0, 1, 2].map((index) => branchStart(union(schema), index, schema))).toEqual([
    { kind: 'cat' },
    { kind: 'dog' },
    [],
  ]);
});

test('unions that contain each other have an end', () => {
  const schema = {
    $defs: {
      A: { anyOf: [{ $ref: '#/$defs/B' }, { type: 'string' }] },
      B: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'number' }] },
    },
    $ref: '#/$defs/A',
  };
  const seen = new Set<unknown>();
  for (let node: View = view(schema, schema); node.kind === 'union' && seen.size < 50; ) {
    seen.add(node);
    node = view(node.branches[0]!.schema, schema);
  }
  expect(seen.size).toBeLessThan(50);
});

describe('a small schema that expands enormously has a view fast', () => {
  // Each takes well under a second. Without bounds, each takes minutes.
  const TIMEOUT = 15_000;
  const level = (to: string, beside: object) => ({
    ...beside,
    oneOf: Array.from({ length: 100 }, () => ({ $ref: `#/$defs/${to}` })),
  });

  test.each([
    ['alone', {}],
    ['with keywords beside them', { minProperties: 1 }],
  ])('four levels of a hundred branches, %s', { timeout: TIMEOUT }, (_name, beside) => {
    const schema = {
      ...level('b', beside),
      $defs: { b: level('c', beside), c: level('d', beside), d: level('e', beside), e: { type: 'string' } },
    };
    expect(union(schema).branches).toHaveLength(100);
  });

  test('hundreds of branches with thousands of properties', { timeout: TIMEOUT }, () => {
    const properties = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    const oneOf = Array.from({ length: 300 }, () => ({ $ref: '#/$defs/a' }));
    expect(union({ oneOf, $defs: { a: { type: 'object', properties } } }).branches).toHaveLength(300);
  });
});
