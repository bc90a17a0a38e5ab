import { expect, test } from 'vitest';
import { parseLooseJson } from './loose-json';

test('comments and trailing commas go, and nothing inside strings', () => {
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
    const begun = performance.now();
    expect(() => parseLooseJson(text)).toThrow(SyntaxError);
    expect(() => parseLooseJson(`{${unit.repeat(400_000 / unit.length)}`)).toThrow(SyntaxError);
    expect(performance.now() - begun).toBeLessThan(2000);
  },
);
