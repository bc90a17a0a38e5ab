import { expect, test } from 'vitest';
import { toolArguments } from './tool-arguments';

const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const branch = (required: string[], ...optional: string[]) => ({ properties: of(...required, ...optional), required });

test.each<[string, unknown, string]>([
  ['no schema', undefined, ''],
  ['an invalid schema', { properties: 7, required: 'a', oneOf: {} }, ''],
  ['properties', { properties: of('text', 'count'), required: ['text'] }, 'text, count?'],
  ['oneOf', { type: 'object', oneOf: [branch(['id']), branch(['name'], 'country')] }, 'id | name, country?'],
  ['anyOf beside properties', { ...branch(['text']), anyOf: [branch(['id']), branch(['name'])] }, 'text, (id | name)'],
  [
    'branches that only require',
    { properties: of('id', 'name', 'limit'), oneOf: [{ required: ['id'] }, { required: ['name'] }] },
    'limit?, (id | name)',
  ],
  [
    'a branch that repeats what is required',
    { ...branch(['kind']), oneOf: [branch(['kind', 'a']), branch(['kind', 'b'])] },
    'kind, (a | b)',
  ],
  ['allOf', { allOf: [branch(['a']), { anyOf: [branch(['b']), branch(['c'])] }] }, 'a, (b | c)'],
  [
    'references',
    { oneOf: [{ $ref: '#/$defs/One' }, { $ref: '#/$defs/Two' }], $defs: { One: branch(['a']), Two: branch([], 'b') } },
    'a | b?',
  ],
  ['a reference to itself', { properties: of('a'), anyOf: [{ $ref: '#' }] }, 'a?'],
  ['branches without names', { type: 'object', properties: of('a'), anyOf: [{}, {}] }, 'a?'],
])('formats the arguments of %s', (_what, inputSchema, text) => {
  expect(toolArguments({ name: 't', inputSchema })).toBe(text);
});
