import { describe, expect, test } from 'vitest';
import { hexRow } from './binary-content';
import { declaredSize, decodeBase64, sniffImageType } from './image-bytes';

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

describe('the declared size of an image', () => {
  const jpeg = `ffd8ffe000104a46494600010100000100010000ffdb0043${'01'.repeat(65)}ffffc0001108`;
  test.each([
    ['image/png', '89504e470d0a1a0a0000000d494844520000012c000000c8'],
    ['image/gif', '4749463839612c01c800'],
    ['image/jpeg', `${jpeg}00c8012c03`],
    // A frame after a table of Huffman codes, and a progressive one.
    ['image/jpeg', 'ffd8ffc4000400ffffc2001108' + '00c8012c03'],
    ['image/webp', '524946460000000057454250565038580a000000200000002b0100c70000'],
    ['image/webp', '5249464600000000574542505650384c000000002f2bc13100'],
    ['image/webp', '524946460000000057454250565038200000000000' + '00009d012a' + '2c01c800'],
  ])('of %s, from %.40s', (type, hex) => {
    expect(declaredSize(Buffer.from(hex, 'hex'), type)).toEqual([300, 200]);
  });

  test.each([
    ['image/png', '89504e470d0a1a0a0000000d49484452'],
    ['image/jpeg', jpeg],
    ['image/jpeg', 'ffd8ffda'],
    ['image/jpeg', 'ffd8ff'],
    ['image/webp', '52494646'],
    ['image/svg+xml', '3c737667'],
  ])('is unknown for %s cut off at %.40s', (type, hex) => {
    expect(declaredSize(Buffer.from(hex, 'hex'), type)).toBeUndefined();
  });

  test.each([
    ['empty', [0xff, 0xe1, 0, 2]],
    ['without a length', [0xff, 0xe1, 0, 0]],
    ['of padding', [0xff, 0xff, 0xff, 0xff]],
  ])('attack: a megabyte of segments that are %s ends', (_, segment) => {
    const file = Buffer.concat([Buffer.of(0xff, 0xd8), Buffer.alloc(2 ** 20, Buffer.from(segment))]);
    expect(declaredSize(file, 'image/jpeg')).toBeUndefined();
  });
});
