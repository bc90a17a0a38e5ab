import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { FakeClock } from '@/lib/wire/test-clock';
import { RECOVERED_MS, RESTART_CHECKS, Reachability, SERVER_RETRY_FIRST_MS } from './reachability';

const REFUSED = { code: 'connection-refused', message: 'Nothing listens there.', advice: 'Start it.' };

/** A connection whose server is away or there, and that recovers or does not, as told. */
function watched({ recovers = true }: { recovers?: boolean } = {}) {
  const clock = new FakeClock();
  const events: LifecycleEvent[] = [];
  const attempts: number[] = [];
  const told = { away: true, recoveries: 0, gaveUp: 0 };
  const reachability: Reachability = new Reachability({
    clock,
    logEvent: (event) => events.push(event),
    reconnect: async () => {
      attempts.push(clock.now());
      if (told.away) reachability.failed(REFUSED);
      else reachability.reached();
    },
    recover: async () => {
      told.recoveries++;
      return recovers;
    },
    gaveUp: () => {
      told.gaveUp++;
    },
  });
  const names = () => events.map(({ event }) => event);
  return { clock, events, attempts, told, reachability, names };
}

/** Milliseconds between the moments, the first counted from 0. */
const gaps = (moments: readonly number[]) => moments.map((at, index) => at - (moments[index - 1] ?? 0));

describe('a server that can not be reached', () => {
  test('is said once, and tried ever later, up to a bound', async () => {
    const { clock, attempts, reachability, names, events } = watched();
    reachability.failed(REFUSED);
    reachability.failed(REFUSED);
    await clock.pass(60_000);
    expect(gaps(attempts)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(names()).toEqual(['unreachable']);
    expect(events[0]).toMatchObject({ ...REFUSED, retryMs: 500 });
    expect(reachability.unreachable).toMatchObject({ since: 0, message: REFUSED.message });
  });

  test('recovers as soon as it answers', async () => {
    const { clock, told, reachability, events } = watched();
    reachability.failed(REFUSED);
    await clock.pass(600);
    told.away = false;
    await clock.pass(1000);
    expect(events.at(-1)).toEqual({ event: 'reachable', attempts: 2 });
    expect(told.recoveries).toBe(1);
    expect(reachability.lost).toBe(false);
    expect(clock.waiting).toBe(0);
  });

  test('Retry now does not wait, and the delays start again', async () => {
    const { clock, attempts, reachability } = watched();
    expect(() => reachability.retry()).toThrow(ConnectionError);
    reachability.failed(REFUSED);
    await clock.pass(20_000);
    const before = attempts.length;
    reachability.retry();
    await clock.pass(SERVER_RETRY_FIRST_MS);
    expect(attempts).toHaveLength(before + 2);
  });

  test('one that goes again right after it recovered goes on with longer delays', async () => {
    const { clock, attempts, told, reachability } = watched();
    reachability.failed(REFUSED);
    await clock.pass(4000);
    told.away = false;
    await clock.pass(4000);
    const before = attempts.length;
    told.away = true;
    reachability.failed(REFUSED);
    await clock.pass(4000);
    expect(attempts).toHaveLength(before);
    told.away = false;
    await clock.pass(60_000);
    reachability.failed(REFUSED);
    await clock.pass(SERVER_RETRY_FIRST_MS);
    expect(attempts.at(-1)! - attempts.at(-2)!).toBeGreaterThan(RECOVERED_MS);
  });

  test('is left alone once the connection has ended', async () => {
    const { clock, attempts, reachability } = watched();
    reachability.failed(REFUSED);
    reachability.stop();
    reachability.failed(REFUSED);
    await clock.pass(60_000);
    expect(attempts).toEqual([]);
    expect(reachability.unreachable).toBeUndefined();
  });
});

describe('a server that may have restarted', () => {
  test('is asked without a word', async () => {
    const { clock, told, reachability, names } = watched();
    told.away = false;
    reachability.doubtful();
    reachability.doubtful();
    expect(reachability.lost).toBe(true);
    await clock.pass(SERVER_RETRY_FIRST_MS);
    expect(names()).toEqual([]);
    expect(told.recoveries).toBe(1);
  });

  test('is unreachable if it does not answer', async () => {
    const { clock, reachability, names } = watched();
    reachability.doubtful();
    await clock.pass(SERVER_RETRY_FIRST_MS);
    expect(names()).toEqual(['unreachable']);
  });

  test('is not asked for ever if it never recovers', async () => {
    const { clock, told, attempts, reachability } = watched({ recovers: false });
    told.away = false;
    reachability.doubtful();
    await clock.pass(10 * 60_000);
    expect(attempts).toHaveLength(RESTART_CHECKS);
    expect(told.gaveUp).toBe(1);
    expect(reachability.lost).toBe(false);
  });
});
