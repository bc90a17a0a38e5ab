import { expect, test } from 'vitest';
import { compareTimes, errorRate, mostWhenNone, sameRates } from './statistics';
import { bucketOf, quantileInterval, quantileUs, TimeBuckets, type Times } from './time-buckets';

/** Returns numbers from 0 to 1 that are the same in each run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws times in microseconds whose logarithm is normal (Box and Muller). */
function lognormal(next: () => number, medianUs: number, sigma: number): number {
  return medianUs * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()));
}

function timesOf(us: readonly number[]): Times {
  const buckets = new TimeBuckets();
  for (const each of us) buckets.add(bucketOf(each));
  return buckets.times;
}

test('Wilson’s interval has the published values', () => {
  const rate = errorRate([{ calls: 100, errors: 5 }])!;
  expect([rate.share, rate.from, rate.to].map((value) => value.toFixed(4))).toEqual(['0.0500', '0.0215', '0.1118']);
  expect(errorRate([{ calls: 10, errors: 0 }])!.to.toFixed(3)).toBe('0.278');
  expect(errorRate([{ calls: 0, errors: 0 }])).toBeUndefined();
});

test('an interval is wider if recordings differ, and the same if they do not', () => {
  const width = (recordings: Parameters<typeof errorRate>[0]) => {
    const { from, to } = errorRate(recordings)!;
    return to - from;
  };
  const alike = Array.from({ length: 10 }, () => ({ calls: 10, errors: 5 }));
  const different = Array.from({ length: 10 }, (_, at) => ({ calls: 10, errors: at < 5 ? 10 : 0 }));
  expect(width(alike)).toBeCloseTo(width([{ calls: 100, errors: 50 }]));
  expect(width(different)).toBeGreaterThan(2.5 * width(alike));
});

test('95 of 100 intervals hold the rate, even if calls of a recording are alike', () => {
  const next = random(1);
  let hit = 0;
  for (let round = 0; round < 400; round++) {
    const recordings = Array.from({ length: 30 }, () => {
      // Each recording has its own rate, 20 % on average.
      const rate = 0.4 * next();
      return { calls: 20, errors: Array.from({ length: 20 }, () => next() < rate).filter(Boolean).length };
    });
    const { from, to } = errorRate(recordings)!;
    if (from <= 0.2 && 0.2 <= to) hit++;
  }
  expect(hit / 400).toBeGreaterThan(0.91);
});

test('equal error rates rarely look different, and different ones do', () => {
  const next = random(2);
  const side = (rate: number) =>
    Array.from({ length: 8 }, () => ({
      calls: 25,
      errors: Array.from({ length: 25 }, () => next() < rate).filter(Boolean).length,
    }));
  const share = (rounds: number, one: number, other: number) =>
    Array.from({ length: rounds }, () => sameRates(side(one), side(other))! < 0.05).filter(Boolean).length / rounds;
  expect(share(400, 0.1, 0.1)).toBeLessThan(0.09);
  expect(share(50, 0.02, 0.3)).toBeGreaterThan(0.95);
  expect(sameRates([{ calls: 0, errors: 0 }], [{ calls: 5, errors: 0 }])).toBeUndefined();
  expect(sameRates([{ calls: 20, errors: 0 }], [{ calls: 20, errors: 0 }])).toBeCloseTo(1);
});

test('equal times rarely look different, and slower ones do', () => {
  const next = random(3);
  const side = (medianUs: number) =>
    Array.from({ length: 5 }, () => timesOf(Array.from({ length: 12 }, () => lognormal(next, medianUs, 0.5))));
  const share = (rounds: number, one: number, other: number) =>
    Array.from({ length: rounds }, () => compareTimes(side(one), side(other))!.same < 0.05).filter(Boolean).length /
    rounds;
  expect(share(300, 1000, 1000)).toBeLessThan(0.12);
  expect(share(50, 1000, 2000)).toBeGreaterThan(0.95);
  expect(compareTimes([timesOf([10])], [[]])).toBeUndefined();
  expect(compareTimes([timesOf([10, 10])], [timesOf([10])])).toEqual({ longer: 0.5, same: 1 });
  expect(compareTimes([timesOf([10, 20])], [timesOf([100, 200])])!.longer).toBe(1);
});

