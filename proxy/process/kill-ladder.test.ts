import { describe, expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { climbKillLadder, type Rung, SIGKILL_MS, SIGTERM_MS, STDIN_END_MS } from './kill-ladder';

/** A tree that ends at one of the rungs, or never, and the steps of the ladder with their times. */
function ladder(goesAt?: Rung): { clock: FakeClock; log: [string, number][]; climb(from?: Rung): Promise<boolean> } {
  const clock = new FakeClock();
  const log: [string, number][] = [];
  let alive = true;
  const act = (rung: Rung): void => {
    log.push([`does ${rung}`, clock.now()]);
    if (rung === goesAt) alive = false;
  };
  const tree = { isAlive: () => alive, signal: act, onLeaderExit: () => {} };
  return {
    clock,
    log,
    climb: (from = 'stdin-end') =>
      climbKillLadder({ tree, endStdin: () => act('stdin-end') }, from, clock, (rung) => log.push([rung, clock.now()])),
  };
}

describe('kill ladder', () => {
  test('takes each rung after its time', async () => {
    const { clock, log, climb } = ladder();
    const climbing = climb();
    await clock.pass(10_000);
    expect(await climbing).toBe(false);
    const term = STDIN_END_MS;
    const kill = term + SIGTERM_MS;
    expect(log).toEqual([
      ['stdin-end', 0],
      ['does stdin-end', 0],
      ['SIGTERM', term],
      ['does SIGTERM', term],
      ['SIGKILL', kill],
      ['does SIGKILL', kill],
    ]);
    expect(kill + SIGKILL_MS).toBeLessThanOrEqual(5000);
  });

  test.each<[Rung, number]>([
    ['stdin-end', 1],
    ['SIGTERM', 2],
    ['SIGKILL', 3],
  ])('stops at %s if that is enough, without waiting longer', async (rung, count) => {
    const { clock, log, climb } = ladder(rung);
    const climbing = climb();
    await clock.pass(STDIN_END_MS + SIGTERM_MS);
    expect(await climbing).toBe(true);
    expect(log).toHaveLength(count * 2);
  });

  test('can start at a later rung', async () => {
    const { log, climb } = ladder('SIGTERM');
    expect(await climb('SIGTERM')).toBe(true);
    expect(log.map(([what]) => what)).toEqual(['SIGTERM', 'does SIGTERM']);
  });

  test('does nothing if the tree is gone', async () => {
    const { log, climb } = ladder('stdin-end');
    await climb();
    log.length = 0;
    expect(await climb()).toBe(true);
    expect(log).toEqual([]);
  });
});
