import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { WantedFrames } from './wanted-frames';

const small = () => 1;

test('what stands together is asked for together, what was wanted first at first, and once', () => {
  const wanted = new WantedFrames();
  let told = 0;
  wanted.onWanted = () => told++;
  for (const seq of [4, 9, 3, 4, 5]) wanted.want(seq);
  expect(told).toBe(4);
  expect(wanted.next(small)).toEqual({ from: 3, to: 5 });
  wanted.answered({ from: 3, to: 5 }, true);
  wanted.want(1);
  expect(wanted.next(small)).toEqual({ from: 9, to: 9 });
  wanted.answered({ from: 9, to: 9 }, true);
  expect(wanted.next(small)).toEqual({ from: 1, to: 1 });
  wanted.answered({ from: 1, to: 1 }, true);
  expect(wanted.next(small)).toBeUndefined();
});

test('a range is bounded in frames and in bytes; one larger frame comes alone', () => {
  const wanted = new WantedFrames();
  for (let seq = 1; seq <= 2 * LIMITS.againFrames; seq++) wanted.want(seq);
  expect(wanted.next(small)).toEqual({ from: 1, to: LIMITS.againFrames });
  expect(wanted.next(() => LIMITS.againBytes / 4)).toEqual({ from: 1, to: 4 });
  expect(wanted.next(() => LIMITS.againBytes + 1)).toEqual({ from: 1, to: 1 });
});

test('what is not to be had is not asked for again, until there is another link', () => {
  const wanted = new WantedFrames();
  wanted.want(1);
  wanted.answered({ from: 1, to: 1 }, false);
  expect(wanted.isGone(1)).toBe(true);
  wanted.want(1);
  expect(wanted.next(small)).toBeUndefined();
  wanted.tryAgain();
  expect(wanted.isGone(1)).toBe(false);
  wanted.want(1);
  expect(wanted.next(small)).toEqual({ from: 1, to: 1 });
});
