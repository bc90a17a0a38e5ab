import { describe, expect, test } from 'vitest';
import { accepts, defaultsFor, newItemValue, startValue, toggleNull, typeProblem } from './values';
import { view } from './view';

const node = (schema: unknown) => view(schema, schema);

describe('values that a field can show', () => {
  test.each([
    [{ type: 'string' }, 'x', true],
    [{ type: 'string' }, 1, false],
    [{ type: 'string' }, null, false],
    [{ type: ['string', 'null'] }, null, true],
    [{ type: 'integer' }, 'abc', true],
    [{ type: 'integer' }, {}, false],
    [{ enum: [1, ''] }, '', true],
    [{ enum: [1, ''] }, '1', false],
    [{ type: 'object', properties: {} }, [], false],
    [{ type: 'array' }, {}, false],
    [{}, [], true],
    [{ type: 'string' }, undefined, true],
  ])('%j and %j: %s', (schema, value, expected) => {
    expect(accepts(node(schema), value)).toBe(expected);
  });

  test('include text in a number field, with a problem', () => {
    expect(typeProblem(node({ type: 'integer' }), 'abc')).toBe('is a string, expected an integer');
    expect(typeProblem(node({ type: 'integer' }), 1.5)).toBe('is a number, expected an integer');
    expect(typeProblem(node({ type: 'integer' }), 2)).toBeUndefined();
  });
});

test('switches null on and off, and unsets a value only if allowed', () => {
  const schema = { type: ['string', 'null'], default: null };
  const press = (value: unknown, unsettable: boolean) => toggleNull(value, node(schema), schema, unsettable);
  expect([press('a', true), press(undefined, true), press(null, true), press(null, false)]).toEqual([
    null,
    null,
    undefined,
    '',
  ]);
});

test('starts a new item with its default or the simplest value', () => {
  const starts = [{ type: 'string', default: 'd' }, { type: 'integer' }, { enum: ['b', 'a'] }, { const: 7 }, {}].map(
    (s) => startValue(node(s), s),
  );
  expect(starts).toEqual(['d', 0, 'b', 7, null]);
});

test('starts an added number as an empty field, unless it has a default or allows null', () => {
  const added = [
    { type: 'integer' },
    { type: 'number', minimum: 3 },
    { type: 'integer', default: 5 },
    { type: ['number', 'null'] },
    { enum: [0, 1] },
    { const: 0 },
    { type: 'string' },
  ].map((schema) => newItemValue(node(schema), schema));
  expect(added).toEqual([null, null, 5, 0, 0, 0, '']);
});

test('fills in only unset properties with a default', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string', default: 'x' },
      b: { type: 'string' },
      c: { type: 'integer', default: 5 },
      n: { type: ['string', 'null'], default: null },
      deep: { type: 'object', properties: { d: { default: 1 } } },
      there: { type: 'object', properties: { e: { default: 2 } } },
    },
    required: ['b'],
  };
  expect(defaultsFor(schema, { c: 7, there: {} })).toEqual([
    { path: ['a'], value: 'x' },
    { path: ['n'], value: null },
    { path: ['there', 'e'], value: 2 },
  ]);
  expect(defaultsFor(schema, undefined)).toHaveLength(3);
  expect(defaultsFor(schema, 'text')).toEqual([]);
  expect(defaultsFor(undefined, {})).toEqual([]);
});
