import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skipSpace, stringEnd, valueEnd } from './scan';

/** Runs a scan on the text and on its bytes. The text is ASCII, so that both count alike. */
const both = <Result>(text: string, run: (text: string | Uint8Array) => Result): readonly [Result, Result] => [
  run(text),
  run(new TextEncoder().encode(text)),
];

describe('strings and bytes alike', () => {
  test.each([
    ['""', 2],
    ['"a"b"', 3],
    ['"\\""', 4],
    ['"\\\\"', 4],
    ['"open', -1],
    ['"open\\"', -1],
    ['a"', -1],
    ['', -1],
    [`"${'x'.repeat(31)}\\\\"`, 35],
    [`"${'x'.repeat(30)}\\"${'y'.repeat(40)}"`, 74],
  ])('stringEnd of %j is %d', (text, end) => {
    expect(both(text, (source) => stringEnd(source, 0))).toEqual([end, end]);
  });

  test.each([
    ['{"a":[1,"]}"]} ', 14],
    ['12,', 2],
    ['true]', 4],
    ['null', -1],
    ['{"a":1', -1],
    [':1', -1],
    [']', -1],
  ])('valueEnd of %j is %d', (text, end) => {
    expect(both(text, (source) => valueEnd(source, 0))).toEqual([end, end]);
  });

  test('finds the end of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify([value, 0], null, indent).replace(/[^ -~\n]/g, '?');
        const start = skipSpace(text, 1);
        const [inText, inBytes] = both(text, (source) => valueEnd(source, start));
        expect(inBytes).toBe(inText);
        expect(`${text.slice(0, inText)},0]`).toBe(`[${text.slice(1, inText)},0]`);
        expect(() => JSON.parse(text.slice(start, inText))).not.toThrow();
      }),
    );
  });
});
