import { describe, expect, test } from 'vitest';
import type { TimeSpan } from '@/lib/store/rows/time-span';
import { idleBefore, idleGaps, lineStep, lineTimes, pixelUs, placing, scaleOf } from './time-scale';

const SECOND = 1_000_000;

const span = (from: number, to: number | undefined, whole?: TimeSpan['whole']): TimeSpan => ({
  whole,
  parts: [{ from, to, status: 'ok' }],
  asked: [],
  ticks: [],
  at: undefined,
});

test('scales from the first row in view to the last end, or to now', () => {
  expect(scaleOf([], [], 9)).toBeUndefined();
  expect(scaleOf([5000, 9000], [span(5000, 30_000)], 99_000)).toEqual({ from: 5000, to: 30_000, gaps: [] });
  expect(scaleOf([5000, 9000], [span(5000, undefined)], 99_000)).toEqual({ from: 5000, to: 99_000, gaps: [] });
  expect(scaleOf([5000], [span(5000, 6000, { from: 1000, to: 50_000 })], 0)).toMatchObject({ from: 5000, to: 50_000 });
  // Never shorter than the shortest range.
  expect(scaleOf([5000], [], 0)).toMatchObject({ from: 5000, to: 6000 });
});

describe('idle gaps', () => {
  const range = (from: number, to: number) => ({ from: from * SECOND, to: to * SECOND });

  test('are between rows and bars, if nothing happens for two seconds', () => {
    expect(idleGaps([])).toEqual([]);
    expect(idleGaps([range(0, 1), range(3, 3.5)])).toEqual([range(1, 3)]);
    expect(idleGaps([range(0, 1), range(2.9, 3)])).toEqual([]);
    expect(idleGaps([range(40, 41), range(0, 0), range(0, 1)])).toEqual([range(1, 40)]);
  });

  test('are not within a longer call', () => {
    expect(idleGaps([range(0, 60), range(1, 2), range(50, 51)])).toEqual([]);
  });

  test('are long compared to the time that is not idle', () => {
    expect(idleGaps([range(0, 30), range(33, 60)])).toEqual([]);
    expect(idleGaps([range(0, 30), range(45, 60)])).toEqual([range(30, 45)]);
  });

  test('belong to the first row after them, whatever the order of the rows', () => {
    const gaps = [range(1, 40), range(41, 60)];
    expect([...idleBefore([60 * SECOND, 40 * SECOND, 0, 40 * SECOND], gaps)]).toEqual([
      [1, 39 * SECOND],
      [0, 19 * SECOND],
    ]);
    expect(idleBefore([0], gaps).size).toBe(0);
  });

  test('end at a call in flight, which lasts until now', () => {
    const scale = scaleOf([0, 10 * SECOND], [span(0, 1000), span(10 * SECOND, undefined)], 90 * SECOND)!;
    expect(scale.gaps).toEqual([]);
    expect(scaleOf([0, 50 * SECOND], [span(0, 1000), span(50 * SECOND, undefined)], 51 * SECOND)!.gaps).toEqual([
      { from: 1000, to: 50 * SECOND },
    ]);
  });
});

describe('placing', () => {
  test('is linear without gaps, and stays inside', () => {
    const place = placing({ from: 100, to: 300, gaps: [] }, 100);
    expect([0, 100, 150, 300, 999].map(place)).toEqual([0, 0, 25, 100, 100]);
  });

  test('gives a gap a few px, whatever its length', () => {
    const place = placing({ from: 0, to: 1000, gaps: [{ from: 100, to: 900 }] }, 106);
    expect([0, 50, 100, 500, 900, 1000].map(place)).toEqual([0, 25, 50, 53, 56, 106]);
  });

  test('leaves at least half of the room to what is not idle', () => {
    const gaps = Array.from({ length: 40 }, (_, at) => ({ from: at * 10 + 1, to: at * 10 + 10 }));
    const place = placing({ from: 0, to: 401, gaps }, 100);
    expect(place(401)).toBeCloseTo(100);
    expect(place(1)).toBeCloseTo(50 / 41);
  });

  test('places rows that are all at one moment but for a gap', () => {
    const place = placing({ from: 0, to: 5 * SECOND, gaps: [{ from: 0, to: 5 * SECOND }] }, 100);
    expect(place(0)).toBe(0);
    expect(place(5 * SECOND)).toBe(6);
  });
});

test('a pixel stands for the time outside gaps, in the room that their marks leave', () => {
  expect(pixelUs({ from: 100, to: 300, gaps: [] }, 100)).toBe(2);
  expect(pixelUs({ from: 0, to: 1000, gaps: [{ from: 100, to: 900 }] }, 106)).toBe(2);
  expect(pixelUs({ from: 0, to: 3_600_000_000, gaps: [] }, 100)).toBe(36 * SECOND);
});

test('puts lines at round times', () => {
  expect(lineStep({ from: 0, to: 1000 }, 5)).toBe(200);
  expect(lineStep({ from: 300, to: 1500 }, 5)).toBe(500);
  expect(lineStep({ from: 0, to: 3_600_000_000 }, 5)).toBe(900_000_000);
  expect(lineStep({ from: 0, to: 50_000_000 }, 5)).toBe(10_000_000);
  expect(lineStep({ from: 0, to: 5 * 86_400_000_000 }, 2)).toBe(500_000_000_000);
});

test('puts lines beside gaps, not into them, and not more for a long gap', () => {
  expect(lineTimes({ from: 0, to: 1000, gaps: [] }, 5)).toEqual([0, 200, 400, 600, 800, 1000]);
  const hours = { from: 0, to: 7_200_000_600, gaps: [{ from: 400, to: 7_200_000_000 }] };
  expect(lineTimes(hours, 5)).toEqual([0, 200, 400, 7_200_000_000, 7_200_000_200, 7_200_000_400, 7_200_000_600]);
});
