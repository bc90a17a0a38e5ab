import { expect, test } from 'vitest';
import type { RowList } from '../rows/row-list';
import { answered, type FrameSeed, logOf } from '../test-frames';
import { SpanIndex } from './span-index';
import { logFrame, spanFrame, started, traced } from './test-spans';
import { inTreeOrder } from './tree-order';

/** Returns the names of all rows in their order, and checks that each row is found at its position. */
function namesIn(...seeds: readonly FrameSeed[]): readonly string[] {
  const log = logOf(started, traced(1, 'tools/call', 100), answered(1, {}), ...seeds);
  const all: RowList = {
    count: log.size,
    at: (position) => position,
    position: (index) => (index < log.size ? index : -1),
  };
  const list = inTreeOrder(log, all, new SpanIndex(log).update());
  const order = Array.from({ length: list.count }, (_, position) => list.at(position));
  expect(order.map((index) => list.position(index))).toEqual([...order.keys()]);
  expect(order.toSorted((a, b) => a - b)).toEqual([...order.keys()]);
  return order.slice(3).map((index) => log.row(index).name ?? log.row(index).method ?? '');
}

const one = spanFrame({ id: 1, parent: 100, from: 1, ms: 20 });
const two = spanFrame({ id: 2, parent: 1, from: 2, ms: 5 });
const three = spanFrame({ id: 3, parent: 2, from: 3, ms: 1 });
const four = spanFrame({ id: 4, parent: 1, from: 9, ms: 5 });

test('a parent is before its children, and siblings are by start', () => {
  expect(namesIn(three, four, two, one)).toEqual(['span 1', 'span 2', 'span 3', 'span 4']);
});

test('other rows of telemetry keep their places, and rows of messages end a tree', () => {
  const record = logFrame('text', 9);
  const [first, middle, last] = namesIn(three, record, two);
  expect([first, last]).toEqual(['span 2', 'span 3']);
  expect(middle).not.toMatch(/^span/);
  expect(namesIn(three, two, traced(2, 'ping', 200), four, one)).toEqual([
    'span 2',
    'span 3',
    expect.anything(),
    'span 1',
    'span 4',
  ]);
});

test('a span that came twice, and one whose parent is unknown, have a place each', () => {
  expect(namesIn(two, one, two)).toEqual(['span 1', 'span 2', 'span 2']);
  expect(namesIn(spanFrame({ id: 9, parent: 77, from: 0 }), two, one)).toEqual(['span 9', 'span 1', 'span 2']);
});

test('a flood of spans in one chain takes no long time', () => {
  const chain = Array.from({ length: 5000 }, (_, at) => spanFrame({ id: at + 1000, parent: at + 1001, from: 1 }));
  expect(namesIn(...chain)).toHaveLength(5000);
});
