import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { RecentMap } from './recent-map';

test('drops what was set longest ago, whatever was set anew or deleted in between', () => {
  const map = new RecentMap<number, string>();
  for (let key = 0; key < LIMITS.rulesMemory; key++) map.set(key, 'first');
  map.set(0, 'again');
  map.delete(3);
  for (let key = 0; key < 5; key++) map.set(-1 - key, 'more');
  expect(map.size).toBe(LIMITS.rulesMemory);
  expect([0, 1, 2, 3, 4, 5, 6].filter((key) => map.has(key))).toEqual([0, 6]);
  for (let key = 0; key < 3 * LIMITS.rulesMemory; key++) map.set(1_000_000 + key, 'later');
  expect(map.size).toBe(LIMITS.rulesMemory);
  expect([...map.values()].every((value) => value === 'later')).toBe(true);
});
