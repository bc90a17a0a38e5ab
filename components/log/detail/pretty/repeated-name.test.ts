import { expect, test, vi } from 'vitest';
import { outlineOf } from '@/lib/store/test-outline';
import { repeatsName } from './repeated-name';

test('of members of one name all but the first repeat it, however it is written', () => {
  const outline = outlineOf('{"a":1,"b":2,"\\u0061":3}');
  expect([1, 2, 3].map((node) => repeatsName(outline, node))).toEqual([false, false, true]);
});

test('a name of megabytes is not decoded to be compared', () => {
  const outline = outlineOf(`{"a":1,"${'x'.repeat(100_000)}":2}`);
  const decoded = vi.spyOn(outline, 'name');
  expect(repeatsName(outline, 1)).toBe(false);
  expect(decoded).toHaveBeenCalledTimes(1);
});
