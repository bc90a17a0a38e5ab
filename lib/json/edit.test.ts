import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdit, type Edit, type JsonPath, removeAt, renameProperty, setAt, valueAt } from './edit';
import { parseExactJson, stringifyJson } from './exact';

describe('setAt', () => {
  test('creates missing parents and keeps everything else', () => {
    expect(setAt({ z: 1 }, ['a', 0, 'b'], 'x')).toEqual({ z: 1, a: [{ b: 'x' }] });
    expect(setAt(undefined, ['a'], 1)).toEqual({ a: 1 });
    expect(setAt('text', ['a'], 1)).toEqual({ a: 1 });
    expect(setAt({ a: 1 }, [], 2)).toBe(2);
  });

  test('copies only the objects and arrays along the path', () => {
    const before = { a: { x: 1 }, b: { y: 1 } };
    const after = setAt(before, ['a', 'x'], 2) as typeof before;
    expect(before.a.x).toBe(1);
    expect(after.b).toBe(before.b);
  });

  test('treats names like __proto__ as ordinary names', () => {
    const made = setAt({}, ['__proto__', 'polluted'], true);
    expect(JSON.stringify(made)).toBe('{"__proto__":{"polluted":true}}');
    expect(JSON.stringify(setAt({}, ['constructor', 'prototype', 'polluted'], 1))).toBe(
      '{"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(({} as any).polluted).toBeUndefined();
    expect(JSON.stringify(setAt({}, ['toString'], 'x'))).toBe('{"toString":"x"}');
  });
});

describe('removeAt', () => {
  test('removes a property or an item', () => {
    expect(removeAt({ a: 1, b: 2 }, ['a'])).toEqual({ b: 2 });
    expect(removeAt({ a: [1, 2, 3] }, ['a', 1])).toEqual({ a: [1, 3] });
    expect(removeAt({ a: { b: 1 } }, ['a', 'b'])).toEqual({ a: {} });
  });

  test('returns the same document if nothing is there', () => {
    const document = { a: 1 };
    expect(removeAt(document, ['b', 'c'])).toBe(document);
    expect(removeAt(document, ['toString'])).toBe(document);
  });

  test('removes __proto__ like any name', () => {
    expect(JSON.stringify(removeAt(JSON.parse('{"__proto__":1,"a":2}'), ['__proto__']))).toBe('{"a":2}');
  });
});

test('keeps a renamed property in its place', () => {
  expect(JSON.stringify(renameProperty({ a: 1, b: 2, c: 3 }, 'b', 'x'))).toBe('{"a":1,"x":2,"c":3}');
  expect(JSON.stringify(renameProperty({ a: 1, b: 2 }, 'a', '__proto__'))).toBe('{"__proto__":1,"b":2}');
});

const after = (text: string, edit: Edit) => applyEdit({ text, value: parseExactJson(text) }, edit).text;
const set = (text: string, path: JsonPath, value: unknown) => after(text, { type: 'set', path, value });
const remove = (text: string, path: JsonPath) => after(text, { type: 'remove', path });

describe('set', () => {
  test.each([
    ['{}', ['a'], 1, '{\n  "a": 1\n}'],
    ['{"b":1,"1":2}', ['b'], 3, '{"b":3,"1":2}'],
    ['{"b":1,"1":2}', ['x'], [4], '{"b":1,"1":2,"x":[4]}'],
    ['{ "a": 1.0 }', ['b'], 'x', '{ "a": 1.0, "b": "x" }'],
    ['{\n\t"a": 1e3\n}', ['b', 'c'], true, '{\n\t"a": 1e3,\n\t"b": {\n\t  "c": true\n\t}\n}'],
    ['{"a":1,"a":2}', ['a'], 3, '{"a":1,"a":3}'],
    ['[1, 2]', [2], 3, '[1, 2, 3]'],
    ['[9007199254740993]', [2], 7, '[9007199254740993,null,7]'],
    ['[]', [1, 'a'], 7, '[\n  null,\n  {\n    "a": 7\n  }\n]'],
    ['{"a":"text"}', ['a', 'b'], 1, '{"a":{"b":1}}'],
    ['7', [], {}, '{}'],
  ])('%s at %j to %j', (text, path, value, expected) => {
    expect(set(text, path, value)).toBe(expected);
  });

  test('turns a blank document into an object', () => {
    expect(applyEdit({ text: ' ', value: undefined }, { type: 'set', path: ['a'], value: 1 }).text).toBe(
      '{\n  "a": 1\n}',
    );
  });

  test('keeps digits, order and spaces elsewhere', () => {
    const text = '{ "z":18446744073709551615,"10": 1E400 ,\n"2":[1.50], "a":0}';
    expect(set(text, ['a'], 5)).toBe(text.replace('"a":0', '"a":5'));
  });
});

describe('remove', () => {
  test.each([
    ['{"a":1}', ['a'], '{}'],
    ['{\n  "a": 1\n}', ['a'], '{}'],
    ['{"a":1,"b":2,"c":3}', ['a'], '{"b":2,"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['b'], '{"a":1,"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['c'], '{"a":1,"b":2}'],
    ['{"a":1,"b":2,"a":3}', ['a'], '{"b":2}'],
    ['[1, 2, 3]', [0], '[2, 3]'],
    ['{"a":{}}', ['a', 'b', 'c'], '{"a":{}}'],
    ['{"__proto__":1,"a":2}', ['__proto__'], '{"a":2}'],
  ])('%s without %j', (text, path, expected) => {
    expect(remove(text, path)).toBe(expected);
  });
});

test('renames in place and removes a property with the new name', () => {
  const rename = (text: string, from: string, to: string) => after(text, { type: 'rename', path: [], from, to });
  expect(rename('{"a": 1, "b": 2}', 'a', 'x')).toBe('{"x": 1, "b": 2}');
  expect(rename('{"a": 1, "b": 2}', 'a', 'b')).toBe('{"b": 1}');
  expect(rename('{"a": 1}', 'none', 'b')).toBe('{"a": 1}');
});

test('moves an item', () => {
  expect(after('{"l":[ 1,2.0 , 3]}', { type: 'move', path: ['l'], from: 2, to: 0 })).toBe('{"l":[ 3,1 , 2.0]}');
  expect(after('[1]', { type: 'move', path: [], from: 0, to: 4 })).toBe('[1]');
});

const name = fc.constantFrom('a', 'b', '1', '', 'a.b', '__proto__', 'constructor', 'é"\\\n');
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1.5, 'x', '', '"}],{:', 1e21),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

function somePath(value: unknown, picks: readonly number[]): JsonPath {
  const path: (string | number)[] = [];
  for (const pick of picks) {
    const at = valueAt(value, path);
    if (typeof at !== 'object' || at === null) break;
    const keys = Array.isArray(at) ? at.map((_, index) => index) : Object.keys(at);
    path.push(
      pick > 0.8 || keys.length === 0
        ? Array.isArray(at)
          ? keys.length
          : 'new'
        : keys[Math.floor(pick * keys.length)]!,
    );
  }
  return path;
}

test('keeps text and value equal after any edit', () => {
  const edit = (path: JsonPath, inner: unknown, kind: number): Edit => {
    if (kind === 0) return { type: 'set', path, value: inner };
    if (kind === 1) return { type: 'remove', path };
    if (kind === 2) return { type: 'rename', path: path.slice(0, -1), from: String(path.at(-1) ?? 'a'), to: 'b' };
    return { type: 'move', path, from: 0, to: 1 };
  };
  const pick = fc.double({ min: 0, max: 0.99, noNaN: true });
  fc.assert(
    fc.property(
      json,
      json,
      fc.array(pick, { maxLength: 4 }),
      fc.nat(3),
      fc.constantFrom(0, 2),
      (value, inner, picks, kind, indent) => {
        const text = stringifyJson(value, indent);
        const done = applyEdit({ text, value: parseExactJson(text) }, edit(somePath(value, picks), inner, kind));
        if (done.text === '') expect(done.value).toBeUndefined();
        else expect(stringifyJson(parseExactJson(done.text))).toBe(stringifyJson(done.value));
      },
    ),
    { numRuns: 1500 },
  );
});
