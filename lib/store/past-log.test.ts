import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '@/lib/wire/clock';
import { Log } from './log';
import { PastLog } from './past-log';
import { answered, asked, complained, type FrameSeed, framesOf, happened } from './test-frames';

const session = (calls: number): FrameSeed[] => [
  happened({ event: 'open', era: 'legacy', version: '2025-06-18' }),
  asked(1, 'tools/list'),
  answered(1, { tools: [{ name: 'echo' }] }),
  complained('warming up'),
  ...Array.from({ length: calls }, (_, call) => [
    asked(call + 2, 'tools/call', { name: 'echo', arguments: { call } }),
    answered(call + 2, { content: [{ type: 'text', text: 'x'.repeat(50) }] }),
  ]).flat(),
  happened({ event: 'closed' }),
];

/** A clock on which every reading exceeds a slice. */
function slowClock(): Clock {
  let ms = 0;
  return {
    now: () => (ms += 7),
    after: (_ms, run) => {
      setImmediate(run);
      return () => {};
    },
  };
}

const whole = (seeds: readonly FrameSeed[]) => {
  const log = new Log('c1');
  log.append(framesOf(seeds));
  return log;
};

const arrived = (past: PastLog) =>
  new Promise<void>((resolve) => {
    const stop = past.subscribe(() => {
      if (past.progress < 1) return;
      stop();
      resolve();
    });
    if (past.progress === 1) resolve();
  });

const derived = (log: Log) => ({
  state: log.state,
  rows: Array.from({ length: log.size }, (_, index) => [log.row(index), log.exchange(index + 1), log.text(index)]),
});

describe('a past log', () => {
  test('equals the log at that frame, whatever came before', async () => {
    const seeds = session(200);
    const log = whole(seeds);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: seeds.length }), { maxLength: 6 }), async (moments) => {
        const past = new PastLog(log, slowClock());
        for (const moment of moments) {
          past.moveTo(moment);
          await arrived(past);
          expect(derived(past.log)).toEqual(derived(whole(seeds.slice(0, moment))));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('moves on from the last target', async () => {
    const log = whole(session(300));
    const past = new PastLog(log, slowClock());
    for (const moment of [500, 20, 400, 3, 2]) past.moveTo(moment);
    expect(past.progress).toBeLessThan(1);
    await arrived(past);
    expect(past.log.size).toBe(2);
    expect(past.log.state.tools.status).toBe('listing');
    expect(past.log.whole).toBe(log);
  });

  test('shows the old state while moving back', async () => {
    const past = new PastLog(whole(session(300)), slowClock());
    past.moveTo(600);
    await arrived(past);
    const before = past.log;
    past.moveTo(3);
    expect(past.log === before || past.log.size === 3).toBe(true);
    await arrived(past);
    expect(past.log.state.tools.items).toHaveLength(1);
    expect(before.size).toBe(600);
  });

  test('loads evicted messages and skips unavailable ones', async () => {
    const frames = framesOf(session(40));
    const log = new Log('c1', { held: 0, again: 10_000 });
    for (const frame of frames) log.append([frame]);
    const lost = 8;
    const asked: number[] = [];
    log.wanted.onWanted = () =>
      setImmediate(() => {
        for (let range = log.wanted.nextRange(() => 100); range; range = log.wanted.nextRange(() => 100)) {
          for (let seq = range.from; seq <= range.to; seq++) {
            asked.push(seq);
            if (seq !== lost) log.restore([frames[seq - 1]!]);
            log.wanted.settleRange({ from: seq, to: seq }, seq !== lost);
          }
        }
        log.flush();
      });
    expect(log.hasBytes(5)).toBe(false);
    const past = new PastLog(log, slowClock());
    past.moveTo(60);
    await arrived(past);
    expect(asked.length).toBeGreaterThan(0);
    expect(past.log.exchange(5)?.status).toBe('ok');
    expect(past.log.row(lost - 1).kind).toBe('junk');
    expect(past.log.exchange(59)?.status).toBe('ok');
  });
});
