import { expect, test } from 'vitest';
import { countFields } from './count-fields';

test('counts fields by kind, each schema once, and lists what is edited as JSON with path and reason', () => {
  const schema = {
    type: 'object',
    properties: {
      tree: { $ref: '#/$defs/N' },
      pick: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] },
      broken: { type: 'object', properties: { x: { $ref: '#/none' } } },
      free: {},
    },
    $defs: { N: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/N' } } } } },
  };
  const { kinds, boxes, complete } = countFields(schema);
  expect(kinds).toEqual({ any: 2, object: 3, union: 1, string: 1, array: 2, integer: 1 });
  expect(boxes).toEqual([{ path: '.broken.x', because: 'reference' }]);
  expect(complete).toBe(true);
});

test.each([
  { type: 'object' },
  { type: 'object', properties: {} },
  { type: 'object', additionalProperties: true },
  { type: 'object', additionalProperties: {} },
])('counts no fields of a tool without arguments: %j', (schema) => {
  expect(countFields(schema).kinds).toEqual({});
});

test('counts an invalid schema as one value edited as JSON', () => {
  expect(countFields(null).boxes).toEqual([{ path: '', because: 'malformed' }]);
});
