import { describe, expect, test } from 'vitest';
import { argumentsText, readArguments } from './call-arguments';

const SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    on: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    place: { $ref: '#/$defs/place' },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    either: { type: ['number', 'string'] },
    level: { enum: [1, 2] },
    color: { enum: ['red', 'blue'] },
    any: {},
    loop: { $ref: '#/properties/loop' },
    remote: { $ref: 'https://example.com/s.json' },
  },
  $defs: { place: { type: 'object' } },
};

function text(...words: string[]): string {
  return argumentsText(readArguments(words), SCHEMA);
}

describe('the schema decides the type of a value', () => {
  test.each([
    ['text=5', '"5"'],
    ['text=', '""'],
    ['text=a=b\n"c"', '"a=b\\n\\"c\\""'],
    ['count=9007199254740993', '9007199254740993'],
    ['count= 7 ', '7'],
    ['count=true', 'true'],
    ['on=false', 'false'],
    ['tags=["a", "b"]', '["a", "b"]'],
    ['place={"x":1,"x":2}', '{"x":1,"x":2}'],
    ['maybe=null', 'null'],
    ['maybe=3', '3'],
    ['either=3', '"3"'],
    ['level=2', '2'],
    ['color=red', '"red"'],
    ['any=3', '"3"'],
    ['loop=3', '"3"'],
    ['remote=3', '"3"'],
    ['unknown=3', '"3"'],
    ['constructor=3', '"3"'],
    ['text:=5', '5'],
    ['count:="five"', '"five"'],
  ])('%s', (word, value) => {
    expect(text(word)).toBe(`{${JSON.stringify(/^[^:=]+/.exec(word)![0])}:${value}}`);
  });

  test('additional properties have a schema, too', () => {
    const schema = { additionalProperties: { type: 'number' } };
    expect(argumentsText(readArguments(['x=1']), schema)).toBe('{"x":1}');
    expect(argumentsText(readArguments(['x=1']), { additionalProperties: true })).toBe('{"x":"1"}');
  });
});

test('arguments keep their order, and are strings without a schema', () => {
  expect(argumentsText(readArguments(['b=1', 'a:=2', '__proto__=3']))).toBe('{"b":"1","a":2,"__proto__":"3"}');
  expect(argumentsText([])).toBe('{}');
});

test.each<[string[], RegExp]>([
  [
    ['count=abc'],
    /expects an integer in `count`, but `--arg count=abc` is not JSON: correct it, or send a string with `--arg 'count:="abc"'`/,
  ],
  [['on='], /expects a boolean in `on`/],
  [['maybe=x'], /expects (an integer or null|null or an integer) in `maybe`/],
  [['count'], /is not an argument: write `--arg name=value`/],
  [['=1'], /is not an argument/],
  [[':=1'], /is not an argument/],
  [['text:=abc'], /The value of `text:=` is not JSON/],
  [['a=1', 'a:=2'], /`--arg a` is given twice/],
])('%j is wrong', (words, sentence) => {
  expect(() => text(...words)).toThrow(sentence);
});
