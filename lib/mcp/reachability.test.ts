import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { FakeClock } from '@/lib/wire/test-clock';
import { RECOVERED_MS, RESTART_CHECKS, Reachability, SERVER_RETRY_FIRST_MS } from './reachability';

const REFUSED = { code: 'connection-refused', message: 'Nothing listens there.', advice: 'Start it.' };

/** A connection that can be reached and recovers as the test says. */
function watched({ recovers = true }: { recovers?: boolean } = {}) {
  const clock = new FakeClock();
  const events: LifecycleEvent[] = [];
  const attempts: number[] = [];
  const told = { away: true, recoveries: 0, onGiveUp: 0 };
  const reachability: Reachability = new Reachability({
    clock,
    logEvent: (event) => events.push(event),
    reconnect: async () => {
      attempts.push(clock.now());
      if (told.away) reachability.onUnreachable(REFUSED);
      else reachability.onReached();
    },
    recover: async () => {
      told.recoveries++;
      return recovers;
    },
    onGiveUp: () => {
      told.onGiveUp++;
    },
  });
  const names = () => events.map(({ event }) => event);
  return { clock, events, attempts, told, reachability, names };
}

/** Returns the milliseconds between the times. The first counts from 0. */
const gaps = (moments: readonly number[]) => moments.map((at, index) => at - (moments[index - 1] ?? 0));

describe('an unreachable server', () => {
  test('is logged once, and tried again with growing delays up to a maximum', async () => {
    const { clock, attempts, reachability, names, events } = watched();
    reachability.onUnreachable(REFUSED);
    reachability.onUnreachable(REFUSED);
    await clock.pass(60_000);
    expect(gaps(attempts)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(names()).toEqual(['unreachable']);
    expect(events[0]).toMatchObject({ ...REFUSED, retryMs: 500 });
    expect(reachability.unreachable).toMatchObject({ since: 0, message: REFUSED.message });
  });

  test('recovers when it answers', async () => {
    const { clock, told, reachability, events } = watched();
    reachability.onUnreachable(REFUSED);
    await clock.pass(600);
    told.away = false;
    await clock.pass(1000);
    expect(events.at(-1)).toEqual({ event: 'reachable', attempts: 2 });
    expect(told.recoveries).toBe(1);
    expect(reachability.lost).toBe(false);
    expect(clock.waiting).toBe(0);
  });

  test('is tried at once on Retry now, which resets the delays', async () => {
    const { clock, attempts, reachability } = watched();
    expect(() => reachability.retry()).toThrow(ConnectionError);
    reachability.onUnreachable(REFUSED);
    await clock.pass(20_000);
    const before = attempts.length;
    reachability.retry();
    await clock.pass(SERVER_RETRY_FIRST_MS);
    expect(attempts).toHaveLength(before + 2);
  });

  test('keeps the longer delays if it is lost right after a recovery', async () => {
    const { clock, attempts, told, reachability } = watched();
    reachability.onUnreachable(REFUSED);
    await clock.pass(4000);
    told.away = false;
    await clock.pass(4000);
    const before = attempts.length;
    told.away = true;
    reachability.onUnreachable(REFUSED);
    await clock.pass(4000);
    expect(attempts).toHaveLength(before);
    told.away = false;
    await clock.pass(60_000);
    reachability.onUnreachable(REFUSED);
    await clock.pass(SERVER_RETRY_FIRST_MS);
    expect(attempts.at(-1)! - attempts.at(-2)!).toBeGreaterThan(RECOVERED_MS);
  });

  test('is not tried again after the connection ended', async () => {
    const { clock, attempts, reachability } = watched();
    reachability.onUnreachable(REFUSED);
    reachability.stop();
    reachability.onUnreachable(REFUSED);
    await clock.pass(60_000);
    expect(attempts).toEqual([]);
    expect(reachability.unreachable).toBeUndefined();
  });
});

describe('a server that may have restarted', () => {
  test('is checked without a log entry', async () => {
    const { clock, told, reachability, names } = watched();
    told.away = false;
    reachability.onPossibleRestart();
    reachability.onPossibleRestart();
    expect(reachability.lost).toBe(true);
    await clock.pass(SERVER_RETRY_FIRST_MS);
    expect(names()).toEqual([]);
    expect(told.recoveries).toBe(1);
  });

  test('becomes unreachable if it does not answer', async () => {
    const { clock, reachability, names } = watched();
    reachability.onPossibleRestart();
    await clock.pass(SERVER_RETRY_FIRST_MS);
    expect(names()).toEqual(['unreachable']);
  });

  test('is given up if it never recovers', async () => {
    const { clock, told, attempts, reachability } = watched({ recovers: false });
    told.away = false;
    reachability.onPossibleRestart();
    await clock.pass(10 * 60_000);
    expect(attempts).toHaveLength(RESTART_CHECKS);
    expect(told.onGiveUp).toBe(1);
    expect(reachability.lost).toBe(false);
  });
});
