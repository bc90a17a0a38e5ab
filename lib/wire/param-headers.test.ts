import { describe, expect, test } from 'vitest';
import { readHeaderParams } from './param-headers';

const annotated = (type: unknown, header: unknown) => ({ type, 'x-mcp-header': header });

describe('readHeaderParams', () => {
  test('finds annotations along chains of properties', () => {
    const properties = {
      a: annotated('string', 'A'),
      b: { type: 'object', properties: { c: annotated('integer', 'C'), d: annotated('boolean', 'D') } },
    };
    expect(readHeaderParams({ type: 'object', properties })).toEqual({
      params: expect.arrayContaining([
        { header: 'A', path: ['a'] },
        { header: 'C', path: ['b', 'c'] },
        { header: 'D', path: ['b', 'd'] },
      ]),
    });
  });

  test.each<[string, object]>([
    ['a number, which has several spellings', { properties: { a: annotated('number', 'A') } }],
    ['an empty name', { properties: { a: annotated('string', '') } }],
    ['a name with a space', { properties: { a: annotated('string', 'A B') } }],
    ['a name with a line break', { properties: { a: annotated('string', 'A\r\nB') } }],
    ['a name that is not a string', { properties: { a: annotated('string', 1) } }],
    ['an object', { properties: { a: annotated('object', 'A') } }],
    ['an array', { properties: { a: annotated('array', 'A') } }],
    ['null', { properties: { a: annotated('null', 'A') } }],
    ['two types', { properties: { a: annotated(['string', 'null'], 'A') } }],
    ['no type', { properties: { a: { 'x-mcp-header': 'A' } } }],
    ['the same name in another case', { properties: { a: annotated('string', 'X'), b: annotated('string', 'x') } }],
    ['the root', { ...annotated('string', 'A') }],
    ['items', { properties: { a: { type: 'array', items: annotated('string', 'A') } } }],
    ['anyOf', { anyOf: [{ properties: { a: annotated('string', 'A') } }] }],
    ['$defs', { $defs: { x: annotated('string', 'A') } }],
    ['additionalProperties', { additionalProperties: annotated('string', 'A') }],
  ])('%s makes the tool invalid', (_what, schema) => {
    expect(readHeaderParams(schema)).toEqual({ params: [], problem: expect.stringContaining('x-mcp-header') });
  });

  test.each<[string, unknown]>([
    ['a property of that name', { properties: { 'x-mcp-header': { type: 'string' } } }],
    ['a default', { properties: { a: { type: 'object', default: { 'x-mcp-header': 'A' } } } }],
    ['no schema', undefined],
    ['true', true],
    ['invalid properties', { properties: 'x' }],
  ])('ignores %s', (_what, schema) => {
    expect(readHeaderParams(schema)).toEqual({ params: [] });
  });

  test('survives a deeply nested schema', () => {
    let schema: object = annotated('string', 'Deep');
    for (let depth = 0; depth < 100_000; depth++) schema = { properties: { p: schema } };
    expect(() => readHeaderParams({ items: schema })).not.toThrow();
  });
});
