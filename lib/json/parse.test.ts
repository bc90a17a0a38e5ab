import { describe, expect, test } from 'vitest';
import { JSON_DEPTH } from '@/lib/json/parse';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { JSON_NODES, parseBounded, parseLooseJson } from './parse';

describe('parseBounded', () => {
  test('agrees with JSON.parse within the bounds', () => {
    for (const text of ['{"a":[1,"[[[[",{"b":"\\"]"}]}', '7', '"x"', `{"image":"${'A'.repeat(30_000_000)}"}`]) {
      expect(parseBounded(text)).toEqual(JSON.parse(text));
    }
    expect(() => parseBounded('{')).toThrow(SyntaxError);
  });

  test('ignores brackets and commas in strings, escaped or not', () => {
    const strings = JSON.stringify(Array.from({ length: 400 }, () => '[[,,"\\\\["\\'));
    expect(parseBounded(`{"x":${strings}}`)).toEqual({ x: JSON.parse(strings) });
  });

  test('accepts the greatest depth and nothing deeper', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${' '.repeat(JSON_DEPTH)}${']'.repeat(depth)}`;
    expect(() => parseBounded(nested(JSON_DEPTH))).not.toThrow();
    expect(() => parseBounded(nested(JSON_DEPTH + 1))).toThrow(RangeError);
  });

  test('refuses JSON beyond the bounds without parsing it', () => {
    expect(() => parseBounded(`{"id":1,"a":${'['.repeat(64_000_000)}`)).toThrow(/nested deeper/);
    expect(() => parseBounded(`[${'[],'.repeat(JSON_NODES)}0]`)).toThrow(/more than/);
  });

  test('scans an unclosed string of backslashes once', () => {
    expect(() => parseBounded(`["${'\\'.repeat(10_000_000)}`)).toThrow(SyntaxError);
  });
});

test('removes comments and trailing commas, but nothing in strings', () => {
  const text = '\uFEFF{ // "a": 1,\n "b": "// \\" /* x */ ,]", /* { \n " */ "c": [1, /**/ 2 , ], }';
  expect(parseLooseJson(text)).toEqual({ b: '// " /* x */ ,]', c: [1, 2] });
});

test.each(['{"a": "unfinished', '{"a": 1 /* unfinished', '{"a": "x\\', '{a: 1}', '/* only */'])(
  '%j is refused with the error of the text as it was written',
  (text) => {
    let strict: unknown;
    try {
      JSON.parse(text);
    } catch (error) {
      strict = error;
    }
    expect(() => parseLooseJson(text)).toThrow((strict as Error).message);
  },
);

test.each(['"\\"', '\\"', '/*', '/* "', ',"', ', '])(
  '400 kB of %j behind a brace is refused in linear time',
  (unit) => {
    const text = `{"${unit.repeat(400_000 / unit.length)}`;
    const begun = cpuMs();
    expect(() => parseLooseJson(text)).toThrow(SyntaxError);
    expect(() => parseLooseJson(`{${unit.repeat(400_000 / unit.length)}`)).toThrow(SyntaxError);
    expect(cpuMs() - begun).toBeLessThan(2000);
  },
);
