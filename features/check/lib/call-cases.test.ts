import { expect, test } from 'vitest';
import { callCases, canaryCases } from './call-cases';

const always = (_: number, work: () => void) => {
  work();
  return true;
};
const casesOf = (schema: unknown) => callCases(schema, always).map(({ kind, about }) => `${kind}: ${about}`);

test('makes valid, boundary and wrong arguments', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 5 },
      n: { type: 'integer', minimum: 1, maximum: 9 },
      kind: { enum: ['a', 'b'] },
    },
    required: ['name'],
  };
  expect(casesOf(schema)).toEqual([
    'valid: required only',
    'valid: all',
    'boundary: name is as short as it may be',
    'boundary: name is as long as it may be',
    'boundary: n is its minimum',
    'boundary: n is its maximum',
    'boundary: kind is its last choice',
    'wrong: name is missing',
    'wrong: name is not of the type string',
    'wrong: n is not of the type integer',
    'wrong: n is below its minimum',
    'wrong: kind is not a choice',
  ]);
});

test.each([
  ['no schema', undefined],
  [
    'an impossible one',
    { type: 'object', properties: { n: { type: 'integer', minimum: 2, maximum: 1 } }, required: ['n'] },
  ],
  ['one of an unknown dialect', { $schema: 'https://example.com/x', type: 'object' }],
])('makes nothing for %s', (_, schema) => {
  expect(casesOf(schema)).toEqual([]);
});

test('a schema without properties has one case', () => {
  expect(casesOf({ type: 'object' })).toEqual(['valid: required only']);
});

test('makes two calls that differ in a text that the schema takes', () => {
  const properties = { kind: { enum: ['a'] }, n: { type: 'integer' }, text: { type: 'string' } };
  const pair = canaryCases({ type: 'object', properties, required: ['kind'] }, always);
  expect(pair.map(({ text }) => JSON.parse(text))).toEqual([
    { kind: 'a', text: 'mcp-inspect-canary-ax' },
    { kind: 'a', text: 'mcp-inspect-canary-bx' },
  ]);
  expect(canaryCases({ type: 'object', properties: { n: { type: 'integer' } } }, always)).toEqual([]);
});
