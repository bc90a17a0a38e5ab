import { expect, test } from 'vitest';
import { fieldChanges } from './field-changes';

const words = (before: unknown, after: unknown) =>
  fieldChanges(before, after).map(({ path, before: was, after: is }) => `${path}: ${was} → ${is}`);

test.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
  [{ title: 'A' }, { title: 'B' }, ['title: "A" → "B"']],
  [{}, { title: 'B' }, ['title: undefined → "B"']],
  [{ title: 'A' }, {}, ['title: "A" → undefined']],
  [
    { s: { p: { a: { type: 'string' } } } },
    { s: { p: { a: { type: 'number' } } } },
    ['s.p.a.type: "string" → "number"'],
  ],
  [{ tags: ['a'] }, { tags: ['a', 'b'] }, ['tags: ["a"] → ["a","b"]']],
  [{ x: { a: 1 } }, { x: [1] }, ['x: {"a":1} → [1]']],
  [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":2}}'), ['__proto__.a: 1 → 2']],
])('%j and %j', (before, after, expected) => {
  expect(words(before, after)).toEqual(expected);
});

test('long values are cut, and many changes are left out', () => {
  expect(fieldChanges({ a: '' }, { a: 'x'.repeat(1000) })[0]!.after).toHaveLength(160);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n]));
  expect(fieldChanges({}, many)).toHaveLength(30);
});
