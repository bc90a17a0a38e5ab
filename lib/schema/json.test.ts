import { describe, expect, test } from 'vitest';
import { compactJson, EXACT, exactNumber, isLiteral, parseJson, sameJson, stringifyJson } from './json';

describe('compactJson', () => {
  test('takes white space out between tokens only, on one line', () => {
    expect(compactJson('{\n  "a b" : "x  \\" y",\r\n\t"c": [1, 2]\n}\n')).toBe('{"a b":"x  \\" y","c":[1,2]}');
  });

  test('keeps duplicate keys, order and digits', () => {
    expect(compactJson('{ "b": 18446744073709551615, "a": 1.0, "b": 1e400 }')).toBe(
      '{"b":18446744073709551615,"a":1.0,"b":1e400}',
    );
  });

  test('is linear on text without closing quotes', () => {
    const text = '"'.repeat(1) + '\\"'.repeat(200_000);
    expect(compactJson(text).length).toBe(text.length);
  });
});

describe('values', () => {
  test('ordinary numbers are ordinary', () => {
    expect(parseJson('{"a":[1,-2.5,"x",null]}')).toEqual({ a: [1, -2.5, 'x', null] });
    expect(exactNumber('1e3')).toBe(1000);
  });

  test('an own __proto__ survives', () => {
    const value = parseJson('{"__proto__":{"x":1}}');
    expect(stringifyJson(value)).toBe('{"__proto__":{"x":1}}');
    expect(({} as any).x).toBeUndefined();
  });

  test('equality is by JSON text', () => {
    expect(sameJson({ a: [1] }, { a: [1] })).toBe(true);
    expect(sameJson(1, '1')).toBe(false);
    expect(sameJson(null, undefined)).toBe(false);
  });
});

describe.skipIf(!EXACT)('exact numbers (this platform has JSON.rawJSON)', () => {
  test.each(['18446744073709551615', '1e400', '1.0', '-0', '0.10', '9007199254740993'])(
    '%s keeps its digits',
    (source) => {
      expect(stringifyJson(parseJson(`[${source}]`))).toBe(`[${source}]`);
    },
  );

  test('literals are told apart from objects', () => {
    expect(isLiteral(parseJson('1e400'))).toBe(true);
    expect(isLiteral({ rawJSON: '1' })).toBe(false);
    expect(sameJson(parseJson('1e400'), parseJson('1e400'))).toBe(true);
  });
});
