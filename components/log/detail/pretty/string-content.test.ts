import { expect, test, vi } from 'vitest';
import { nodeOf, outlineOf } from '@/lib/json/test-outline';
import { imageData, imageTypeOf } from './string-content';

const DATA = 'iVBORw0KGgo'.repeat(5);

function typeOf(value: unknown, ...path: string[]) {
  const outline = outlineOf(JSON.stringify(value));
  return imageTypeOf(outline, nodeOf(outline, path));
}

test('recognises data or blob next to an image type, and data: URIs', () => {
  expect(typeOf({ data: DATA, mimeType: 'image/png' }, 'data')).toBe('image/png');
  expect(typeOf({ mimeType: 'image/webp', blob: DATA }, 'blob')).toBe('image/webp');
  expect(typeOf({ src: `data:image/gif;base64,${DATA}` }, 'src')).toBe('image/gif');
});

test.each([
  [{ data: DATA, mimeType: 'audio/wav' }, 'data'],
  [{ data: DATA }, 'data'],
  [{ data: DATA, mimeType: 5 }, 'data'],
  [{ data: DATA, mimeType: [DATA] }, 'data'],
  [{ database: DATA, mimeType: 'image/png' }, 'database'],
  [{ text: DATA, mimeType: 'image/png' }, 'text'],
  [{ data: 'short', mimeType: 'image/png' }, 'data'],
  [{ data: [DATA, DATA], mimeType: 'image/png' }, 'data'],
  [{ src: `data:text/html;base64,${DATA}` }, 'src'],
  [{ src: `data:image/png,${DATA}` }, 'src'],
])('%j is not an image', (value, name) => expect(typeOf(value, name)).toBeUndefined());

test('decodes only the base64 of a data: URI', () => {
  expect([DATA, `data:image/gif;base64,${DATA}`].map(imageData)).toEqual([DATA, DATA]);
});

test('searches an object of thousands of images once', () => {
  const text = `{${Array.from({ length: 8000 }, () => `"data":"${DATA}"`).join(',')}}`;
  const outline = outlineOf(text);
  const looked = vi.spyOn(outline, 'children');
  for (const node of Array.from(outline.children(0))) expect(imageTypeOf(outline, node)).toBeUndefined();
  expect(looked.mock.calls.length).toBeLessThan(3);
});
