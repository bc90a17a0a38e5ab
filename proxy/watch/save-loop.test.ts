import { describe, expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { MOST_ECHOES, QUIET_MS, SaveLoop } from './save-loop';

function loop() {
  const clock = new FakeClock();
  const runs: (readonly [files: readonly string[], at: number])[] = [];
  const endless: string[] = [];
  let finish = () => {};
  const saves = new SaveLoop(
    clock,
    (files, at) => {
      runs.push([files, at]);
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    (file) => endless.push(file),
  );
  /** Lets the present run end. */
  const end = async (): Promise<void> => {
    finish();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, runs, endless, saves, finish: async () => finish(), end };
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

describe('saves that each run causes', () => {
  test('during it stop after very many runs, and the next save goes on', async () => {
    const { clock, runs, endless, saves, end } = loop();
    saves.saved('by-hand');
    for (let run = 1; run <= MOST_ECHOES + 1; run++) {
      clock.advance(QUIET_MS);
      expect(runs).toHaveLength(run);
      expect(endless).toEqual([]);
      // One file that is written again and again is reported once.
      for (let at = 0; at < 3; at++) saves.saved('made');
      await end();
    }
    expect(endless).toEqual(['made']);
    clock.advance(QUIET_MS);
    expect(runs).toHaveLength(MOST_ECHOES + 1);

    expect(saves.saved('by-hand')).toBe(true);
    clock.advance(QUIET_MS);
    expect(runs.at(-1)![0]).toEqual(['by-hand']);
    expect(endless).toHaveLength(1);
  });

  test('are not those of somebody who saves as soon as a run is over', async () => {
    const { clock, runs, endless, saves, end } = loop();
    for (let run = 1; run <= 2 * MOST_ECHOES; run++) {
      saves.saved('by-hand');
      clock.advance(QUIET_MS);
      await end();
    }
    expect(runs).toHaveLength(2 * MOST_ECHOES);
    expect(endless).toEqual([]);
  });
});
