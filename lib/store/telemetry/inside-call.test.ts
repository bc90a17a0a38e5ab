import { expect, it } from 'vitest';
import { answered, asked, type FrameSeed, logOf } from '../test-frames';
import { insideCall } from './inside-call';
import { SpanIndex } from './span-index';
import { spanFrame, started, traced } from './test-spans';

/** A call from 2 ms to 12 ms, and then these frames. */
function insideOf(...seeds: readonly FrameSeed[]) {
  const fillers = Array.from({ length: 9 }, (_, at) => asked(`f${at}`, 'ping'));
  const log = logOf(started, traced(1, 'tools/call', 100), ...fillers, answered(1, {}), ...seeds);
  return insideCall(log, new SpanIndex(log).update(), 2);
}

it('lays out a tree with depths and the own time of each span', () => {
  const { spans, slowest, sentAt, endedAt } = insideOf(
    spanFrame({ id: 3, parent: 1, from: 6, ms: 5 }),
    spanFrame({ id: 2, parent: 1, from: 3, ms: 2 }),
    spanFrame({ id: 1, parent: 100, from: 2, ms: 9.5 }),
    spanFrame({ id: 4, parent: 3, from: 7, ms: 1 }),
  );
  expect([sentAt, endedAt]).toEqual([2000, 12_000]);
  expect(spans.map(({ span: { name }, depth, from, selfUs }) => [name, depth, from, selfUs])).toEqual([
    ['span 1', 0, 2000, 2500],
    ['span 2', 1, 3000, 2000],
    ['span 3', 1, 6000, 4000],
    ['span 4', 2, 7000, 1000],
  ]);
  expect(slowest).toMatchObject({ span: { name: 'span 3' }, us: 4000 });
});

it('does not count the time of children that run at the same time twice', () => {
  const { spans } = insideOf(
    spanFrame({ id: 1, parent: 100, from: 2, ms: 8 }),
    spanFrame({ id: 2, parent: 1, from: 3, ms: 4 }),
    spanFrame({ id: 3, parent: 1, from: 4, ms: 4 }),
    spanFrame({ id: 4, parent: 1, from: 9, ms: 100 }),
  );
  expect(spans[0]!.selfUs).toBe(2000);
});

it('says that most of the time passed outside of all spans', () => {
  expect(insideOf(spanFrame({ id: 1, parent: 100, from: 3, ms: 1 })).slowest).toEqual({ outside: true, us: 9000 });
});

it('moves the bars of a process whose clock is wrong, and those below it with them', () => {
  const { spans, moved } = insideOf(
    spanFrame({ id: 1, parent: 100, from: -5000, ms: 6 }),
    spanFrame({ id: 2, parent: 1, from: -4999, ms: 2 }),
    spanFrame({ id: 3, parent: 2, from: 9000, ms: 1, service: 'database', kind: 2 }),
  );
  expect(spans.map(({ from }) => from)).toEqual([4000, 5000, 5500]);
  expect([...moved.keys()]).toEqual(['files', 'database']);
});

it('does not move work that goes on after the response, and corrects a millisecond silently', () => {
  const { spans, moved } = insideOf(
    spanFrame({ id: 1, parent: 100, from: 1.5, ms: 4 }),
    spanFrame({ id: 2, parent: 100, from: 8, ms: 4.5 }),
    spanFrame({ id: 3, parent: 100, from: 20, ms: 5, service: 'later' }),
  );
  expect(spans.map(({ from }) => from)).toEqual([2000, 7500, 20_000]);
  expect(moved.size).toBe(0);
});

it('marks spans without their parent, and those that are there by time', () => {
  const { spans } = insideOf(spanFrame({ id: 1, parent: 77, from: 3 }));
  expect(spans.map(({ by, lacksParent }) => [by, lacksParent])).toEqual([['trace', true]]);
});

it('lays out spans that are nested very deeply', () => {
  const chain = Array.from({ length: 9000 }, (_, at) => ({
    id: at + 1000,
    parent: at === 0 ? 100 : at + 999,
    from: 3,
  }));
  const { spans, left } = insideOf(...chain.map((span) => spanFrame(span)));
  expect([spans.at(-1)!.depth, left]).toEqual([8999, 0]);
});
