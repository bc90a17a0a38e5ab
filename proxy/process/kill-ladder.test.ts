import { describe, expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { climbKillLadder, type Rung, SIGKILL_MS, SIGTERM_MS, STDIN_END_MS } from './kill-ladder';

/** A tree that goes at one of the rungs, or never; and the ladder's doings with their times. */
function ladder(goesAt?: Rung): { clock: FakeClock; log: [string, number][]; climb(from?: Rung): Promise<boolean> } {
  const clock = new FakeClock();
  const log: [string, number][] = [];
  let alive = true;
  const act = (rung: Rung): void => {
    log.push([`does ${rung}`, clock.now()]);
    if (rung === goesAt) alive = false;
  };
  const tree = { isAlive: () => alive, signal: act, leaderExited: () => {} };
  return {
    clock,
    log,
    climb: (from = 'stdin-end') =>
      climbKillLadder({ tree, endStdin: () => act('stdin-end') }, from, clock, (rung) => log.push([rung, clock.now()])),
  };
}

describe('kill ladder', () => {
  test('tells and does each rung, each after its time', async () => {
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
  ])('stops at %s if that is enough, without sitting out its time', async (rung, count) => {
    const { clock, log, climb } = ladder(rung);
    const climbing = climb();
    await clock.pass(STDIN_END_MS + SIGTERM_MS);
    expect(await climbing).toBe(true);
    expect(log).toHaveLength(count * 2);
  });

  test('can begin further up', async () => {
    const { log, climb } = ladder('SIGTERM');
    expect(await climb('SIGTERM')).toBe(true);
    expect(log.map(([what]) => what)).toEqual(['SIGTERM', 'does SIGTERM']);
  });

  test('does nothing to what is gone', async () => {
    const { log, climb } = ladder('stdin-end');
    await climb();
    log.length = 0;
    expect(await climb()).toBe(true);
    expect(log).toEqual([]);
  });
});
