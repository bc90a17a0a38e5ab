import { describe, expect, test } from 'vitest';
import { Log } from '../log';
import { answered, asked, complained, framesOf, got, logOf, sent } from '../test-frames';
import { countBefore, partOfList, type RowList, type SortField, sortRows } from './row-list';
import { VisibleRows } from './visible-rows';

function finished<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const seqs = (list: RowList) => Array.from({ length: list.count }, (_, at) => list.at(at) + 1);

/** Frames are a millisecond apart. */
const log = logOf(
  asked(1, 'tools/list'),
  asked(2, 'ping'),
  answered(2, {}),
  complained('a line'),
  asked(3, 'tools/call', { name: 'a', text: 'x'.repeat(100) }),
  answered(1, { tools: [] }),
  got({ jsonrpc: '2.0', id: 3, error: { code: 1, message: 'no' } }),
);

function sorted(field: SortField, descending: boolean): number[] {
  const rows = new VisibleRows(log, undefined);
  rows.update();
  return seqs(finished(sortRows(log, rows, { field, descending })));
}

describe('sorting, with equal rows in log order,', () => {
  test.each<[SortField, boolean, number[]]>([
    ['seq', false, [1, 2, 3, 4, 5, 6, 7]],
    ['seq', true, [7, 6, 5, 4, 3, 2, 1]],
    // Pairs take 5, 1 and 2 ms, shown by the response. Rows without a value sort last in both directions.
    ['duration', false, [3, 7, 6, 1, 2, 4, 5]],
    ['duration', true, [6, 7, 3, 1, 2, 4, 5]],
    ['message', false, [2, 3, 5, 7, 1, 6, 4]],
    ['direction', false, [1, 2, 5, 3, 4, 6, 7]],
    ['status', false, [3, 6, 7, 1, 2, 4, 5]],
  ])('is by %s, descending: %s', (field, descending, expected) => {
    expect(sorted(field, descending)).toEqual(expected);
  });

  test('is by size for many rows', () => {
    const many = new Log('c1');
    const sizes = Array.from({ length: 17_000 }, (_, at) => (at * 7919) % 50);
    many.append(framesOf(sizes.map((size) => sent('x'.repeat(size)))));
    const rows = new VisibleRows(many, undefined);
    rows.update();
    const list = finished(sortRows(many, rows, { field: 'size', descending: true }));
    const expected = sizes.map((size, at) => [size, at + 1] as const).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    expect(seqs(list)).toEqual(expected.map(([, seq]) => seq));
    expect(list.position(list.at(123))).toBe(123);
  });
});

test('partOfList takes any log indexes as bounds', () => {
  const indexes = [2, 4, 6, 8, 10];
  const list = { count: 5, at: (at: number) => indexes[at]!, position: (index: number) => indexes.indexOf(index) };
  expect([0, 4, 5, 99].map((index) => countBefore(list, index))).toEqual([0, 1, 2, 5]);
  const part = partOfList(list, 3, 8);
  expect(seqs(part)).toEqual([5, 7]);
  expect([2, 4, 5, 6, 8].map((index) => part.position(index))).toEqual([-1, 0, -1, 1, -1]);
  expect(partOfList(list, 8, 3).count).toBe(0);
});
