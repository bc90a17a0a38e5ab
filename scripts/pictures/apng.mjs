// Animated PNG (PNG specification, third edition, sections 11.3.2 and 12.5): frames that replace parts of the first.
import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Joins PNG files with the same kind of colour into one that repeats for ever.
 * @param {readonly { png: Buffer, x: number, y: number, ms: number }[]} frames each with the pixels from the left and
 *   the top at which it is drawn over the ones before, and how long it is shown. The first covers the whole picture.
 */
export function animatedPng(frames) {
  const chunks = [];
  let sequence = 0;
  frames.forEach(({ png, x, y, ms }, index) => {
    const parts = chunksOf(png);
    const header = parts.find(({ type }) => type === 'IHDR').data;
    if (index === 0) chunks.push(chunk('IHDR', header), chunk('acTL', uint32(frames.length, 0)));
    const size = [header.readUInt32BE(0), header.readUInt32BE(4)];
    // Seconds as a fraction; then: leave the frame as it is, and draw over what is there.
    chunks.push(
      chunk('fcTL', Buffer.concat([uint32(sequence++, ...size, x, y), uint16(ms, 1000), Buffer.from([0, 0])])),
    );
    for (const { type, data } of parts) {
      if (type !== 'IDAT') continue;
      chunks.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([uint32(sequence++), data])));
    }
  });
  return Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function chunksOf(png) {
  const found = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(...numbers) {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}

function uint16(...numbers) {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number, 2 * index);
  return bytes;
}
