import { expect, test } from 'vitest';
import { parseExactJson } from '@/lib/json/exact';
import { searchTextOf } from './field-parts';

test('finds nested names and values', () => {
  const value = parseExactJson(
    '{"id": 18446744073709551615, "n": 1.5, "tags": ["red", true, null], "__proto__": {"x": "deep"}}',
  );
  const { words } = searchTextOf(['first', 1], ['text', value]);
  expect(words).toContain('1844674407370955');
  expect(words.split(' ')).toEqual(
    expect.arrayContaining(['first', 'text', 'id', '1.5', 'tags', 'red', '__proto__', 'x', 'deep']),
  );
  expect(words.split(' ')).toHaveLength(11);
});

test('counts the fields', () => {
  expect(searchTextOf(['k', 'l', 'm'], ['a', undefined, ['b', { c: 'd' }]])).toEqual({
    words: 'k a l m b c d',
    count: 6,
  });
});

test('limits the count and the text', () => {
  const many = Array.from({ length: 100_000 }, () => 'x'.repeat(10_000));
  const { words, count } = searchTextOf(['k'.repeat(10_000)], [many]);
  expect(count).toBe(1000);
  expect(words.length).toBeLessThan(300_000);
});

test('leaves out values of secret names', () => {
  expect(searchTextOf(['password', 'login'], ['hunter2', { apiKey: ['k'], user: 'u' }]).words).toBe(
    'password login apiKey user u',
  );
});
