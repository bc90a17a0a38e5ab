import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JSON_DEPTH } from './parse';
import { isPlainJson } from './plain-json';

const encoder = new TextEncoder();
const isPlain = (text: string): boolean => isPlainJson(encoder.encode(text));

/** The oracle: JSON.parse, for objects and arrays in ASCII on one line, without white space around them. */
function isJson(text: string): boolean {
  try {
    const isAscii = Array.from(text).every((character) => character < '\x80');
    return typeof JSON.parse(text) === 'object' && isAscii && /^[{[].*[}\]]$/.test(text) && !/[\r\n]/.test(text);
  } catch {
    return false;
  }
}

describe('plain JSON', () => {
  test.each([
    '{}',
    '[]',
    '{"a":1}',
    '[1,-0,0.5,-1.25e+10,1E-2]',
    '{"a":{"b":[{},[],null,true,false,"x"]}}',
    '{ "a" : [ 1 , 2 ] }',
    '["\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"]',
    '{"__proto__":1,"__proto__":2}',
  ])('is %s', (text) => {
    expect(isJson(text)).toBe(true);
    expect(isPlain(text)).toBe(true);
  });

  test.each([
    '',
    '{',
    '[',
    ']',
    '{]',
    '[}',
    '{}}',
    '{},',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '[01]',
    '[1.]',
    '[.5]',
    '[-]',
    '[1e]',
    '[+1]',
    '[NaN]',
    '[nul]',
    '[truex]',
    '["\\x"]',
    '["\\u12g4"]',
    '["a\tb"]',
    '["',
    '["\\',
    '["\\u1',
    '{"a" "b"}',
    '[1 2]',
    '1',
    '"a"',
    ' {}',
    '{}\n',
  ])('is not %j', (text) => expect(isPlain(text)).toBe(false));

  test.each(['{\n}', '[1,\r\n2]'])('is not %j, which has several lines', (text) => expect(isPlain(text)).toBe(false));

  test('is never other than ASCII', () => {
    expect(isPlain('{"a":"é"}')).toBe(false);
    expect(isPlainJson(Uint8Array.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))).toBe(false);
  });

  test('is nested up to the depth that is parsed', () => {
    expect(isPlain('['.repeat(JSON_DEPTH) + ']'.repeat(JSON_DEPTH))).toBe(true);
    expect(isPlain('['.repeat(JSON_DEPTH + 1) + ']'.repeat(JSON_DEPTH + 1))).toBe(false);
  });

  test('agrees with JSON.parse for any JSON, and for JSON with one character changed', () => {
    const characters = Array.from('{}[]",:\\ue0129.-+ \ntfnx\n\0');
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom(...characters),
        fc.boolean(),
        (text, place, character, insert) => {
          expect(isPlain(text)).toBe(isJson(text));
          const at = place % (text.length + 1);
          const changed = text.slice(0, at) + character + text.slice(insert ? at : at + 1);
          expect(isPlain(changed)).toBe(isJson(changed));
        },
      ),
      { numRuns: 5000 },
    );
  });
});
