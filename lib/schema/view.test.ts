import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXACT, parseExactJson, stringifyJson } from '@/lib/json/exact';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { schemaHints, view } from './view';
import type { View } from './view-types';

test.each([
  [{ minimum: 0, maximum: 100 }, ['0–100']],
  [{ minimum: -90, maximum: 90 }, ['-90 to 90']],
  [{ maxLength: 1 }, ['≤ 1 character']],
  [{ minProperties: 1, maxProperties: 3 }, ['1–3 properties']],
  [{ minimum: 1 }, ['≥ 1']],
  [{ maximum: 9 }, ['≤ 9']],
  [{ exclusiveMinimum: 0, multipleOf: 5 }, ['> 0', 'multiple of 5']],
  [{ minLength: 24, maxLength: 24, pattern: '^[a-z]+$' }, ['24 characters', '/^[a-z]+$/']],
  [{ format: 'date-time', pattern: '^[0-9]{4}' }, ['date-time']],
  [{ pattern: 'x'.repeat(50) }, [`/${'x'.repeat(14)}…/`]],
  [{ minItems: 1, uniqueItems: true }, ['≥ 1 item', 'all different']],
  [{ minimum: -9007199254740991, maximum: 9007199254740991 }, []],
  [{ minimum: -2147483648, maximum: 2147483647 }, []],
  [{ minimum: '1', pattern: 7, format: {} }, []],
])('the hints of %j are %j', (schema, hints) => {
  expect(schemaHints(schema)).toEqual(hints);
});

const kind = (schema: unknown, root: unknown = schema) => view(schema, root).kind;

/** Visits every field a person could open, `depth` levels down. */
function walk(schema: unknown, root: unknown, depth: number, seen: (node: View) => void): void {
  const node = view(schema, root);
  seen(node);
  if (depth === 0) return;
  if (node.kind === 'object') for (const property of node.properties) walk(property.schema, root, depth - 1, seen);
  if (node.kind === 'array') walk(node.items, root, depth - 1, seen);
  if (node.kind === 'map') walk(node.others.schema, root, depth - 1, seen);
  if (node.kind === 'union') for (const { schema } of node.branches) walk(schema, root, depth - 1, seen);
  if (node.kind === 'tuple') for (const item of node.items) walk(item, root, depth - 1, seen);
}

describe('kinds', () => {
  test.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'number' }, 'number'],
    [{ type: 'integer' }, 'integer'],
    [{ type: 'boolean' }, 'boolean'],
    [{ enum: ['a', 1, null] }, 'enum'],
    [{ type: 'string', enum: [] }, 'string'],
    [{ const: undefined }, 'const'],
    [{ const: 0 }, 'const'],
    [{ type: 'null' }, 'const'],
    [{ type: 'object', properties: {} }, 'object'],
    [{ type: 'object', properties: {}, additionalProperties: { type: 'string' } }, 'map'],
    [{ properties: { a: {} } }, 'object'],
    [{ type: 'object' }, 'map'],
    [{ type: 'object', additionalProperties: false }, 'object'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map'],
    [{ type: 'array', items: { type: 'string' } }, 'array'],
    [{ type: 'array' }, 'array'],
    [{ type: 'array', items: [{}, {}] }, 'tuple'],
    [{ type: 'array', prefixItems: [{}] }, 'tuple'],
    [{ type: 'array', prefixItems: {} }, 'any'],
    [{ type: ['string', 'number'] }, 'union'],
    [{ type: ['integer', 'number'] }, 'number'],
    [{ type: ['string', 'number', 'boolean', 'object', 'array', 'null'] }, 'any'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'union'],
    [{ anyOf: [{ enum: ['a'] }, { type: 'string' }] }, 'string'],
    [{ oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, 'enum'],
    [{ type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, 'object'],
    [{ minLength: 1 }, 'string'],
    [{ minimum: 1 }, 'number'],
    [{ additionalProperties: { type: 'string' } }, 'map'],
    [{ type: 'object', patternProperties: { '^a': {} }, additionalProperties: false }, 'map'],
    [{ type: 'file' }, 'any'],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }, 'any'],
    [{ allOf: [{ type: 'integer' }, { type: 'number' }] }, 'integer'],
    [{ $anchor: 'x', properties: { a: { $ref: '#x' } } }, 'object'],
    [{ type: 'object', properties: null }, 'any'],
    [{}, 'any'],
    [true, 'any'],
    [false, 'any'],
    [null, 'any'],
    ['string', 'any'],
    [undefined, 'any'],
  ])('%j is %s', (schema, expected) => {
    expect(kind(schema)).toBe(expected);
  });

  test('properties keep their order and names, and whether they are required', () => {
    const node = view({ type: 'object', properties: { b: {}, a: {} }, required: ['a', 7, 'ghost'] }, {});
    expect(node.kind === 'object' && node.properties.map((p) => [p.name, p.required])).toEqual([
      ['b', false],
      ['a', true],
      ['ghost', true],
    ]);
  });

  test('distinguishes a null default from none', () => {
    expect(view({ type: 'string', default: null }, {}).default).toEqual({ value: null });
    expect(view({ type: 'string' }, {}).default).toBeUndefined();
  });

  test('bounds become hints, except the limits of safe integers that zod always writes', () => {
    expect(view({ type: 'integer', minimum: 1, maximum: 9007199254740991 }, {}).hints).toEqual(['≥ 1']);
  });

  test('a schema read from its text keeps the digits of its numbers', () => {
    const text = '{"type":"integer","minimum":1.0,"maximum":18446744073709551615,"default":9007199254740993}';
    const { hints, kind, default: preset } = view(parseExactJson(text), {});
    expect({ hints, kind }).toEqual({ hints: [EXACT ? '≥ 1.0' : '≥ 1'], kind: 'integer' });
    expect(stringifyJson(preset?.value)).toBe(EXACT ? '9007199254740993' : '9007199254740992');
  });
});

