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

test('errors are told once, where they are, without the ones around them', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: { type: 'array', items: { type: 'integer' } } } } },
  };
  expect(told(schema, { a: { b: [1, 'x'] } })).toEqual(['a.b.1: is string, should be integer']);
});

test('what is missing is told where it would be; what should not be there, where it is', () => {
  const schema = { type: 'object', properties: { a: {} }, required: ['a', 'b"c'], additionalProperties: false };
  expect(check(schema, { x: 1 }).findings).toEqual([
    { path: ['a'], text: 'required', missing: true, keyword: 'required' },
    { path: ['b"c'], text: 'required', missing: true, keyword: 'required' },
    { path: ['x'], text: 'not in the schema', missing: false, keyword: 'false' },
  ]);
});

describe('unions', () => {
  test('the nearest branch is told of', () => {
    expect(told(pets, { pet: { kind: 'dog' } })).toEqual(['pet.tricks: required']);
    expect(told(pets, { pet: { kind: 'cat', lives: 'nine' } })).toEqual(['pet.lives: is string, should be integer']);
  });

  test('the picked branch is told of, however far it is', () => {
    expect(told(pets, { pet: { kind: 'dog' } }, [['["pet"]', 'anyOf/0']])).toEqual([
      'pet.lives: required',
      'pet.kind: should be "cat"',
    ]);
  });

  test('of a union within a union, the branches of both', () => {
    const inner = { oneOf: [{ type: 'integer' }, { type: 'string', minLength: 3 }] };
    const nested = { $defs: { inner }, oneOf: [{ $ref: '#/$defs/inner' }, { type: 'boolean' }] };
    expect(told(nested, 'a', [['[]', 'oneOf/0/oneOf/1']])).toEqual([': 1 characters, at least 3']);
    expect(told(nested, 'a', [['[]', 'oneOf/0/oneOf/0']])).toEqual([': is string, should be integer']);
    expect(told(nested, 'a', [['[]', 'oneOf/1']])).toEqual([': is string, should be boolean']);
  });

  test('a value that fits too many is told of', () => {
    expect(told({ oneOf: [{ type: 'number' }, { minimum: 0 }] }, 5)).toEqual([': fits 2 alternatives, should fit one']);
  });
});

test.each([
  [{ type: ['string', 'number'] }, true, 'is boolean, should be string or number'],
  [{ enum: [1, 2] }, 3, 'not one of the listed values'],
  [{ minLength: 3 }, 'ab', '2 characters, at least 3'],
  [{ maxItems: 1 }, [1, 2], '2 items, at most 1'],
  [{ minimum: 5 }, 4, 'less than 5'],
  [{ exclusiveMaximum: 5 }, 5, 'should be less than 5'],
  [{ format: 'date' }, 'x', 'not in the format date'],
  [{ pattern: '^a' }, 'x', 'does not match the pattern'],
  [{ not: {} }, 1, 'is what the schema rules out'],
  [{ uniqueItems: true }, [1, 1], 'items 0 and 1 are the same'],
])('%j and %j: %s', (schema, value, words) => {
  expect(told(schema, value)).toEqual([`: ${words}`]);
});

describe('schemas that cannot be checked say why', () => {
  test.each([
    ['an unknown dialect', { $schema: 'https://example.com/mine' }, 'dialect'],
    ['a pattern that is none', { pattern: '(' }, 'regular expression'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, '$ref'],
    ['a circle', { $ref: '#' }, 'itself'],
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
])('%s is known', ($schema) => {
  expect(told({ $schema, type: 'string' }, 1)).toEqual([': is number, should be string']);
});

test('arguments that are not sent are checked as an empty object', () => {
  expect(new SchemaChecker('{"required":["a"]}').check(' ', new Map()).findings).toHaveLength(1);
});

test('names that mean something to JavaScript are names', () => {
  expect(told({ properties: { constructor: { type: 'string' } } }, { constructor: 1 })).toEqual([
    'constructor: is number, should be string',
  ]);
  expect(told({ required: ['toString'] }, {})).toEqual(['toString: required']);
});
