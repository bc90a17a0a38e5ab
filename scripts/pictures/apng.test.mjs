import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { animatedPng } from './apng.mjs';

const u32 = (number) => Buffer.from([number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]);

/** A PNG file of one grey, whose checksums nobody reads. */
function greyPng(width, height, grey) {
  const lines = Buffer.concat(Array.from({ length: height }, () => Buffer.from([0, ...Array(width).fill(grey)])));
  const chunk = (type, data) => Buffer.concat([u32(data.length), Buffer.from(type), data, u32(0)]);
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('a picture of two frames names their place, size and time', () => {
  const file = animatedPng([
    { png: greyPng(4, 3, 10), x: 0, y: 0, ms: 900 },
    { png: greyPng(2, 1, 200), x: 1, y: 2, ms: 3000 },
  ]);
  const chunks = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    const type = file.toString('latin1', at + 4, at + 8);
    chunks.push([type, file.subarray(at + 8, at + 8 + file.readUInt32BE(at))]);
  }
  expect(chunks.map(([type]) => type)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND']);
  expect(chunks[1][1].readUInt32BE(0)).toBe(2);
  const second = chunks[4][1];
  const numbers = [0, 4, 8, 12, 16].map((at) => second.readUInt32BE(at));
  // Sequence, width, height, x, y.
  expect(numbers).toEqual([1, 2, 1, 1, 2]);
  expect([second.readUInt16BE(20), second.readUInt16BE(22)]).toEqual([3000, 1000]);
  expect(chunks[5][1].readUInt32BE(0)).toBe(2);
});
