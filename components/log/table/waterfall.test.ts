import { expect, test } from 'vitest';
import type { TimeSpan } from '@/lib/store/rows/time-span';
import { lineStep, scaleOf } from './waterfall';

const span = (from: number, to: number | undefined, whole?: TimeSpan['whole']): TimeSpan => ({
  whole,
  parts: [{ from, to, status: 'ok' }],
  asked: [],
  ticks: [],
  at: undefined,
});

test('scales from the first row in view to the last end, or to now', () => {
  expect(scaleOf([], [], 9)).toBeUndefined();
  expect(scaleOf([5000, 9000], [span(5000, 30_000)], 99_000)).toEqual({ from: 5000, to: 30_000 });
  expect(scaleOf([5000, 9000], [span(5000, undefined)], 99_000)).toEqual({ from: 5000, to: 99_000 });
  expect(scaleOf([5000], [span(5000, 6000, { from: 1000, to: 50_000 })], 0)).toEqual({ from: 5000, to: 50_000 });
  // Never shorter than the shortest range.
  expect(scaleOf([5000], [], 0)).toEqual({ from: 5000, to: 6000 });
});

test('puts lines at round times', () => {
  expect(lineStep({ from: 0, to: 1000 }, 5)).toBe(200);
  expect(lineStep({ from: 300, to: 1500 }, 5)).toBe(500);
  expect(lineStep({ from: 0, to: 3_600_000_000 }, 5)).toBe(900_000_000);
  expect(lineStep({ from: 0, to: 50_000_000 }, 5)).toBe(10_000_000);
  expect(lineStep({ from: 0, to: 5 * 86_400_000_000 }, 2)).toBe(500_000_000_000);
});
