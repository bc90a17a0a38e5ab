import { describe, expect, test } from 'vitest';
import {
  compactJson,
  EXACT,
  exactNumber,
  isExactInteger,
  isRawNumber,
  LongNumber,
  parseExact,
  parseExactJson,
  sameJson,
  stringifyJson,
  writeNumber,
} from './exact';
import { readTypedNumber } from './typed-number';

describe('compactJson', () => {
  test('removes only white space between tokens', () => {
    expect(compactJson('{\n  "a b" : "x  \\" y",\r\n\t"c": [1, 2]\n}\n')).toBe('{"a b":"x  \\" y","c":[1,2]}');
  });

  test('keeps duplicate keys, order and digits', () => {
    expect(compactJson('{ "b": 18446744073709551615, "a": 1.0, "b": 1e400 }')).toBe(
      '{"b":18446744073709551615,"a":1.0,"b":1e400}',
    );
  });

  test('takes linear time for text without closing quotes', () => {
    const text = '"'.repeat(1) + '\\"'.repeat(200_000);
    expect(compactJson(text).length).toBe(text.length);
  });
});

describe('values', () => {
  test('leaves ordinary numbers alone', () => {
    expect(parseExactJson('{"a":[1,-2.5,"x",null]}')).toEqual({ a: [1, -2.5, 'x', null] });
    expect(exactNumber('1000')).toBe(1000);
  });

  test('keeps an own __proto__', () => {
    const value = parseExactJson('{"__proto__":{"x":1}}');
    expect(stringifyJson(value)).toBe('{"__proto__":{"x":1}}');
    expect(({} as any).x).toBeUndefined();
  });

  test('compares by JSON text', () => {
    expect(sameJson({ a: [1] }, { a: [1] })).toBe(true);
    expect(sameJson(1, '1')).toBe(false);
    expect(sameJson(null, undefined)).toBe(false);
  });
});

describe.skipIf(!EXACT)('exact numbers (this platform has JSON.rawJSON)', () => {
  test.each(['18446744073709551615', '1e400', '1.0', '-0', '0.10', '9007199254740993'])(
    '%s keeps its digits',
    (source) => {
      expect(stringifyJson(parseExactJson(`[${source}]`))).toBe(`[${source}]`);
    },
  );

  test('distinguishes raw numbers from objects', () => {
    expect(isRawNumber(parseExactJson('1e400'))).toBe(true);
    expect(isRawNumber({ rawJSON: '1' })).toBe(false);
    expect(sameJson(parseExactJson('1e400'), parseExactJson('1e400'))).toBe(true);
  });
});

describe('readNumber', () => {
  test.skipIf(!EXACT).each(['0.10', '1e3', '1.0', '1E+2', '-0.50', '100.00'])('%s keeps the digits typed', (digits) => {
    expect(stringifyJson({ n: readTypedNumber(` ${digits} `) })).toBe(`{"n":${digits}}`);
    expect(sameJson(readTypedNumber(digits), parseExactJson(digits))).toBe(true);
  });

  test.skipIf(EXACT).each(['1e3', '1E+2', '.5e1'])('%s is a number', (text) => {
    expect(readTypedNumber(text)).toBe(Number(text));
  });

  test.each([
    [' 42 ', 42],
    ['-0.5', -0.5],
    ['+5', 5],
    ['05', 5],
    ['.5', 0.5],
    ['5.', 5],
    ['+.5', 0.5],
    ['-.5', -0.5],
    ['.', '.'],
    ['e5', 'e5'],
    ['abc', 'abc'],
    ['0x10', '0x10'],
    ['NaN', 'NaN'],
    ['1 2', '1 2'],
    ['-', '-'],
    ['', undefined],
    ['  ', undefined],
  ])('%j is %j', (text, value) => {
    expect(readTypedNumber(text)).toBe(value);
  });

  test.skipIf(!EXACT)('big integers and infinities keep their digits (this platform has JSON.rawJSON)', () => {
    for (const digits of ['9007199254740993', '-18446744073709551615', '1e400', '0.5e400', '-0']) {
      expect(stringifyJson(readTypedNumber(digits))).toBe(digits);
      expect(writeNumber(readTypedNumber(digits))).toBe(digits);
    }
    expect(stringifyJson(readTypedNumber('.5e400'))).toBe('0.5e400');
    expect(stringifyJson(readTypedNumber('.12345678901234567890'))).toBe('0.12345678901234567890');
  });
});

test('recognises integers in any spelling', () => {
  expect([1, -0, 1.5, '1', null].map(isExactInteger)).toEqual([true, true, false, false, false]);
});

test('parseExact keeps a long number wherever it begins, and nothing shorter', () => {
  for (let spaces = 0; spaces < 40; spaces++) {
    const before = ' '.repeat(spaces);
    expect(parseExact(`[${before}9007199254740993 ]`)).toEqual([new LongNumber('9007199254740993')]);
    expect(parseExact(`[${before}123456789012345,1.5]`)).toEqual([123456789012345, 1.5]);
  }
});
