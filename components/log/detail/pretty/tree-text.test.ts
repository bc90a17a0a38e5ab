import { expect, test, vi } from 'vitest';
import { outlineOf } from '@/lib/json/test-outline';
import { isRepeatedName, outlinePreview } from './tree-text';

const preview = (text: string) => outlinePreview(outlineOf(text), 0);

test('previews the first members and their number, with digits as written', () => {
  expect(preview('{"a":1.50,"b":"x","c":[1],"d":{},"e":null,"f":7}')).toBe(
    '{ a: 1.50, b: "x", c: […], d: {}, e: null, … 6 members }',
  );
  expect(preview(`{"a":"${'x'.repeat(60)}"}`)).toBe(`{ a: "${'x'.repeat(40)}…" }`);
  expect(preview('[1,2,3]')).toBe('[ 3 ]');
  expect([preview('{}'), preview('[]')]).toEqual(['{}', '[]']);
});

test('marks the later of two members with the same name', () => {
  const outline = outlineOf('{"a":1,"b":2,"\\u0061":3,"c":{"a":4}}');
  expect([1, 2, 3, 4, 5].map((node) => isRepeatedName(outline, node))).toEqual([false, false, true, false, false]);
});

test('marks all but the first member of a name, however it is escaped', () => {
  const outline = outlineOf('{"a":1,"b":2,"\\u0061":3}');
  expect([1, 2, 3].map((node) => isRepeatedName(outline, node))).toEqual([false, false, true]);
});

test('does not decode a name of megabytes', () => {
  const outline = outlineOf(`{"a":1,"${'x'.repeat(100_000)}":2}`);
  const decoded = vi.spyOn(outline, 'name');
  expect(isRepeatedName(outline, 1)).toBe(false);
  expect(decoded).toHaveBeenCalledTimes(1);
});
