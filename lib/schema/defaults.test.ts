import { expect, test } from 'vitest';
import { withDefaults } from './defaults';

test('what is unset and has a default, and nothing else', () => {
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
  const of = (schema: unknown, text: string) =>
    withDefaults(schema, { text, value: text === '' ? undefined : JSON.parse(text) }).replace(/\s+/g, '');
  expect(of(schema, '{"c": 7, "there": {}}')).toBe('{"c":7,"there":{"e":2},"a":"x","n":null}');
  expect(of(schema, '')).toBe('{"a":"x","c":5,"n":null}');
  expect(of(schema, '"text"')).toBe('"text"');
  expect(of(undefined, '{}')).toBe('{}');
});
