import { describe, expect, test } from 'vitest';
import { SchemaChecker } from './check';

const check = (schema: unknown, value: unknown, branches: [string, string][] = []) =>
  new SchemaChecker(JSON.stringify(schema)).check(JSON.stringify(value), new Map(branches));
const told = (schema: unknown, value: unknown, branches: [string, string][] = []) =>
  check(schema, value, branches).findings.map(({ path, text }) => `${path.join('.')}: ${text}`);

const pets = {
  type: 'object',
  properties: {
    pet: {
      anyOf: [
        {
          type: 'object',
          properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
          required: ['kind', 'lives'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'dog' }, tricks: { type: 'array' } },
          required: ['kind', 'tricks'],
        },
        { type: 'null' },
      ],
    },
  },
};

test('reports an error once, at its place, without the errors around it', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: { type: 'array', items: { type: 'integer' } } } } },
  };
  expect(told(schema, { a: { b: [1, 'x'] } })).toEqual(['a.b.1: is a string, expected an integer']);
});

test('reports missing and forbidden properties, each at its own path', () => {
  const schema = { type: 'object', properties: { a: {} }, required: ['a', 'b"c'], additionalProperties: false };
  expect(check(schema, { x: 1 }).findings).toEqual([
    { path: ['a'], text: 'is missing', missing: true },
    { path: ['b"c'], text: 'is missing', missing: true },
    { path: ['x'], text: 'is not in the schema', missing: false },
  ]);
});

test('the format `url`, whose pattern takes exponential time, is not checked', () => {
  const checker = new SchemaChecker('{"format":"url"}');
  expect(checker.check(JSON.stringify(`http://${'a'.repeat(20)}!`), new Map()).findings).toEqual([]);
});

describe('unions', () => {
  test('reports the closest branch', () => {
    expect(told(pets, { pet: { kind: 'dog' } })).toEqual(['pet.tricks: is missing']);
    expect(told(pets, { pet: { kind: 'cat', lives: 'nine' } })).toEqual([
      'pet.lives: is a string, expected an integer',
    ]);
  });

  test('reports the picked branch, even if another is closer', () => {
    expect(told(pets, { pet: { kind: 'dog' } }, [['["pet"]', 'anyOf/0']])).toEqual([
      'pet.lives: is missing',
      'pet.kind: is not "cat"',
    ]);
  });

  test('reports the branches of a nested union', () => {
    const inner = { oneOf: [{ type: 'integer' }, { type: 'string', minLength: 3 }] };
    const nested = { $defs: { inner }, oneOf: [{ $ref: '#/$defs/inner' }, { type: 'boolean' }] };
    expect(told(nested, 'a', [['[]', 'oneOf/0/oneOf/1']])).toEqual([': has 1 character, expected at least 3']);
    expect(told(nested, 'a', [['[]', 'oneOf/0/oneOf/0']])).toEqual([': is a string, expected an integer']);
    expect(told(nested, 'a', [['[]', 'oneOf/1']])).toEqual([': is a string, expected a boolean']);
  });

  test('reports a value that matches too many branches', () => {
    expect(told({ oneOf: [{ type: 'number' }, { minimum: 0 }] }, 5)).toEqual([
      ': matches 2 alternatives, expected one',
    ]);
  });
});

test.each([
  [{ type: ['string', 'number'] }, true, 'is a boolean, expected a string or a number'],
  [{ enum: [1, 2] }, 3, 'is not one of the listed values'],
  [{ minLength: 3 }, 'ab', 'has 2 characters, expected at least 3'],
  [{ maxItems: 1 }, [1, 2], 'has 2 items, expected at most 1'],
  [{ minimum: 5 }, 4, 'is less than 5'],
  [{ exclusiveMaximum: 5 }, 5, 'is not less than 5'],
  [{ format: 'date' }, 'x', 'is not a valid date'],
  [{ pattern: '^[A-Z]{3}-\\d+$' }, 'x', 'must match ^[A-Z]{3}-\\d+$'],
  [{ anyOf: [{ $ref: '#/$defs/a~1b%25' }], $defs: { 'a/b%': { pattern: '^a' } } }, 'x', 'must match ^a'],
  [
    { $id: 'https://a.example/', $ref: 'https://a.example/#/$defs/a', $defs: { a: { pattern: '^a' } } },
    'x',
    'must match the pattern',
  ],
  [{ not: {} }, 1, 'matches what the schema excludes'],
  [{ uniqueItems: true }, [1, 1], 'has equal items 0 and 1'],
])('schema %j, value %j: %s', (schema, value, words) => {
  expect(told(schema, value)).toEqual([`: ${words}`]);
});

describe('schemas that cannot be checked say why', () => {
  test.each([
    ['an unknown dialect', { $schema: 'https://example.com/mine' }, 'dialect'],
    ['an invalid pattern', { pattern: '(' }, 'regular expression'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, '$ref'],
    ['a circular reference', { $ref: '#' }, 'itself'],
  ])('%s', (_name, schema, words) => {
    const verdict = check(schema, 'text');
    expect(verdict.unchecked).toContain(words);
    expect(verdict.findings).toEqual([]);
  });
});

test.each([
  ['http://json-schema.org/draft-07/schema#'],
  ['http://json-schema.org/draft-04/schema#'],
  ['https://json-schema.org/draft/2019-09/schema'],
])('knows the dialect %s', ($schema) => {
  expect(told({ $schema, type: 'string' }, 1)).toEqual([': is a number, expected a string']);
});

test('checks blank text as an empty object', () => {
  expect(new SchemaChecker('{"required":["a"]}').check(' ', new Map()).findings).toHaveLength(1);
});

test('treats names from Object.prototype as ordinary names', () => {
  expect(told({ properties: { constructor: { type: 'string' } } }, { constructor: 1 })).toEqual([
    'constructor: is a number, expected a string',
  ]);
  expect(told({ required: ['toString'] }, {})).toEqual(['toString: is missing']);
});