describe('references and combinations', () => {
  test.each([
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string'],
    [{ oneOf: [{ type: 'null' }, { type: 'array', items: {} }] }, 'array'],
    [{ type: ['integer', 'null'] }, 'integer'],
    [{ type: 'boolean', nullable: true }, 'boolean'],
  ])('%j is a nullable %s', (schema, expected) => {
    expect(view(schema, schema)).toMatchObject({ kind: expected, nullable: true });
  });

  test('an enum that lists null is not also nullable', () => {
    expect(view({ type: ['string', 'null'], enum: ['a', null] }, {})).toMatchObject({ kind: 'enum', nullable: false });
  });

  test('a local reference is resolved, and keywords beside it win', () => {
    const root = { $defs: { 'a/b': { type: 'string', description: 'far', title: 'T' } } };
    const node = view({ $ref: '#/$defs/a~1b', description: 'near' }, root);
    expect(node).toMatchObject({ kind: 'string', description: 'near', title: 'T' });
  });

  test('a reference to a property is resolved', () => {
    const root = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(kind({ $ref: '#/properties/a' }, root)).toBe('integer');
  });

  test.each(['#/nope', 'https://example.com/schema.json', '#/__proto__', '#/constructor', 42])(
    'the reference %s is not resolved',
    (ref) => {
      expect(kind({ $ref: ref }, {})).toBe('any');
    },
  );

  test('allOf merges properties and required names', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'number' }, a: { description: 'more' } } },
      ],
    };
    const node = view(schema, schema);
    expect(node.kind === 'object' && node.properties.map((p) => [p.name, p.required])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    expect(node.kind === 'object' && view(node.properties[0]!.schema, schema)).toMatchObject({
      kind: 'string',
      description: 'more',
    });
  });

  test('circular references end', () => {
    const direct: any = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
    expect(kind(direct)).toBe('any');
    expect(kind({ $ref: '#' })).toBe('any');
    const itself: any = { allOf: [] };
    itself.allOf.push(itself);
    expect(kind(itself)).toBe('any');
  });

  test('recursion through properties is allowed', () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    const kinds: string[] = [];
    walk(tree, tree, 6, (node) => kinds.push(node.kind));
    expect(kinds).toEqual(['object', 'array', 'object', 'array', 'object', 'array', 'object']);
  });

  test('references that expand enormously are not followed to the end', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'object' } };
    for (let i = 1; i < 40; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    expect(kind({ $ref: '#/$defs/d39' }, { $defs })).toBe('any');
  });

  test('10,000 levels of allOf do not overflow', () => {
    let deep: unknown = { type: 'string' };
    for (let i = 0; i < 10_000; i++) deep = { allOf: [deep] };
    expect(kind(deep)).toBe('any');
  });
});

describe('hostile names', () => {
  test('__proto__ is an ordinary property', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}');
    const both = view({ allOf: [schema, schema] }, schema);
    expect(both.kind === 'object' && both.properties.map((p) => p.name)).toEqual(['__proto__', 'constructor']);
    expect(({} as any).type).toBeUndefined();
  });
});

test('the same schema has the same view', () => {
  const schema = { type: 'string' };
  const root = {};
  expect(view(schema, root)).toBe(view(schema, root));
});

test('every real schema has a view, five levels down, within seconds', () => {
  const file = join(import.meta.dirname, '../../bench/forms/real-schemas.json');
  const { tools } = parseExactJson(readFileSync(file, 'utf8')) as { tools: { inputSchema: unknown }[] };
  let nodes = 0;
  const started = cpuMs();
  for (const { inputSchema } of tools) walk(inputSchema, inputSchema, 5, () => nodes++);
  expect(nodes).toBeGreaterThan(2_500);
  expect(cpuMs() - started).toBeLessThan(10_000);
});

test('unions that contain the root and have properties beside them have an end', () => {
  const beside = (table: object) => ({
    oneOf: [{ properties: table }, { const: '' }],
    properties: { x: false, y: {} },
  });
  const schema = {
    type: 'object',
    properties: {
      u: {
        oneOf: [{ $ref: '#' }, { type: 'number' }],
        properties: {
          u: { $ref: '#' },
          v: beside({ a: null, b: [] }),
          w: { prefixItems: [beside({ c: 7 }), 'string'] },
        },
      },
    },
  };
  const { properties } = view(schema, schema) as View<'object'>;
  expect(view(properties[0]!.schema, schema).kind).toBe('union');
});
