import { expect, test } from 'vitest';
import { outlineOf } from '@/lib/store/test-outline';
import { outlinePreview } from './outline-preview';
import { repeatsName } from './repeated-name';

const preview = (text: string) => outlinePreview(outlineOf(text), 0);

test('a few members and how many there are, digits as written', () => {
  expect(preview('{"a":1.50,"b":"x","c":[1],"d":{},"e":null,"f":7}')).toBe(
    '{ a: 1.50, b: "x", c: […], d: {}, e: null, … 6 members }',
  );
  expect(preview(`{"a":"${'x'.repeat(60)}"}`)).toBe(`{ a: "${'x'.repeat(40)}…" }`);
  expect(preview('[1,2,3]')).toBe('[ 3 ]');
  expect([preview('{}'), preview('[]')]).toEqual(['{}', '[]']);
});

test('a name that comes again is known by the later one', () => {
  const outline = outlineOf('{"a":1,"b":2,"\\u0061":3,"c":{"a":4}}');
  expect([1, 2, 3, 4, 5].map((node) => repeatsName(outline, node))).toEqual([false, false, true, false, false]);
});
