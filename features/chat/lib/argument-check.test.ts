import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { checkArguments } from './argument-check';
import { cutResult } from './cut-result';

const faults = (inputSchema: JsonObject, args: unknown) =>
  checkArguments({ name: 't', server: 's', tool: 't', inputSchema, readOnly: false }, args).map(
    ({ message }) => message,
  );

test('says how arguments break the schema', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, list: { type: 'array', items: { $ref: '#/$defs/count' } } },
    required: ['a'],
    $defs: { count: { type: 'integer' } },
  };
  expect(faults(schema, { a: 'x', list: [1, 2] })).toEqual([]);
  expect(faults(schema, { list: [1, 'two'] })).toEqual([
    "The arguments don't fit the schema: a is missing, list.1 is a string, expected an integer.",
  ]);
  expect(
    faults(
      { type: 'object', maxProperties: 0, additionalProperties: false },
      { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 },
    )[0],
  ).toMatch(/, and \d more\.$/);
});

test('a property may be called like a keyword', () => {
  const schema = {
    type: 'object',
    properties: { pattern: { type: 'string' }, default: { type: 'number', pattern: 'x' }, $ref: { type: 'boolean' } },
  };
  expect(faults(schema, { pattern: 1, default: 'y', $ref: 1 })).toEqual([
    "The arguments don't fit the schema: pattern is a number, expected a string, default is a string, expected a number, $ref is a number, expected a boolean.",
  ]);
});

describe('attack: a schema that takes for ever is not checked:', () => {
  const doubling: Record<string, unknown> = { d0: { type: 'string' } };
  for (let at = 1; at < 60; at++) {
    const before = { $ref: `#/$defs/d${at - 1}` };
    doubling[`d${at}`] = { allOf: [before, before] };
  }
  test.each<readonly [string, JsonObject]>([
    ['a slow pattern', { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }],
    [
      'a slow pattern in a property called like a keyword',
      { type: 'object', properties: { default: { pattern: '^(a+)+$' }, a: {} } },
    ],
    ['a slow format', { type: 'object', additionalProperties: { anyOf: [{ type: 'string', format: 'url' }, true] } }],
    ['patterns of names', { patternProperties: { '^(a+)+$': {} }, additionalProperties: false }],
    [
      'a pattern in a choice',
      { oneOf: [{ properties: { a: { pattern: '^(a+)+$' } } }, { properties: { a: { pattern: 'b' } } }] },
    ],
    ['references that double', { $ref: '#/$defs/d59', $defs: doubling }],
    ['references in a circle', { properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#' }, { $ref: '#' }] }],
    ['references to anchors', { $anchor: 'x', allOf: [{ $ref: '#x' }, { $dynamicRef: '#x' }] }],
    ['very many schemas', { allOf: new Array(5000).fill({ type: 'object' }) }],
    ['a long text', { description: 'x'.repeat(200_000), required: ['b'] }],
  ])('%s', (_, schema) => {
    expect(
      faults(schema, { link: `http://${'a'.repeat(200)}!`, a: `${'a'.repeat(40)}!`, [`${'a'.repeat(40)}!`]: 1 }),
    ).toEqual([]);
  });
});

describe('a result', () => {
  const text = (words: string) => ({ type: 'text' as const, text: words });

  test('is whole if it is short', () => {
    const parts = [text('a'), { type: 'media' as const, mimeType: 'image/png', data: 'AA==' }, text('')];
    expect(cutResult(parts, 1)).toEqual({ parts });
  });

  test('is cut over all its texts, never within a character', () => {
    const { parts, cutFrom } = cutResult([text('abc'), text('d😀f'), text('g')], 5);
    expect(parts).toEqual([
      text('abc'),
      text('d'),
      text('[This result has 8 characters. You see only its beginning, 5 characters at most.]'),
    ]);
    expect(cutFrom).toBe(8);
  });

  test('has no file that providers refuse, and few parts', () => {
    const { parts, cutFrom } = cutResult([{ type: 'media', mimeType: 'image/png', data: 'A'.repeat(8_000_000) }], 100);
    expect(parts[0]).toEqual(text('[image/png: too large to show]'));
    expect(cutFrom).toBe(8_000_000);
    const file = { type: 'media' as const, mimeType: 'image/png', data: 'A'.repeat(6_000_000) };
    const small = { ...file, data: 'AA==' };
    const many = cutResult([file, file, file, small], 100).parts;
    expect(many.slice(0, 4)).toEqual([file, file, text('[image/png: too large to show]'), small]);
    expect(cutResult(new Array(5000).fill(text('a')), 100_000).parts).toHaveLength(1001);
  });
});
