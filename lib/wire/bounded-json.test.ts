import { describe, expect, test } from 'vitest';
import { parseBounded } from './bounded-json';
import { LIMITS } from './limits';

describe('what a server sends is parsed within bounds', () => {
  test('as JSON.parse does, for what is reasonable', () => {
    for (const text of ['{"a":[1,"[[[[",{"b":"\\"]"}]}', '7', '"x"', `{"image":"${'A'.repeat(30_000_000)}"}`]) {
      expect(parseBounded(text)).toEqual(JSON.parse(text));
    }
    expect(() => parseBounded('{')).toThrow(SyntaxError);
  });

  test('brackets and commas in strings don’t count, whatever is escaped there', () => {
    const strings = JSON.stringify(Array.from({ length: 400 }, () => '[[,,"\\\\["\\'));
    expect(parseBounded(`{"x":${strings}}`)).toEqual({ x: JSON.parse(strings) });
  });

  test('a value of the greatest depth passes, one deeper does not', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${' '.repeat(LIMITS.jsonDepth)}${']'.repeat(depth)}`;
    expect(() => parseBounded(nested(LIMITS.jsonDepth))).not.toThrow();
    expect(() => parseBounded(nested(LIMITS.jsonDepth + 1))).toThrow(RangeError);
  });

  test('monsters are refused without being built', () => {
    expect(() => parseBounded(`{"id":1,"a":${'['.repeat(64_000_000)}`)).toThrow(/nested deeper/);
    expect(() => parseBounded(`[${'[],'.repeat(LIMITS.jsonNodes)}0]`)).toThrow(/more than/);
  });

  test('a string that never ends, full of backslashes, is stepped over once', () => {
    expect(() => parseBounded(`["${'\\'.repeat(10_000_000)}`)).toThrow(SyntaxError);
  });
});
