import { expect, test } from 'vitest';
import { parseJson } from '@/lib/schema/json';
import { countOf, wordsOf } from './part-words';

test('names and values, those within too, are what can be found', () => {
  const value = parseJson('{"id": 18446744073709551615, "tags": ["red", true, null], "__proto__": {"x": "deep"}}');
  expect(wordsOf(['first', 1], ['text', value]).split(' ')).toEqual(
    expect.arrayContaining(['first', 'text', 'id', 'tags', 'red', '__proto__', 'x', 'deep']),
  );
  expect(wordsOf([], [value])).toContain('1844674407370955');
});

test('what is counted and told is bounded', () => {
  const many = Array.from({ length: 100_000 }, () => 'x'.repeat(10_000));
  expect(countOf([many])).toBeLessThanOrEqual(1000);
  expect(wordsOf(['k'.repeat(10_000)], [many]).length).toBeLessThan(300_000);
  expect(countOf(['a', undefined, ['b', { c: 'd' }]])).toBe(6);
});
