import { describe, expect, test } from 'vitest';
import { EXACT, stringifyJson } from './json';
import { isInteger, readNumber, writeNumber } from './number-text';

describe('readNumber', () => {
  test.each([
    ['1e3', 1000],
    [' 42 ', 42],
    ['-0.5', -0.5],
    ['+5', 5],
    ['05', 5],
    ['.5', 0.5],
    ['5.', 5],
    ['.5e1', 5],
    ['+.5', 0.5],
    ['-.5', -0.5],
    ['.', '.'],
    ['e5', 'e5'],
    ['1E+2', 100],
    ['abc', 'abc'],
    ['0x10', '0x10'],
    ['NaN', 'NaN'],
    ['1 2', '1 2'],
    ['-', '-'],
    ['', undefined],
    ['  ', undefined],
  ])('%j is %j', (text, value) => {
    expect(readNumber(text)).toBe(value);
  });

  test.skipIf(!EXACT)('big integers and infinities keep their digits (this platform has JSON.rawJSON)', () => {
    for (const digits of ['9007199254740993', '-18446744073709551615', '1e400', '0.5e400', '-0']) {
      expect(stringifyJson(readNumber(digits))).toBe(digits);
      expect(writeNumber(readNumber(digits))).toBe(digits);
    }
    expect(stringifyJson(readNumber('.5e400'))).toBe('0.5e400');
    expect(stringifyJson(readNumber('.12345678901234567890'))).toBe('0.12345678901234567890');
  });
});

test('integers are integers however they are written', () => {
  expect([1, -0, 1.5, '1', null].map(isInteger)).toEqual([true, true, false, false, false]);
});
