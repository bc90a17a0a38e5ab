import { describe, expect, test } from 'vitest';
import { Ring } from './socket-link';

describe('a ring of memory', () => {
  const place = ({ byteOffset, length }: Uint8Array) => [byteOffset, byteOffset + length];

  test('returns the same memory again and again', () => {
    const ring = new Ring(100);
    for (let round = 0; round < 5; round++) {
      const piece = ring.take(60)!;
      expect(place(piece)).toEqual([0, 60]);
      ring.giveBack(piece);
    }
  });

  test('goes on at the start when the end is reached, and never gives memory in use', () => {
    const ring = new Ring(100);
    const [first, second] = [ring.take(40)!, ring.take(40)!];
    expect(ring.take(30)).toBeUndefined();
    ring.giveBack(first);
    expect(place(ring.take(30)!)).toEqual([0, 30]);
    expect(ring.take(11)).toBeUndefined();
    expect(place(ring.take(10)!)).toEqual([30, 40]);
    expect(ring.take(1)).toBeUndefined();
    ring.giveBack(second);
    expect(place(ring.take(60)!)).toEqual([40, 100]);
  });

  test('has no room for a piece that is longer than it', () => {
    expect(new Ring(10).take(11)).toBeUndefined();
  });

  test('ignores memory of others', () => {
    const ring = new Ring(10);
    ring.take(10);
    ring.giveBack(new Uint8Array(10));
    expect(ring.take(1)).toBeUndefined();
  });
});
