import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonTextError, messageText, setMembers, topLevelMembers } from './members';

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
  test('finds keys and the exact text of values, duplicates and all', () => {
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
    // `{"a":[1}` has its value run to the end: nesting is counted, not matched.
    expect(codeOf(() => topLevelMembers(text))).toBe('not-an-object');
  });

  test('a million levels cost no stack', () => {
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

describe('spliceParams', () => {
  test('keeps the params as they are written', () => {
    const params = '{ "b":9007199254740993, "a":1e2,"a":2, "é":"\\u00e9" }';
    expect(messageText('x/y', 7, params)).toBe(`{"jsonrpc":"2.0","id":7,"method":"x/y","params":${params}}`);
    expect(messageText('x/y', 'i"d')).toBe('{"jsonrpc":"2.0","id":"i\\"d","method":"x/y"}');
    expect(messageText('n')).toBe('{"jsonrpc":"2.0","method":"n"}');
  });

  test('puts a missing _meta behind the last member', () => {
    const meta = { 'a/b': 1, t: 'x', gone: undefined };
    expect(messageText('m', 1, undefined, meta)).toContain('"params":{"_meta":{"a/b":1,"t":"x"}}}');
    expect(messageText('m', 1, '{ }', meta)).toContain('"params":{"_meta":{"a/b":1,"t":"x"} }}');
    expect(messageText('m', 1, '{"q":1 }', meta)).toContain('"params":{"q":1,"_meta":{"a/b":1,"t":"x"} }}');
    expect(messageText('m', 1, '{"q":1 }', {})).toContain('"params":{"q":1 }}');
  });

  test('members of a written _meta win and keep their text', () => {
    const params = '{"_meta":{"t":0},"q":1,"_meta": { "t" : 10000000000000000001 } }';
    expect(messageText('m', 1, params, { t: 5, u: 6 })).toContain(
      '"params":{"_meta":{"t":0},"q":1,"_meta": { "t" : 10000000000000000001,"u":6 } }}',
    );
    expect(messageText('m', 1, '{"_meta":{"\\u0074":1}}', { t: 5 })).toContain('"params":{"_meta":{"\\u0074":1}}}');
    expect(messageText('m', 1, '{"_meta":{}}', { t: 5 })).toContain('"params":{"_meta":{"t":5}}}');
  });

  test('wrong params travel as they are', () => {
    for (const params of ['[1,2]', '5', 'null', '"s"', '{"_meta":7}', '{"_meta":null}', '{"_meta":[1]}']) {
      expect(messageText('m', 1, params, { t: 5 })).toBe(`{"jsonrpc":"2.0","id":1,"method":"m","params":${params}}`);
    }
  });

  test('line breaks between tokens become spaces, those in strings are escapes anyway', () => {
    const text = messageText('m', 1, '{\r\n  "a": "x\\ny\u2028",\n  "b": 1\n}', { t: 1 });
    expect(text).toContain('{    "a": "x\\ny\u2028",   "b": 1,"t"'.replace(',"t"', ',"_meta":{"t":1} }'));
    expect(text).not.toMatch(/[\r\n]/);
  });

  test('text that is no JSON is refused with advice', () => {
    for (const params of ['', '{', '{"a":1} x', '{"a":NaN}', "{'a':1}", '{"a":"x\ny"}']) {
      expect(codeOf(() => messageText('m', 1, params, { t: 5 }))).toBe('params-not-json');
    }
  });

  test('any params and any meta make one line that parses to both', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (params, meta) => {
          const given = JSON.parse(JSON.stringify(params, null, 2));
          const text = messageText('m', 1, JSON.stringify(params, null, 2), meta);
          expect(text).not.toContain('\n');
          const { _meta, ...rest } = JSON.parse(text).params;
          const { _meta: _, ...expected } = given;
          expect(JSON.stringify(rest)).toBe(JSON.stringify(expected));
          if (!Object.hasOwn(given, '_meta') && Object.keys(meta).length > 0) {
            expect(JSON.stringify(_meta)).toBe(JSON.stringify(meta));
          }
        },
      ),
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

  test('an odd name is a name', () => {
    expect(setMembers('{}', [['__proto__', '[1]']])).toBe('{"__proto__":[1]}');
  });

  test('what is no object', () => {
    expect(codeOf(() => setMembers('[]', [['a', '1']]))).toBe('not-an-object');
  });
});
