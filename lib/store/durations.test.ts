import { expect, test } from 'vitest';
import { Durations } from './durations';

test('none yet', () => {
  expect(new Durations().quantile(0.5)).toBeUndefined();
});

test('one is exact', () => {
  const durations = new Durations();
  durations.add(1234.5);
  expect([0, 0.5, 0.95, 1].map((share) => durations.quantile(share))).toEqual([1234.5, 1234.5, 1234.5, 1234.5]);
});

test('shares of many are within 1.1 %', () => {
  const durations = new Durations();
  for (let us = 10_000; us >= 1; us--) durations.add(us);
  for (const share of [0.01, 0.5, 0.95, 0.99]) {
    expect(Math.abs(durations.quantile(share)! / (share * 10_000) - 1)).toBeLessThan(0.0115);
  }
  expect(durations.quantile(1)).toBe(10_000);
});

test('one slow request does not move the median', () => {
  const durations = new Durations();
  for (let i = 0; i < 99; i++) durations.add(500);
  durations.add(60_000_000);
  expect(durations.quantile(0.5)).toBeCloseTo(500, -1);
  expect(durations.quantile(1)).toBe(60_000_000);
});
