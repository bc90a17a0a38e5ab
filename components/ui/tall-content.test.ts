import { expect, test } from 'vitest';
import { tallContent } from './tall-content';

test('both ends of what is too tall for a browser are reached', () => {
  const natural = 18 * 4_000_000;
  expect(tallContent(natural, 0, 500).position).toBe(0);
  const { height } = tallContent(natural, 0, 500);
  expect(height).toBeLessThan(17_900_000);
  const { position, shift } = tallContent(natural, height - 500, 500);
  expect(position).toBeCloseTo(natural - 500, 3);
  expect(position + shift).toBeCloseTo(height - 500, 3);
});

test('anything else is as it is', () => {
  expect(tallContent(10_000, 300, 500)).toEqual({ height: 10_000, position: 300, shift: 0 });
  expect(tallContent(100, 300, 500)).toEqual({ height: 100, position: 0, shift: 0 });
});
