import { expect, test } from 'vitest';
import { measuresTogether, runMeasured } from './measured';

/** Takes time on the clock, but none on the processor, as on a machine that is busy with something else. */
const wait = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('work that uses the processor for too long is slow', () => {
  let used = 0;
  const usedMs = () => (used += 30);
  expect(runMeasured(20, () => wait(10_000), usedMs)).toBe('slow');
  // The clock has not stopped it, since another thread was slow to do so.
  expect(runMeasured(20, () => {}, usedMs)).toBe('slow');
  expect(runMeasured(40, () => {}, usedMs)).toBe('done');
});

test('work that only takes long on the clock is not slow', () => {
  let runs = 0;
  expect(
    runMeasured(
      100,
      () => {
        runs++;
        wait(200);
      },
      () => 0,
    ),
  ).toBe('done');
  expect(runs).toBe(2);
  expect(
    runMeasured(
      20,
      () => wait(10_000),
      () => 0,
    ),
  ).toBe('unknown');
});

test('attack: many schemas that take for ever share one time', () => {
  const measure = measuresTogether(50);
  let runs = 0;
  const hang = () => {
    runs++;
    for (;;);
  };
  const results = Array.from({ length: 20 }, () => measure(20, hang));
  expect(results[0]).not.toBe('skipped');
  expect(results.at(-1)).toBe('skipped');
  expect(runs).toBeLessThan(10);
});
