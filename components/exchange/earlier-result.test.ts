import { expect, test } from 'vitest';
import { answered, asked, type FrameSeed, logOf } from '@/lib/store/test-frames';
import { earlierCall, unreadRun } from './earlier-result';
import { RUNS } from './test-runs';

test('finds the newest answered call of an earlier run', () => {
  const log = (id: string, ...frames: readonly FrameSeed[]) => Object.assign(logOf(...frames), { connection: id });
  const logs = new Map([
    ['c1', log('c1', asked(1, 'tools/call', { name: 'sum' }), answered(1, {}))],
    ['c3', log('c3', asked(1, 'tools/call', { name: 'sum' }))],
    ['c4', log('c4')],
  ]);
  const find = (now: string, name: string) =>
    earlierCall(RUNS, { log: logs.get(now)!, method: 'tools/call', name }, (id) => logs.get(id)!)?.run.id;
  expect(find('c4', 'sum')).toBe('c1');
  expect(find('c4', 'other')).toBeUndefined();
  // An older run that is shown has its own calls only.
  expect(find('c3', 'sum')).toBeUndefined();
});

test('names the newest run before this one whose messages are not loaded', () => {
  const unread = (now: string, ...loaded: readonly string[]) =>
    unreadRun(RUNS, now, (id) => ({ size: loaded.includes(id) ? 1 : 0 }))?.id;
  expect(unread('c4', 'c4')).toBe('c3');
  expect(unread('c4', 'c4', 'c3')).toBe('c1');
  expect(unread('c4', 'c4', 'c3', 'c1')).toBeUndefined();
  expect(unread('c3')).toBeUndefined();
});
