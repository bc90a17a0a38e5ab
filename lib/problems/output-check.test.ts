import { describe, expect, test } from 'vitest';
import { OUTPUT_FAULTS, OutputCheck } from './output-check';
import { FAULT_NODES } from './schema-faults';

const faultsOf = (schema: object, value: unknown) =>
  new OutputCheck(schema).faults(value).map((fault) => `${fault.path.join('.')} ${fault.text}`);

const strict = {
  type: 'object',
  properties: { n: { type: 'number' }, s: { type: 'string' } },
  required: ['n', 's'],
  additionalProperties: false,
};

test('reports every mismatch at its path', () => {
  expect(faultsOf(strict, { n: 'not a number', extra: 1 }).sort()).toEqual([
    'extra is not in the schema',
    'n is a string, expected a number',
    's is missing',
  ]);
});

test.each<[object, unknown, string]>([
  [{ type: 'object' }, null, ' is null, expected an object'],
  [{ properties: { a: { type: ['integer', 'null'] } } }, { a: true }, 'a is a boolean, expected an integer or null'],
  [{ properties: { a: { enum: ['x'] } } }, { a: 'y' }, 'a is not one of the listed values'],
  [{ properties: { a: { const: 'x' } } }, { a: 'y' }, 'a is not "x"'],
  [{ properties: { a: { minimum: 5 } } }, { a: 4 }, 'a is less than 5'],
  [{ $ref: '#/$defs/x', $defs: { x: { required: ['k'] } } }, {}, 'k is missing'],
])('%j: %j', (schema, value, words) => {
  expect(faultsOf(schema, value)).toEqual([words]);
});

test('finds nothing in a matching value or with an unusable schema', () => {
  expect(faultsOf(strict, { n: 1, s: '' })).toEqual([]);
  expect(faultsOf({ $ref: '#/nowhere' }, {})).toEqual([]);
  expect(faultsOf({ $schema: 'https://example.com/mine', type: 'string' }, {})).toEqual([]);
});

describe('a bounded check', () => {
  const rows = { type: 'object', properties: { rows: { type: 'array', items: strict } } };
  const bad = (count: number) => ({ rows: Array.from({ length: count }, () => ({ n: '1', s: '1' })) });

  test('reports a fault shared by list items once', () => {
    expect(faultsOf(rows, bad(100))).toEqual(['rows.0.n is a string, expected a number']);
  });

  test('reports the first fault of a very large value', () => {
    const value = { ...bad(FAULT_NODES), rows2: 1 };
    expect(faultsOf({ ...rows, additionalProperties: false }, value)).toHaveLength(1);
  });

  test('reports a bounded number of different faults', () => {
    const value = Object.fromEntries(Array.from({ length: 3 * OUTPUT_FAULTS }, (_, at) => [`k${at}`, 1]));
    expect(faultsOf(strict, value)).toHaveLength(OUTPUT_FAULTS);
  });
});
