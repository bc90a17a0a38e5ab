import { expect, test } from 'vitest';
import { DecidedRecordings } from './tab-storage';

test('remembers decisions over a reload, or until then without storage', () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) };
  new DecidedRecordings(() => storage).add('a');
  new DecidedRecordings(() => storage).add('b');
  const after = new DecidedRecordings(() => storage);
  expect(['a', 'b', 'c'].map((key) => after.has(key))).toEqual([true, true, false]);
  for (const key of kept.keys()) kept.set(key, '{"a":');
  expect(new DecidedRecordings(() => storage).has('a')).toBe(false);

  const none = new DecidedRecordings(() => {
    throw new Error('forbidden');
  });
  none.add('a');
  expect(none.has('a')).toBe(true);
});
