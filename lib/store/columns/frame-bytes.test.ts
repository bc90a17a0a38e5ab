import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { FrameBytes, WantedFrames } from './frame-bytes';

const BATCH = 100;

/** Batches of frames whose bytes identify the frame. */
function batches(lengths: readonly number[]): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < lengths.length; at += 4) {
    const buffer = new Uint8Array(BATCH * 4);
    lengths.slice(at, at + 4).forEach((length, place) => {
      frames.push(buffer.subarray(place * BATCH, place * BATCH + length).fill(frames.length % 251));
    });
  }
  return frames;
}

const lengths = fc.array(fc.integer({ min: 0, max: BATCH }), { minLength: 1, maxLength: 200 });

test('keeps needed and newest frames exactly and restores the rest', () => {
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 10 }), (all, held, each) => {
      const frames = batches(all);
      const bytes = new FrameBytes({ held, again: 10 * BATCH });
      for (const frame of frames) {
        bytes.addFrame(frame);
        bytes.evict((index) => index % each === 0);
      }
      frames.forEach((frame, index) => {
        expect(bytes.length(index)).toBe(frame.length);
        if (index % each === 0 || index >= frames.length - 1) expect(bytes.has(index)).toBe(true);
        if (!bytes.has(index)) {
          expect(bytes.get(index)).toHaveLength(0);
          bytes.restore(index, frame);
        }
        expect(bytes.get(index)).toEqual(frame);
        expect(bytes.get(index, 3)).toEqual(frame.subarray(0, 3));
      });
    }),
  );
});

test('keeps the most recently used restored frames', () => {
  const frames = batches(Array.from({ length: 40 }, () => BATCH));
  const bytes = new FrameBytes({ held: 0, again: 3 * BATCH });
  for (const frame of frames) bytes.addFrame(frame);
  bytes.evict(() => false);
  expect(bytes.evictedBefore).toBe(36);
  for (const index of [0, 1, 2]) bytes.restore(index, frames[index]!);
  bytes.get(0);
  bytes.restore(3, frames[3]!);
  expect([0, 1, 2, 3].map((index) => bytes.has(index))).toEqual([true, false, true, true]);
});

test('keeps one frame above the budget until the next one', () => {
  const frames = batches(Array.from({ length: 8 }, () => BATCH));
  const bytes = new FrameBytes({ held: 0, again: 10 });
  for (const frame of frames) bytes.addFrame(frame);
  bytes.evict(() => false);
  bytes.restore(0, frames[0]!);
  expect(bytes.get(0)).toEqual(frames[0]);
  bytes.restore(1, frames[1]!);
  expect(bytes.has(0)).toBe(false);
  bytes.restore(2, new Uint8Array(3));
  expect(bytes.has(2)).toBe(false);
});

const small = () => 1;

test('requests neighbours together, once, the oldest first', () => {
  const wanted = new WantedFrames();
  let told = 0;
  wanted.onWanted = () => told++;
  for (const seq of [4, 9, 3, 4, 5]) wanted.want(seq);
  expect(told).toBe(4);
  expect(wanted.nextRange(small)).toEqual({ from: 3, to: 5 });
  wanted.settleRange({ from: 3, to: 5 }, true);
  wanted.want(1);
  expect(wanted.nextRange(small)).toEqual({ from: 9, to: 9 });
  wanted.settleRange({ from: 9, to: 9 }, true);
  expect(wanted.nextRange(small)).toEqual({ from: 1, to: 1 });
  wanted.settleRange({ from: 1, to: 1 }, true);
  expect(wanted.nextRange(small)).toBeUndefined();
});

test('bounds a range in frames and bytes; a larger frame is requested alone', () => {
  const wanted = new WantedFrames();
  for (let seq = 1; seq <= 2 * LIMITS.againFrames; seq++) wanted.want(seq);
  expect(wanted.nextRange(small)).toEqual({ from: 1, to: LIMITS.againFrames });
  expect(wanted.nextRange(() => LIMITS.againBytes / 4)).toEqual({ from: 1, to: 4 });
  expect(wanted.nextRange(() => LIMITS.againBytes + 1)).toEqual({ from: 1, to: 1 });
});

test('requests an unavailable frame again only after a new connection', () => {
  const wanted = new WantedFrames();
  wanted.want(1);
  wanted.settleRange({ from: 1, to: 1 }, false);
  expect(wanted.isUnavailable(1)).toBe(true);
  wanted.want(1);
  expect(wanted.nextRange(small)).toBeUndefined();
  wanted.tryAgain();
  expect(wanted.isUnavailable(1)).toBe(false);
  wanted.want(1);
  expect(wanted.nextRange(small)).toEqual({ from: 1, to: 1 });
});
