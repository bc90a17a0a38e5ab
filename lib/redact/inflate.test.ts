import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inflate } from './inflate';

const text = fc.oneof(
  fc.string({ maxLength: 2000 }),
  fc.array(fc.constantFrom('API_TOKEN=', 'x', '\n', 'éa9'), { maxLength: 3000 }).map((parts) => parts.join('')),
);

test('inflates what zlib deflates, from any place', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 20 }), (plain, level, before) => {
      const packed = Buffer.concat([Buffer.alloc(before), deflateRawSync(plain, { level })]);
      expect(Buffer.from(inflate(packed, before, 100_000)!).toString()).toBe(Buffer.from(plain).toString());
    }),
  );
});

test('stops at its bound', () => {
  expect(inflate(deflateRawSync(Buffer.alloc(10_000_000)), 0, 1000)).toEqual(new Uint8Array(1000));
});

test('survives any bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => (inflate(bytes, 0, 5000)?.length ?? 0) <= 5000));
});
