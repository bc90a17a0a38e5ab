import { expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { framesOf, got } from '@/lib/store/test-frames';
import { LIMITS } from '@/lib/wire/limits';
import { EvictedSearch } from './evicted-search';

/** A log that evicts its messages at once. */
function leftLog(count: number) {
  const frames = framesOf(Array.from({ length: count }, (_, at) => got(`{"jsonrpc":"2.0","method":"n/${at}"}`)));
  const log = new Log('c1', { held: 0, again: 200 });
  for (const frame of frames) log.append([{ ...frame, bytes: frame.bytes.slice() }]);
  return { log, frames };
}

test('loads every evicted message once, a portion at a time', () => {
  const count = 3 * LIMITS.againFrames;
  const { log, frames } = leftLog(count);
  const asked: number[] = [];
  log.wanted.onWanted = () => {};
  const search = new EvictedSearch(log);
  expect(search.remaining).toBe(log.evictedUpTo);
  let heard = 0;
  const stop = search.start(() => heard++);
  for (let range = log.wanted.nextRange(() => 1); range; range = log.wanted.nextRange(() => 1)) {
    expect(range.to - range.from).toBeLessThan(LIMITS.againFrames);
    for (let seq = range.from; seq <= range.to; seq++) asked.push(seq);
    // One at a time, because only a few are kept.
    for (const frame of frames.slice(range.from - 1, range.to)) {
      log.restore([frame]);
      log.flush();
    }
    log.wanted.settleRange(range, true);
  }
  expect(asked).toEqual(Array.from({ length: log.evictedUpTo }, (_, index) => index + 1));
  expect(search.remaining).toBe(0);
  expect(heard).toBeGreaterThan(2);
  stop();
});

test('leaves unavailable frames unsearched and goes on', () => {
  const { log } = leftLog(10);
  const search = new EvictedSearch(log);
  const stop = search.start(() => {});
  log.wanted.settleRange(log.wanted.nextRange(() => 1)!, false);
  log.flush();
  expect([search.remaining, search.unavailable]).toEqual([0, log.evictedUpTo]);
  expect(log.wanted.nextRange(() => 1)).toBeUndefined();
  stop();
});

test('requests nothing while new frames are still arriving', () => {
  const { log } = leftLog(10);
  log.setLast(20);
  const stop = new EvictedSearch(log).start(() => {});
  expect(log.wanted.nextRange(() => 1)).toBeUndefined();
  stop();
});