test('few recordings that differ anyway rarely look like a regression', () => {
  const next = random(6);
  const recordings = <T>(make: () => T) => Array.from({ length: 2 }, make);
  const times = () => {
    const medianUs = lognormal(next, 10_000, 0.5);
    return timesOf(Array.from({ length: 20 }, () => lognormal(next, medianUs, 0.3)));
  };
  const trials = () => {
    const rate = Math.min(0.9, lognormal(next, 0.15, 0.8));
    return { calls: 20, errors: Array.from({ length: 20 }, () => next() < rate).filter(Boolean).length };
  };
  const rounds = Array.from({ length: 1000 }, () => [
    compareTimes(recordings(times), recordings(times))!.same,
    sameRates(recordings(trials), recordings(trials))!,
  ]);
  const share = (of: number, below: number) => rounds.filter((round) => round[of]! < below).length / rounds.length;
  // Normal quantiles in place of Student’s would give 0.3 and 0.2.
  expect(share(0, 0.05)).toBeLessThan(0.13);
  expect(share(0, 0.005)).toBeLessThan(0.05);
  expect(share(1, 0.05)).toBeLessThan(0.06);
});

test('the interval of an error rate is wider if few recordings show how much they differ', () => {
  const [one, other] = [
    { calls: 50, errors: 2 },
    { calls: 50, errors: 18 },
  ];
  const few = errorRate([one, other])!;
  const many = errorRate(Array.from({ length: 10 }, () => [one, other]).flat())!;
  expect(few.to - few.from).toBeGreaterThan(0.7);
  expect(many.to - many.from).toBeLessThan(0.16);
});

test('one slow recording is less certain than many', () => {
  const fast = Array.from({ length: 6 }, () => timesOf(Array.from({ length: 10 }, () => 1000)));
  const slow = timesOf(Array.from({ length: 10 }, () => 100_000));
  const same = timesOf(Array.from({ length: 10 }, () => 1000));
  const one = compareTimes(fast, [slow, same, same, same, same, same])!;
  expect(one.same).toBeGreaterThan(0.05);
  expect(compareTimes(fast, [slow, slow, slow, slow, slow, slow])!.same).toBeLessThan(0.001);
});

test('quantiles of buckets are within 9 % of the measured ones', () => {
  const next = random(4);
  const us = Array.from({ length: 5000 }, () => lognormal(next, 20_000, 1));
  const sorted = us.toSorted((a, b) => a - b);
  for (const share of [0.01, 0.5, 0.95, 0.99]) {
    const ratio = quantileUs(timesOf(us), share)! / sorted[Math.ceil(share * 5000) - 1]!;
    expect(Math.abs(Math.log(ratio))).toBeLessThan(Math.log(1.0905));
  }
  expect(quantileUs([], 0.5)).toBeUndefined();
});

test('the interval of a quantile holds the true one, and is missing for few calls', () => {
  const next = random(5);
  const p95Us = 10_000 * Math.exp(0.8 * 1.6449);
  let hit = 0;
  for (let round = 0; round < 200; round++) {
    const times = timesOf(Array.from({ length: 300 }, () => lognormal(next, 10_000, 0.8)));
    const { fromUs, toUs } = quantileInterval(times, 0.95)!;
    if (fromUs <= p95Us && p95Us <= toUs) hit++;
  }
  expect(hit / 200).toBeGreaterThan(0.94);
  expect(quantileInterval(timesOf([1, 2, 3]), 0.5)).toBeUndefined();
  expect(quantileInterval(timesOf(Array.from({ length: 40 }, (_, at) => at + 1)), 0.95)).toBeUndefined();
});

test('nothing in 3 recordings says less than nothing in 300', () => {
  expect([mostWhenNone(3), mostWhenNone(300)].map((share) => share.toFixed(2))).toEqual(['0.63', '0.01']);
});
