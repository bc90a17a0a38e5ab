import { describe, expect, test } from 'vitest';
import { LineReader, RawJson, rawAt, stringify } from './json-lines.mjs';

describe('rawAt', () => {
  const text = ' { "a" : [ 1 , {"b":  9007199254740993 } , "]}," ], "c\\u0061":1.10, "a2":{} ,"a2" : -0.0 }';

  test.each([
    [[], text.trim()],
    [['a'], '[ 1 , {"b":  9007199254740993 } , "]}," ]'],
    [['a', 0], '1'],
    [['a', 1, 'b'], '9007199254740993'],
    [['a', 2], '"]},"'],
    [['ca'], '1.10'],
    [['a2'], '-0.0'],
    [['a', 3], undefined],
    [['none', 'b'], undefined],
    [['a', 0, 'b'], undefined],
  ])('%j', (path, found) => {
    expect(rawAt(text, path)).toBe(found);
  });

  test('finds the same values as JSON.parse, everywhere in a document', () => {
    const value = { '': [], k: [[], [{}], [null, true, '\\"{', { x: { y: [-1.5e-7] } }]], '"': '[' };
    const check = (at, path) => {
      for (const indent of [undefined, 2]) {
        expect(JSON.parse(rawAt(JSON.stringify(value, null, indent), path))).toEqual(at);
      }
      if (typeof at !== 'object' || at === null) return;
      for (const [key, inside] of Object.entries(at)) check(inside, [...path, Array.isArray(at) ? Number(key) : key]);
    };
    check(value, []);
  });
});

test('stringify inserts raw texts, and keeps strings that look like one', () => {
  const value = {
    n: new RawJson('18446744073709551615'),
    list: [new RawJson('1.10'), '$&'],
    text: new RawJson('"$1"'),
  };
  expect(stringify(value)).toBe('{"n":18446744073709551615,"list":[1.10,"$&"],"text":"$1"}');
  expect(stringify({ plain: 1 })).toBe('{"plain":1}');
});

test('returns whole lines however the bytes are split', () => {
  const bytes = Buffer.from('{"é":"🗼"}\r\n\n  \n[1]\nrest');
  for (let size = 1; size <= bytes.length; size++) {
    const lines = [];
    const reader = new LineReader((line) => lines.push(line));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    expect(lines, `chunks of ${size}`).toEqual(['{"é":"🗼"}', '[1]']);
  }
});
