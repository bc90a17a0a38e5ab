import { afterEach, expect, test, vi } from 'vitest';
import { fromBase64, toBase64 } from './base64';

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([0, 1, 2, 3, 24_576, 100_001])('encodes %i bytes in Node as in a browser', (length) => {
  const bytes = Uint8Array.from({ length: length + 3 }, (_, at) => (at * 31) % 256).subarray(3);
  const inNode = toBase64(bytes);
  vi.stubGlobal('Buffer', undefined);
  expect(toBase64(bytes)).toBe(inNode);
  expect(fromBase64(inNode)).toEqual(new Uint8Array(bytes));
});
