import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonTextError } from '@/lib/json/members';
import { messageText } from './message';

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    return error instanceof JsonTextError ? error.code : String(error);
  }
  return undefined;
};

describe('messageText', () => {
  test('keeps the params as written', () => {
    const params = '{ "b":9007199254740993, "a":1e2,"a":2, "é":"\\u00e9" }';
    expect(messageText('x/y', 7, params)).toBe(`{"jsonrpc":"2.0","id":7,"method":"x/y","params":${params}}`);
    expect(messageText('x/y', 'i"d')).toBe('{"jsonrpc":"2.0","id":"i\\"d","method":"x/y"}');
    expect(messageText('n')).toBe('{"jsonrpc":"2.0","method":"n"}');
  });

  test('adds a missing _meta after the last member', () => {
    const meta = { 'a/b': 1, t: 'x', gone: undefined };
    expect(messageText('m', 1, undefined, meta)).toContain('"params":{"_meta":{"a/b":1,"t":"x"}}}');
    expect(messageText('m', 1, '{ }', meta)).toContain('"params":{"_meta":{"a/b":1,"t":"x"} }}');
    expect(messageText('m', 1, '{"q":1 }', meta)).toContain('"params":{"q":1,"_meta":{"a/b":1,"t":"x"} }}');
    expect(messageText('m', 1, '{"q":1 }', {})).toContain('"params":{"q":1 }}');
  });

  test('keeps members that _meta already has, as written', () => {
    const params = '{"_meta":{"t":0},"q":1,"_meta": { "t" : 10000000000000000001 } }';
    expect(messageText('m', 1, params, { t: 5, u: 6 })).toContain(
      '"params":{"_meta":{"t":0},"q":1,"_meta": { "t" : 10000000000000000001,"u":6 } }}',
    );
    expect(messageText('m', 1, '{"_meta":{"\\u0074":1}}', { t: 5 })).toContain('"params":{"_meta":{"\\u0074":1}}}');
    expect(messageText('m', 1, '{"_meta":{}}', { t: 5 })).toContain('"params":{"_meta":{"t":5}}}');
  });

  test('sends params of the wrong type as they are', () => {
    for (const params of ['[1,2]', '5', 'null', '"s"', '{"_meta":7}', '{"_meta":null}', '{"_meta":[1]}']) {
      expect(messageText('m', 1, params, { t: 5 })).toBe(`{"jsonrpc":"2.0","id":1,"method":"m","params":${params}}`);
    }
  });

  test('replaces line breaks between tokens by spaces', () => {
    const text = messageText('m', 1, '{\r\n  "a": "x\\ny\u2028",\n  "b": 1\n}', { t: 1 });
    expect(text).toContain('{    "a": "x\\ny\u2028",   "b": 1,"t"'.replace(',"t"', ',"_meta":{"t":1} }'));
    expect(text).not.toMatch(/[\r\n]/);
  });

  test('refuses params that are not JSON', () => {
    for (const params of ['', '{', '{"a":1} x', '{"a":NaN}', "{'a':1}", '{"a":"x\ny"}']) {
      expect(codeOf(() => messageText('m', 1, params, { t: 5 }))).toBe('params-not-json');
    }
  });

  test('makes one line of any params and any meta', () => {
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
