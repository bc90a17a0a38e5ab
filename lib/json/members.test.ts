import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonTextError, setMembers, topLevelMembers } from './members';

const values = (text: string) => topLevelMembers(text).map(({ key, start, end }) => [key, text.slice(start, end)]);

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    return error instanceof JsonTextError ? error.code : String(error);
  }
  return undefined;
};

describe('members', () => {
  test('finds keys and the exact text of values, with duplicates', () => {
    expect(values(' {\r\n"a" : 12345678901234567890 , "b":{"c":"}\\""}\t,"a":[1, [2,{}]] } ')).toEqual([
      ['a', '12345678901234567890'],
      ['b', '{"c":"}\\""}'],
      ['a', '[1, [2,{}]]'],
    ]);
    expect(values('{}')).toEqual([]);
    expect(values('{"\\u0061\\"":-1.5e+3,"__proto__":null}')).toEqual([
      ['a"', '-1.5e+3'],
      ['__proto__', 'null'],
    ]);
  });

  test.each([
    '',
    ' ',
    '[]',
    '"a"',
    '1',
    '{',
    '{"a"',
    '{"a":',
    '{"a":}',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{,}',
    '{a:1}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":[1}',
    '{"a":"x}',
    '{} {}',
    '{"a":1}}',
    '{"\\q":1}',
  ])('refuses %j', (text) => {
    // `{"a":[1}` is refused too. Brackets are only counted, so the value is `[1}` and the object has no end.
    expect(codeOf(() => topLevelMembers(text))).toBe('not-an-object');
  });

  test('uses no stack for a million levels', () => {
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    expect(topLevelMembers(`{"deep":${deep}}`)).toEqual([{ key: 'deep', start: 8, end: 8 + deep.length }]);
  });

  test('agrees with JSON.parse on every object, however it is spaced', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, '\t'), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const read = values(text).map(([key, value]) => [key, JSON.parse(value!)]);
        expect(read).toEqual(Object.entries(JSON.parse(text)));
      }),
    );
  });
});

describe('setMembers', () => {
  test.each([
    ['{}', '{"a":1}'],
    [' { "b" : 1e3 } ', ' { "b" : 1e3,"a":1 } '],
    ['{"a":0,"b":12345678901234567890}', '{"a":1,"b":12345678901234567890}'],
    ['{"a":0,"a":{"a":2}}', '{"a":0,"a":1}'],
  ])('%s', (text, changed) => {
    expect(setMembers(text, [['a', '1']])).toBe(changed);
  });

  test('sets __proto__ like any name', () => {
    expect(setMembers('{}', [['__proto__', '[1]']])).toBe('{"__proto__":[1]}');
  });

  test('refuses anything but an object', () => {
    expect(codeOf(() => setMembers('[]', [['a', '1']]))).toBe('not-an-object');
  });
});
