import { expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { QUIET_MS, SaveLoop } from './save-loop';

function loop() {
  const clock = new FakeClock();
  const runs: (readonly [files: readonly string[], at: number])[] = [];
  let finish = () => {};
  const saves = new SaveLoop(clock, (files, at) => {
    runs.push([files, at]);
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  return { clock, runs, saves, finish: async () => finish() };
}

test('runs once for several saves, when they are over', () => {
  const { clock, runs, saves } = loop();
  saves.saved('a');
  clock.advance(QUIET_MS - 1);
  saves.saved('b');
  saves.saved('a');
  clock.advance(QUIET_MS - 1);
  expect(runs).toEqual([]);
  clock.advance(1);
  expect(runs).toEqual([[['a', 'b'], 0]]);
});

test('runs once more for saves during a run', async () => {
  const { clock, runs, saves, finish } = loop();
  saves.saved('a');
  clock.advance(QUIET_MS);
  saves.saved('b');
  saves.saved('c');
  clock.advance(1000);
  expect(runs).toHaveLength(1);
  await finish();
  await Promise.resolve();
  clock.advance(QUIET_MS);
  expect(runs).toEqual([
    [['a'], 0],
    [['b', 'c'], QUIET_MS],
  ]);
});

test('does not wait for a file that never comes to rest', () => {
  const { clock, runs, saves } = loop();
  for (let at = 0; at < 100; at++) {
    saves.saved('log.js');
    clock.advance(QUIET_MS / 2);
  }
  expect(runs).toHaveLength(1);
});

test('starts no run once it is stopped', async () => {
  const { clock, runs, saves } = loop();
  saves.saved('a');
  await saves.stop();
  saves.saved('b');
  clock.advance(10_000);
  expect(runs).toEqual([]);
});
