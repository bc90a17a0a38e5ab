import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JSON_DEPTH } from '@/lib/json/parse';
import { JsonSource } from './source';

const read = (text: string) => JsonSource.parse(text)!;
const texts = (source: JsonSource, limit = 100) =>
  source.children(limit).children.map(({ name, source: child }) => [name, child.text]);

test('keeps digits, repeated names and order', () => {
  const source = read(' { "b": 18446744073709551615, "1": 1.0, "a" : 1e400,\n"b":"\\u00e9" } ');
  expect(source.kind).toBe('object');
  expect(texts(source)).toEqual([
    ['b', '18446744073709551615'],
    ['1', '1.0'],
    ['a', '1e400'],
    ['b', '"\\u00e9"'],
  ]);
});

test('gives the values of JSON.parse, with the last of repeated names', () => {
  const source = read('{"a":1,"a":{"x":[1,2]},"\\u0061b":3}');
  expect(source.value).toEqual({ a: { x: [1, 2] }, ab: 3 });
  expect(source.member('a')?.text).toBe('{"x":[1,2]}');
  expect(source.member('a')?.value).toBe((source.value as any).a);
  expect(source.member('a')).toBe(source.member('a'));
  expect(source.member('ab')?.value).toBe(3);
  expect(source.member('toString')).toBeUndefined();
  expect(source.children(9).children[0]?.source.value).toBe(1);
});

test('gets items by index', () => {
  const source = read('[ "a,]" , [1, [2]], {} ]');
  expect(source.item(1)?.text).toBe('[1, [2]]');
  expect(source.item(0)?.value).toBe('a,]');
  expect(source.item(3)).toBeUndefined();
  expect(read('{"0":1}').item(0)).toBeUndefined();
});

test('counts children beyond the limit', () => {
  const source = read(JSON.stringify(Array.from({ length: 1000 }, (_, index) => ({ index }))));
  const { count, children } = source.children(3);
  expect(count).toBe(1000);
  expect(source.children(3).children).toBe(children);
  expect(source.children(1001).children.at(-1)?.source.text).toBe('{"index":999}');
  expect(read(`[${'0,'.repeat(1500)}1]`).item(1500)?.text).toBe('1');
  expect(children.map(({ source: child }) => child.text)).toEqual(['{"index":0}', '{"index":1}', '{"index":2}']);
});

test('leaves members out by name', () => {
  const { count, children } = read('{"a":1,"b":2,"a":3,"c":4}').children(1, ['a']);
  expect(count).toBe(2);
  expect(children.map(({ name }) => name)).toEqual(['b']);
});

test.each(['', '{', '{"a":1}}', '1 2', '\u{feff}{}', 'undefined'])('%j is not JSON', (text) => {
  expect(JsonSource.parse(text)).toBeUndefined();
});

describe('scalars', () => {
  test.each([
    ['null', 'null'],
    ['true', 'boolean'],
    ['"x"', 'string'],
    [' -0.0 ', 'number'],
  ])('%s', (text, kind) => {
    expect(read(text).kind).toBe(kind);
    expect(read(text).text).toBe(text.trim());
    expect(read(text).children(9).count).toBe(0);
  });
});

test('agrees with JSON.parse for any spacing', () => {
  const rebuilt = (source: JsonSource): unknown => {
    if (source.kind === 'array') return source.children(1e6).children.map((child) => rebuilt(child.source));
    if (source.kind !== 'object') return JSON.parse(source.text);
    return Object.fromEntries(source.children(1e6).children.map((child) => [child.name, rebuilt(child.source)]));
  };
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t\r\n '), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(rebuilt(read(text))).toEqual(JSON.parse(text));
      expect(rebuilt(JsonSource.of(value))).toEqual(JSON.parse(text));
    }),
  );
});

test('takes linear time for deep nesting and for quotes and backslashes', () => {
  const deep = '['.repeat(JSON_DEPTH - 1) + ']'.repeat(JSON_DEPTH - 1);
  expect(read(`[${deep},1]`).children(1).count).toBe(2);
  expect(JsonSource.parse(`[[${deep}],1]`)).toBeUndefined();
  const escapes = JSON.stringify({ text: '\\"'.repeat(500_000), after: 1 });
  expect(read(escapes).children(2).count).toBe(2);
});
