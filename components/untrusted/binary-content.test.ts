import { describe, expect, test } from 'vitest';
import { hexRow } from './binary-content';
import { decodeBase64, sniffImageType } from './image-bytes';

test('aligns all rows, including the last', () => {
  const bytes = Uint8Array.from({ length: 18 }, (_, index) => index + 60);
  expect(hexRow(bytes, 0)).toEqual({
    offset: '00000000',
    hex: '3c 3d 3e 3f 40 41 42 43  44 45 46 47 48 49 4a 4b',
    ascii: '<=>?@ABCDEFGHIJK',
  });
  expect(hexRow(bytes, 1)).toEqual({ offset: '00000010', hex: '4c 4d'.padEnd(48), ascii: 'LM' });
});

const bytes = (...values: number[]) => Uint8Array.from(values);
const textBytes = (text: string) => new TextEncoder().encode(text);

describe('decodeBase64', () => {
  test.each([
    ['aGk=', 'hi'],
    ['aGk', 'hi'],
    ['aG\nk=', 'hi'],
    ['', ''],
  ])('%j is %j', (text, expected) => {
    expect(decodeBase64(text)).toEqual(textBytes(expected));
  });

  test('reads base64url', () => {
    expect(decodeBase64('-_-_')).toEqual(bytes(0xfb, 0xff, 0xbf));
  });

  test.each(['a', '!!!!', 'data:image/png;base64,aGk='])('%j is not base64', (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });
});

test.each([
  [bytes(0x89, 0x50, 0x4e, 0x47), 'image/png'],
  [bytes(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
  [textBytes('GIF89a'), 'image/gif'],
  [textBytes('RIFF....WEBP'), 'image/webp'],
  [textBytes('<?xml version="1.0"?><svg/>'), 'image/svg+xml'],
  [textBytes('  <svg xmlns="x">'), 'image/svg+xml'],
  [textBytes('<html><script>'), undefined],
  [textBytes('%PDF-1.7'), undefined],
  [bytes(), undefined],
])('%j is %s', (content, type) => {
  expect(sniffImageType(content)).toBe(type);
});
