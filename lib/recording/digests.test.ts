import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runningDigest } from './digests';
import { encodeFrame, encodeHeaderOrEnd } from './encode-lines';
import { RecordingReader } from './recording-reader';

const header = Buffer.from('{"mcpr":1,"id":"a-recording"}\n');
const line = (n: number, text = 'x') =>
  Buffer.from(
    encodeFrame(n, { time: 0, channel: 'stderr', direction: 'to-client', flags: 0, bytes: Buffer.from(text) }),
  );
const ended = (file: Buffer, frames: number) =>
  Buffer.concat([
    file,
    encodeHeaderOrEnd({ k: 'end', t: 0, frames, sha256: createHash('sha256').update(file).digest('hex') }),
  ]);
const WHOLE = ended(Buffer.concat([header, line(1), line(2)]), 2);
const NOTED = ended(Buffer.concat([WHOLE, line(3)]), 3);

function isChanged(file: Buffer, size = file.length, mostBytes?: number) {
  const reader = new RecordingReader(runningDigest(), mostBytes);
  for (let at = 0; at < file.length; at += size) reader.readChunk(file.subarray(at, at + size));
  return reader.finish().changed;
}

describe('the digest of an end line', () => {
  test('is checked in chunks of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.boolean(), (size, noted) => {
        const file = noted ? NOTED : WHOLE;
        expect(isChanged(file, size)).toBe(false);
        expect(isChanged(Buffer.from(file.toString().replace('"x"', '"y"')), size)).toBe(true);
      }),
    );
  });

  test('is still reported as wrong if a later one is correct', () => {
    const changed = Buffer.from(WHOLE.toString().replace('"x"', '"y"'));
    expect(isChanged(ended(Buffer.concat([changed, line(3)]), 3))).toBe(true);
  });

  test('covers bytes in lines of any length', () => {
    const long = ended(Buffer.concat([header, line(1, 'z'.repeat(300_000)), line(2)]), 2);
    expect(isChanged(long, 1000)).toBe(false);
    expect(isChanged(Buffer.from(long.toString().replace('zz"', 'zy"')), 1000)).toBe(true);
  });

  test('is not checked without a digest or beyond the limit', () => {
    const changed = Buffer.from(WHOLE.toString().replace('"x"', '"y"'));
    const reader = new RecordingReader();
    reader.readChunk(changed);
    expect(reader.finish().changed).toBe(false);
    expect(isChanged(changed, 10, 20)).toBe(false);
    expect(isChanged(Buffer.concat([header, line(1), encodeHeaderOrEnd({ k: 'end', t: 0, frames: 1 })]))).toBe(false);
  });
});
