import { expect, test, vi } from 'vitest';
import type { Log } from './log';
import { answered, asked, framesOf, got, logOf } from './test-frames';
import { VisibleRows } from './visible-rows';

const bytes = (log: Log, wanted: string) => vi.fn((index: number) => log.text(index).includes(wanted));
const seqs = (rows: VisibleRows) => Array.from({ length: rows.count }, (_, position) => rows.at(position) + 1);

test('grow with the log, and each frame is looked at once', () => {
  const log = logOf(got('a1'), got('b1'));
  const test = bytes(log, 'a');
  const rows = new VisibleRows(log, test);
  expect(rows.update()).toBe(1);
  log.append([3, 4].map((seq) => ({ ...got(`a${seq}`), seq, time: seq })));
  expect(rows.count).toBe(1);
  expect(rows.update()).toBe(3);
  expect(test).toHaveBeenCalledTimes(4);
  expect(seqs(rows)).toEqual([1, 3, 4]);
});

test('a log index finds its position', () => {
  const log = logOf(got('a'), got('b'), got('a'), got('b'), got('a'));
  const rows = new VisibleRows(log, bytes(log, 'a'));
  rows.update();
  expect([0, 1, 2, 3, 4, 5].map((index) => rows.position(index))).toEqual([0, -1, 1, -1, 2, -1]);
  const all = new VisibleRows(log, undefined);
  all.update();
  expect([all.at(3), all.position(4), all.position(5)]).toEqual([3, 4, -1]);
});

test('a row that changes is looked at again: it may come, and it may go', () => {
  const [request, other, answer] = framesOf([asked(1, 'ping'), asked(2, 'ping'), answered(1, {})]);
  const log = logOf();
  log.append([request!, other!]);
  const pending = new VisibleRows(log, (index) => log.columns.status(index) === 'pending');
  const done = new VisibleRows(log, (index) => log.columns.status(index) === 'ok');
  pending.update();
  done.update();
  expect([seqs(pending), seqs(done)]).toEqual([[1, 2], []]);
  log.append([answer!]);
  pending.update();
  done.update();
  expect([seqs(pending), seqs(done)]).toEqual([[2], [1, 3]]);
});

test('stops when it is enough, and goes on where it stopped', () => {
  const log = logOf(...Array.from({ length: 1000 }, (_, index) => got(`a${index}`)));
  const rows = new VisibleRows(log, () => true);
  let turns = 0;
  expect(rows.update(() => ++turns === 2)).toBe(rows.seen);
  expect(rows.seen).toBeGreaterThan(0);
  expect(rows.seen).toBeLessThan(1000);
  expect(rows.update()).toBe(1000);
});
