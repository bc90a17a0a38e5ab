import { describe, expect, test } from 'vitest';
import { decodeBase64, imageType } from './base64';

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

  test('base64url is read too', () => {
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
  expect(imageType(content)).toBe(type);
});
