import type { SchemaDraft } from '@cfworker/json-schema';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { isObject } from '@/lib/json/value';
import { mutations } from '@/lib/protocol/test-mutations';
import { schemaFaults } from './schema-faults';

const paths = (schema: unknown, unnamed?: SchemaDraft) =>
  schemaFaults(schema, unnamed).map(({ path }) => path.join('.'));

describe('what the metaschema of 2020-12 forbids', () => {
  test.each<[string, object, string]>([
    ['a list of items', { items: [{ type: 'string' }] }, 'items'],
    ['a flag as a bound', { minimum: 0, exclusiveMinimum: true }, 'exclusiveMinimum'],
    ['a flag as an upper bound', { exclusiveMaximum: false }, 'exclusiveMaximum'],
    ['a name that is required twice', { required: ['a', 'a'] }, 'required'],
    ['the same type twice', { type: ['string', 'string'] }, 'type'],
    ['no type', { type: [] }, 'type'],
    ['a multiple of 0', { multipleOf: 0 }, 'multipleOf'],
    ['a required flag', { properties: { a: { required: true } } }, 'properties.a.required'],
    ['a null description', { properties: { a: { description: null } } }, 'properties.a.description'],
    ['no prefixItems', { prefixItems: [] }, 'prefixItems'],
    ['dependentRequired of a text', { dependentRequired: { a: 'b' } }, 'dependentRequired'],
    ['deep inside', { $defs: { x: { anyOf: [{ not: { items: [true] } }] } } }, '$defs.x.anyOf.0.not.items'],
  ])('%s', (_what, schema, path) => {
    expect(paths(schema, '2020-12')).toEqual([path]);
    expect(paths({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema })).toEqual([path]);
  });

  test('a property may have the name of a keyword', () => {
    expect(
      paths({ properties: { items: { type: 'array' }, required: {}, exclusiveMinimum: true } }, '2020-12'),
    ).toEqual([]);
  });
});

test.each<[dialect: string | undefined, faults: readonly string[]]>([
  [undefined, []],
  ['http://example.com/own', []],
  ['http://json-schema.org/draft-04/schema#', []],
  ['http://json-schema.org/draft-07/schema#', ['exclusiveMinimum']],
  ['https://json-schema.org/draft/2019-09/schema', ['exclusiveMinimum']],
  ['https://json-schema.org/draft/2020-12/schema', ['exclusiveMinimum', 'items']],
])('the dialect %s decides about older forms', (dialect, faults) => {
  const schema = { ...(dialect && { $schema: dialect }), items: [{}], minimum: 1, exclusiveMinimum: true };
  expect(paths(schema).sort()).toEqual(faults);
});

/** Together they have every keyword. */
const SAMPLES: readonly object[] = [
  {
    title: 't',
    description: 'd',
    type: 'object',
    properties: { a: { type: ['string', 'null'], minLength: 1, maxLength: 2, format: 'uri' } },
    patternProperties: { '^x': true },
    additionalProperties: { const: 1 },
    propertyNames: { enum: ['a'] },
    required: ['a'],
    minProperties: 0,
    maxProperties: 3,
    dependentRequired: { a: ['b'] },
    dependentSchemas: { a: {} },
    unevaluatedProperties: false,
  },
  {
    type: 'array',
    prefixItems: [{ type: 'integer', minimum: 0, maximum: 9, multipleOf: 0.5 }],
    items: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
    contains: {},
    minContains: 1,
    maxContains: 2,
    minItems: 0,
    maxItems: 3,
    uniqueItems: true,
    unevaluatedItems: true,
  },
  {
    $id: 'https://x.example/',
    $comment: 'c',
    $defs: { a: { deprecated: true, readOnly: false, writeOnly: true } },
    definitions: { b: true },
    anyOf: [{}],
    oneOf: [true],
    allOf: [{ examples: [1] }],
    not: {},
    if: {},
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {},
    else: {},
  },
];

test('the metaschema of 2020-12 and our table agree on every mutation', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const disagreements: string[] = [];
  let compared = 0;
  for (const sample of SAMPLES) {
    expect(schemaFaults(sample, '2020-12')).toEqual([]);
    for (const { value, what } of mutations(sample)) {
      if (!isObject(value)) continue;
      const official = ajv.validateSchema(value) === true;
      if (official !== (schemaFaults(value, '2020-12').length === 0))
        disagreements.push(`${what}: official ${official ? 'accepts' : 'refuses'}`);
      compared++;
    }
  }
  expect(disagreements).toEqual([]);
  expect(compared).toBeGreaterThan(500);
});
