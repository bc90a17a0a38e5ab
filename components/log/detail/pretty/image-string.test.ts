import { expect, test } from 'vitest';
import { nodeAt } from '@/lib/store/outline-path';
import { outlineOf } from '@/lib/store/test-outline';
import { imageData, imageType } from './image-string';

const DATA = 'iVBORw0KGgo'.repeat(5);

function typeOf(value: unknown, ...path: string[]) {
  const outline = outlineOf(JSON.stringify(value));
  return imageType(outline, nodeAt(outline, path));
}

test('a picture is data or blob beside the type of one, or a data: URI', () => {
  expect(typeOf({ data: DATA, mimeType: 'image/png' }, 'data')).toBe('image/png');
  expect(typeOf({ mimeType: 'image/webp', blob: DATA }, 'blob')).toBe('image/webp');
  expect(typeOf({ src: `data:image/gif;base64,${DATA}` }, 'src')).toBe('image/gif');
});

test.each([
  [{ data: DATA, mimeType: 'audio/wav' }, 'data'],
  [{ data: DATA }, 'data'],
  [{ text: DATA, mimeType: 'image/png' }, 'text'],
  [{ data: 'short', mimeType: 'image/png' }, 'data'],
  [{ data: [DATA, DATA], mimeType: 'image/png' }, 'data'],
  [{ src: `data:text/html;base64,${DATA}` }, 'src'],
  [{ src: `data:image/png,${DATA}` }, 'src'],
])('%j is none', (value, name) => expect(typeOf(value, name)).toBeUndefined());

test('of a data: URI only the base64 is decoded', () => {
  const outline = outlineOf(JSON.stringify([DATA, `data:image/gif;base64,${DATA}`]));
  expect([1, 2].map((node) => imageData(outline, node))).toEqual([DATA, DATA]);
});
