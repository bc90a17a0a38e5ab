import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SchemaChecker } from './check';
import { makeSample } from './sample';

const sample = (schema: unknown, all = true) => JSON.parse(makeSample(JSON.stringify(schema), all));

test('prefers values that the schema names', () => {
  const properties = {
    a: { type: 'string', examples: ['ex'], default: 'def', enum: ['e'] },
    b: { type: 'string', default: 'def', enum: ['e', 'def'] },
    c: { enum: ['first', 'second'] },
    d: { type: 'array', items: { type: 'string', default: 'x' } },
  };
  expect(sample({ type: 'object', properties })).toMatchObject({ a: 'ex', b: 'def', c: 'first' });
});

test('fills only required properties or all of them, the same way each time', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'integer' },
      o: { type: 'object', properties: { x: { type: 'string' } } },
    },
    required: ['b'],
  };
  expect(Object.keys(sample(schema, false))).toEqual(['b']);
  expect(Object.keys(sample(schema)).sort()).toEqual(['a', 'b', 'o']);
  expect(sample(schema)).toEqual(sample(schema));
});

test('makes up values that are neither empty nor null if possible', () => {
  const properties = {
    s: { type: 'string' },
    short: { type: 'string', maxLength: 2 },
    n: { type: ['null', 'integer'] },
    u: { anyOf: [{ type: 'null' }, { type: 'boolean' }] },
    l: { type: 'array', items: { type: 'string' } },
    id: { type: 'string', pattern: '^[0-9a-f]+$', minLength: 24, maxLength: 24 },
    only: { type: 'null' },
  };
  expect(sample({ type: 'object', properties, required: Object.keys(properties) })).toEqual({
    s: expect.stringMatching(/^.{4,}$/),
    short: expect.stringMatching(/^..$/),
    n: expect.any(Number),
    u: expect.any(Boolean),
    l: [expect.stringMatching(/./)],
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    only: null,
  });
});

test('ends for a recursive schema', () => {
  const schema = {
    $ref: '#/$defs/N',
    $defs: { N: { type: 'object', properties: { n: { $ref: '#/$defs/N' } }, required: ['n'] } },
  };
  expect(JSON.stringify(sample(schema)).length).toBeLessThan(10_000);
});

const idioms: { name: string; inputSchema: unknown }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../bench/forms/idioms.json'), 'utf8'),
).tools;

// The generator writes null where a recursive schema gets too deep.
const finite = idioms.filter(({ name }) => name !== 'recursion');

test.each(finite.map(({ name, inputSchema }) => [name, inputSchema] as const))(
  'makes a valid sample of %s',
  (_name, schema) => {
    for (const all of [true, false]) {
      const text = makeSample(JSON.stringify(schema), all);
      expect(new SchemaChecker(JSON.stringify(schema)).check(text, new Map()).findings, text).toEqual([]);
    }
  },
);
