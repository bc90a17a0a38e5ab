import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical';

describe('canonical JSON', () => {
  test.each([
    ['{ "b" : 1, "a" : [ true , null ] }', '{"a":[true,null],"b":1}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['"\\u0041\\/"', '"A/"'],
    ['[1, 1.0, 10e-1, 0.1e1, 100, 1e2, -0, 0.0e9]', '[1,1,1,1,1e2,1e2,0,0]'],
    ['9007199254740993', '9007199254740993'],
    ['1e999', '1e999'],
    ['-1.50', '-15e-1'],
    ['{"__proto__":1}', '{"__proto__":1}'],
    ['no JSON', 'no JSON'],
  ])('%s is %s', (text, canonical) => expect(canonicalJson(text)).toBe(canonical));

  test('distinguishes numbers that are the same double', () => {
    expect(canonicalJson('9007199254740992')).not.toBe(canonicalJson('9007199254740993'));
    expect(canonicalJson('1e999')).not.toBe(canonicalJson('2e999'));
  });

  test('gives every spelling of a value the same text', () => {
    return fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(JSON.stringify(value));
        expect(text).toBe(canonicalJson(JSON.stringify(value, undefined, 3)));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
