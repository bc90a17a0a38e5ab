import { expect, test } from 'vitest';
import { PassingMap } from './passing-map';

test('a map of passing entries has what is left, in order, after copies', () => {
  const map = new PassingMap<number, string>();
  for (let key = 0; key < 10_000; key++) {
    map.set(key, `value ${key}`);
    if (key % 1000 !== 0) map.delete(key);
    map.delete(-1);
  }
  expect([...map.keys()].map((key) => map.get(key))).toEqual(
    Array.from({ length: 10 }, (_, at) => `value ${1000 * at}`),
  );
  expect(map.get(3000)).toBe('value 3000');
  expect(map.has(3001)).toBe(false);
});

test('a large map is not copied for each deletion', () => {
  const map = new PassingMap<number, number>();
  for (let key = 0; key < 200_000; key++) map.set(key, key);
  for (let key = 0; key < 200_000; key++) map.delete(key);
  expect([...map.keys()]).toEqual([]);
});
