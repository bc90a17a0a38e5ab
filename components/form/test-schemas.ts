import fc from 'fast-check';

const name = fc.constantFrom('a', 'b', 'c', '1', 'a.b', '', '__proto__', 'constructor', 'kind');
const scalar = fc.constantFrom<unknown>(null, true, false, 0, -1.5, 1e21, '', 'x', '<b>', '\u202e');

/** Arbitrary schemas with the keywords that forms support, some of them invalid. */
const schema: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const list = fc.array(tie('node'), { minLength: 1, maxLength: 3 });
  const table = fc.array(fc.tuple(name, tie('node')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
  return {
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(true, false, {}, null, 'string', 7, []),
      fc.record(
        {
          type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array', 'file'),
          default: scalar,
          description: fc.constant('what it is for'),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ enum: fc.array(scalar, { maxLength: 30 }) }),
      fc.record({ const: scalar }),
      fc.record(
        {
          type: fc.constantFrom('object', ['object', 'null']),
          properties: table,
          required: fc.array(name, { maxLength: 2 }),
          additionalProperties: tie('node'),
          patternProperties: fc.constantFrom(undefined, { '^x': {} }),
        },
        { requiredKeys: ['type', 'properties'] },
      ),
      fc.record({ type: fc.constant('object'), additionalProperties: tie('node') }),
      fc.record({ type: fc.constant('array'), items: tie('node') }),
      fc.record({ prefixItems: list, items: fc.constantFrom<unknown>(false, undefined, {}) }),
      fc.record({ anyOf: list }),
      fc.record({ oneOf: list, title: fc.constant('One'), properties: table }),
      fc.record({ allOf: list }),
      fc
        .tuple(tie('node'), table)
        .map(([inner, properties]) => ({ if: {}, properties, ...Object.fromEntries([['then', inner]]) })),
      fc.record({ $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/none', '#b', '#/properties/a') }),
    ),
  };
}).node;
/** Arbitrary root schemas, with definitions to refer to. */
export const rootSchema: fc.Arbitrary<object> = fc
  .tuple(schema, schema, fc.array(fc.tuple(name, schema), { maxLength: 4 }))
  .map(([a, b, properties]) => ({
    type: 'object',
    properties: Object.fromEntries(properties),
    $defs: { a, b: { allOf: [b], $anchor: 'b' } },
  }));
/** Arbitrary JSON, with the names of the schemas and hostile ones. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;
