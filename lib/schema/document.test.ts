import { describe, expect, test } from 'vitest';
import { removeAt, renameProperty, setAt } from './document';

describe('setAt', () => {
  test('makes what is missing and keeps what is there', () => {
    expect(setAt({ z: 1 }, ['a', 0, 'b'], 'x')).toEqual({ z: 1, a: [{ b: 'x' }] });
    expect(setAt(undefined, ['a'], 1)).toEqual({ a: 1 });
    expect(setAt('text', ['a'], 1)).toEqual({ a: 1 });
    expect(setAt({ a: 1 }, [], 2)).toBe(2);
  });

  test('copies along the path only', () => {
    const before = { a: { x: 1 }, b: { y: 1 } };
    const after = setAt(before, ['a', 'x'], 2) as typeof before;
    expect(before.a.x).toBe(1);
    expect(after.b).toBe(before.b);
  });

  test('names that mean something to JavaScript are names', () => {
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
  test('takes away a property or an item', () => {
    expect(removeAt({ a: 1, b: 2 }, ['a'])).toEqual({ b: 2 });
    expect(removeAt({ a: [1, 2, 3] }, ['a', 1])).toEqual({ a: [1, 3] });
    expect(removeAt({ a: { b: 1 } }, ['a', 'b'])).toEqual({ a: {} });
  });

  test('what is not there changes nothing', () => {
    const document = { a: 1 };
    expect(removeAt(document, ['b', 'c'])).toBe(document);
    expect(removeAt(document, ['toString'])).toBe(document);
  });

  test('__proto__ goes like others', () => {
    expect(JSON.stringify(removeAt(JSON.parse('{"__proto__":1,"a":2}'), ['__proto__']))).toBe('{"a":2}');
  });
});

test('a renamed property stays in its place', () => {
  expect(JSON.stringify(renameProperty({ a: 1, b: 2, c: 3 }, 'b', 'x'))).toBe('{"a":1,"x":2,"c":3}');
  expect(JSON.stringify(renameProperty({ a: 1, b: 2 }, 'a', '__proto__'))).toBe('{"__proto__":1,"b":2}');
});
