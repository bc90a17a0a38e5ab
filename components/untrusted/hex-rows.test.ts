import { expect, test } from 'vitest';
import { hexRow } from './hex-rows';

test('rows line up, the last one too', () => {
  const bytes = Uint8Array.from({ length: 18 }, (_, index) => index + 60);
  expect(hexRow(bytes, 0)).toEqual({
    offset: '00000000',
    hex: '3c 3d 3e 3f 40 41 42 43  44 45 46 47 48 49 4a 4b',
    ascii: '<=>?@ABCDEFGHIJK',
  });
  expect(hexRow(bytes, 1)).toEqual({ offset: '00000010', hex: '4c 4d'.padEnd(48), ascii: 'LM' });
});
