import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { formatOutputFault, OUTPUT_FAULTS, OutputCheck } from './output-check';

const told = (schema: object, value: unknown) =>
  new OutputCheck(schema).faults(value).map((fault) => `${fault.path.join('.')}: ${formatOutputFault(fault)}`);

const strict = {
  type: 'object',
  properties: { n: { type: 'number' }, s: { type: 'string' } },
  required: ['n', 's'],
  additionalProperties: false,
};

test('all that does not fit is told, each at its path', () => {
  expect(told(strict, { n: 'not a number', extra: 1 }).sort()).toEqual([
    'extra: extra is there, and outputSchema allows no such field.',
    'n: n is a string, and should be a number.',
    's: s is missing, and outputSchema requires it.',
  ]);
});

test.each<[object, unknown, string]>([
  [{ type: 'object' }, null, ': structuredContent is null, and should be an object.'],
  [
    { properties: { a: { type: ['integer', 'null'] } } },
    { a: true },
    'a: a is a boolean, and should be an integer or null.',
  ],
  [{ properties: { a: { enum: ['x'] } } }, { a: 'y' }, 'a: a is none of the values that outputSchema lists.'],
  [{ properties: { a: { const: 'x' } } }, { a: 'y' }, 'a: a should be "x".'],
  [{ properties: { a: { minimum: 5 } } }, { a: 4 }, 'a: a does not fit outputSchema: less than 5.'],
  [{ $ref: '#/$defs/x', $defs: { x: { required: ['k'] } } }, {}, 'k: k is missing, and outputSchema requires it.'],
])('%j and %j', (schema, value, words) => {
  expect(told(schema, value)).toEqual([words]);
});

test('what fits has no fault, and a schema that cannot be used finds none', () => {
  expect(told(strict, { n: 1, s: '' })).toEqual([]);
  expect(told({ $ref: '#/nowhere' }, {})).toEqual([]);
  expect(told({ $schema: 'https://example.com/mine', type: 'string' }, {})).toEqual([]);
});

describe('is bounded', () => {
  const rows = { type: 'object', properties: { rows: { type: 'array', items: strict } } };
  const bad = (count: number) => ({ rows: Array.from({ length: count }, () => ({ n: '1', s: '1' })) });

  test('items of a list that share a fault have it once', () => {
    expect(told(rows, bad(100))).toEqual(['rows.0.n: n is a string, and should be a number.']);
  });

  test('of a very large value the first fault is told', () => {
    const value = { ...bad(LIMITS.faultNodes), rows2: 1 };
    expect(told({ ...rows, additionalProperties: false }, value)).toHaveLength(1);
  });

  test('of very many different ones some', () => {
    const value = Object.fromEntries(Array.from({ length: 3 * OUTPUT_FAULTS }, (_, at) => [`k${at}`, 1]));
    expect(told(strict, value)).toHaveLength(OUTPUT_FAULTS);
  });
});
