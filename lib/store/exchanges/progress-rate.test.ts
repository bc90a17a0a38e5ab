import { expect, test } from 'vitest';
import { progressRate } from './progress-rate';

const rate = (from: number, to: number, us: number, total?: number) =>
  progressRate(
    { first: { seq: 1, progress: from }, seq: 2, progress: to, count: 2, ...(total !== undefined && { total }) },
    (seq) => (seq === 1 ? 500 : 500 + us),
  );

test('counts units per second from the first notification, and the time that is left', () => {
  expect(rate(1, 5, 2_000_000, 9)).toEqual({ perSecond: 2, leftUs: 2_000_000 });
  expect(rate(0.1, 0.6, 500_000, 1)!.leftUs).toBeCloseTo(400_000);
  expect(rate(0, 10, 1_000_000)).toEqual({ perSecond: 10, leftUs: undefined });
});

test.each([
  ['one notification', rate(3, 3, 0, 10)],
  ['two at the same time', rate(1, 2, 0, 10)],
  ['progress that goes back', rate(5, 2, 1_000_000, 10)],
  ['an endless number', rate(0, Number.POSITIVE_INFINITY, 1_000_000)],
])('%s has no rate', (_what, found) => expect(found).toBeUndefined());

test('nothing is left at the total or beyond it', () => {
  expect(rate(1, 10, 1_000_000, 10)!.leftUs).toBeUndefined();
  expect(rate(1, 12, 1_000_000, 10)!.leftUs).toBeUndefined();
});
