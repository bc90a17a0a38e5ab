import { describe, expect, test, vi } from 'vitest';
import type { Log } from '../log';
import { answered, asked, framesOf, got, logOf } from '../test-frames';
import type { RowList } from './row-list';
import { VisibleRows } from './visible-rows';

const bytes = (log: Log, wanted: string) => vi.fn((index: number) => log.text(index).includes(wanted));
const seqs = (rows: RowList) => Array.from({ length: rows.count }, (_, position) => rows.at(position) + 1);

test('rows grow with the log, and each frame is tested once', () => {
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

test('finds the position of a log index', () => {
  const log = logOf(got('a'), got('b'), got('a'), got('b'), got('a'));
  const rows = new VisibleRows(log, bytes(log, 'a'));
  rows.update();
  expect([0, 1, 2, 3, 4, 5].map((index) => rows.position(index))).toEqual([0, -1, 1, -1, 2, -1]);
  const all = new VisibleRows(log, undefined);
  all.update();
  expect([all.at(3), all.position(4), all.position(5)]).toEqual([3, 4, -1]);
});

test('tests a changed row again', () => {
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

/** Updates in slices and returns the rows tested in each. */
function slices(rows: VisibleRows, looked: () => number): number[] {
  const found: number[] = [];
  do {
    const before = looked();
    rows.update(() => true);
    found.push(looked() - before);
  } while (rows.remaining > 0);
  return found;
}

test('tests many small rows or one huge row per slice', () => {
  const small = Array.from({ length: 1000 }, (_, index) => got(`a${index}`));
  const huge = Array.from({ length: 3 }, () => got('a'.repeat(100_000)));
  const test = vi.fn(() => true);
  const looked = () => test.mock.calls.length;
  const first = slices(new VisibleRows(logOf(...small), test), looked);
  expect(first.reduce((sum, rows) => sum + rows)).toBe(1000);
  expect(first.length).toBeLessThan(10);
  expect(slices(new VisibleRows(logOf(...huge), test), looked)).toEqual([1, 1, 1]);
});

test('tests changed rows in slices too', () => {
  const requests = framesOf(Array.from({ length: 1000 }, (_, id) => asked(id, 'ping')));
  const log = logOf();
  log.append(requests);
  const test = vi.fn((index: number) => log.columns.status(index) === 'ok');
  const rows = new VisibleRows(log, test);
  expect(rows.update()).toBe(0);
  expect(rows.remaining).toBe(0);
  const answers = framesOf(Array.from({ length: 1000 }, (_, id) => answered(id, {})));
  log.append(answers.map((frame) => ({ ...frame, seq: frame.seq + 1000 })));
  expect(Math.max(...slices(rows, () => test.mock.calls.length))).toBeLessThan(300);
  expect(rows.count).toBe(2000);
});

describe('frames that are one row', () => {
  const notified = (text: string) => got({ jsonrpc: '2.0', method: 'notifications/a', params: { text } });
  const folded = logOf(notified('x'), notified('x'), notified('y'), notified('x'));
  const fold = (seq: number) => folded.foldOf(seq)?.lines;

  test('are counted each, and shown by the first', () => {
    const rows = new VisibleRows(folded, undefined, undefined, fold);
    rows.update();
    expect(seqs(rows)).toEqual([1, 3]);
    expect(seqs(rows.frames)).toEqual([1, 2, 3, 4]);
  });

  test('are tested each; the row is visible while any passes', () => {
    let passing = [2, 4];
    const rows = new VisibleRows(folded, (index) => passing.includes(index + 1), undefined, fold);
    rows.update();
    expect(seqs(rows)).toEqual([1]);
    expect(seqs(rows.frames)).toEqual([2, 4]);
    passing = [4];
    rows.recheck(1);
    expect(seqs(rows)).toEqual([1]);
    passing = [];
    rows.recheck(3);
    expect(seqs(rows)).toEqual([]);
    expect(seqs(rows.frames)).toEqual([]);
  });

  test('are rows of their own once the row is opened, and one row again once it is closed', () => {
    let isOpen = true;
    const rows = new VisibleRows(folded, undefined, undefined, (seq) => (isOpen ? undefined : fold(seq)));
    rows.update();
    expect(seqs(rows)).toEqual([1, 2, 3, 4]);
    isOpen = false;
    for (const seq of [1, 2, 4]) rows.recheck(seq - 1);
    expect(seqs(rows)).toEqual([1, 3]);
  });
});
