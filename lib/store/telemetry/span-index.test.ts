import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Log } from '../log';
import { answered, asked, type FrameSeed, framesOf, logOf, onChannel } from '../test-frames';
import { type Span, SpanIndex } from './span-index';
import { id, logFrame, spanFrame, started, TRACE, traced } from './test-spans';

const OTHER = 'a'.repeat(32);

const indexOf = (...seeds: readonly FrameSeed[]) => new SpanIndex(logOf(...seeds)).update();

/** Writes the tree below a request as text: `1(2,3(4))`. */
function treeOf(index: SpanIndex, request: number): string {
  const text = (span: Span): string => {
    const below = index.childrenOf(span).map(text).join();
    return Number.parseInt(span.id, 16) + (below && `(${below})`);
  };
  return index.spansOf(request).map(text).join();
}

it('puts a span below the request whose trace context names its parent, however late it comes', () => {
  const index = indexOf(
    started,
    traced(1, 'tools/call', 100),
    traced(2, 'tools/call', 200),
    answered(1, {}),
    answered(2, {}),
    spanFrame({ id: 2, parent: 1 }),
    spanFrame({ id: 1, parent: 200 }),
    spanFrame({ id: 3, parent: 100 }),
  );
  expect(treeOf(index, 2)).toBe('3');
  expect(treeOf(index, 3)).toBe('1(2)');
  expect(index.causeOf(6)).toEqual({ request: 3, by: 'parent' });
});

it('gives a span whose parent never came to the newest request of its trace', () => {
  const index = indexOf(
    started,
    traced(1, 'tools/call', 100),
    answered(1, {}),
    traced(2, 'tools/call', 200),
    spanFrame({ id: 5, parent: 4 }),
    spanFrame({ id: 6 }),
  );
  expect(index.causeOf(5)).toEqual({ request: 4, by: 'trace' });
  expect(treeOf(index, 4)).toBe('5,6');
  expect(treeOf(index, 2)).toBe('');
});

it('chooses among requests with the same span id by time', () => {
  const index = indexOf(
    started,
    traced(1, 'tools/call', 100),
    answered(1, {}),
    traced(2, 'tools/call', 100),
    spanFrame({ id: 1, parent: 100, from: 2.5 }),
    spanFrame({ id: 2, parent: 100, from: 4.5 }),
  );
  expect([treeOf(index, 2), treeOf(index, 4)]).toEqual(['1', '2']);
});

it('nests spans of other processes in the same trace', () => {
  const index = indexOf(
    started,
    traced(1, 'tools/call', 100),
    spanFrame({ id: 2, parent: 1, service: 'database' }),
    spanFrame({ id: 1, parent: 100, service: 'files' }),
  );
  expect(treeOf(index, 2)).toBe('1(2)');
});

it('gives a span of another trace to the only request in flight, and says so', () => {
  const index = indexOf(
    started,
    asked(1, 'tools/call'),
    answered(1, {}),
    asked(2, 'tools/call'),
    asked(3, 'tools/call'),
    answered(2, {}),
    answered(3, {}),
    // Frames are a millisecond apart, so request 1 is in flight from 2 ms to 3 ms.
    spanFrame({ id: 1, trace: OTHER, from: 2.5 }),
    spanFrame({ id: 2, trace: 'b'.repeat(32), from: 5.5 }),
    spanFrame({ id: 3, trace: 'c'.repeat(32), from: 6.5 }),
    spanFrame({ id: 4, trace: 'd'.repeat(32), from: -60_000 }),
    logFrame('alone', 9, { ms: 2.5 }),
    logFrame('one of two', 9, { ms: 5.5 }),
  );
  expect([8, 9, 10, 11].map((seq) => index.causeOf(seq))).toEqual([
    { request: 2, by: 'time' },
    undefined,
    { request: 5, by: 'time' },
    undefined,
  ]);
  expect([treeOf(index, 2), treeOf(index, 5)]).toEqual(['1', '3']);
  expect(index.logsOf(2)).toEqual([12]);
  expect(index.causeOf(13)).toBeUndefined();
});

it('does not attribute by time what a trace context tells', () => {
  const index = indexOf(
    started,
    traced(1, 'tools/call', 100),
    answered(1, {}),
    asked(2, 'tools/call'),
    spanFrame({ id: 1, parent: 100, from: 4.5 }),
  );
  expect([treeOf(index, 2), treeOf(index, 4)]).toEqual(['1', '']);
});

it('finds the request of log records by span, by trace and by time', () => {
  const index = indexOf(
    started,
    traced(1, 'tools/call', 100),
    logFrame('below a span that comes later', 9, { trace: TRACE, span: 7 }),
    logFrame('below the request', 17, { trace: TRACE, span: 100 }),
    spanFrame({ id: 7, parent: 100 }),
    logFrame('somewhere in the trace', 17, { trace: TRACE, span: 99 }),
  );
  expect([3, 4, 6].map((seq) => index.causeOf(seq)?.by)).toEqual(['parent', 'parent', 'trace']);
  expect(index.logsOf(2)).toEqual([3, 4, 6]);
});

it('keeps spans apart whose parents form a circle, or that are their own parent', () => {
  const index = indexOf(
    started,
    traced(1, 'tools/call', 100),
    spanFrame({ id: 1, parent: 3 }),
    spanFrame({ id: 2, parent: 1 }),
    spanFrame({ id: 3, parent: 2 }),
    spanFrame({ id: 4, parent: 4 }),
  );
  expect(treeOf(index, 2)).toBe('1(2(3)),4');
});

it('takes frames that are not telemetry, and spans with ids of a wrong form, as rows only', () => {
  const index = indexOf(
    started,
    onChannel('otel', { service: 'x', of: 'y', span: { name: 'no ids' } }),
    onChannel('otel', 'not JSON'),
    onChannel('app', { service: 'x', of: 'y', span: {} }),
  );
  expect([...index.spans()]).toEqual([]);
  expect([2, 3, 4].map((seq) => index.causeOf(seq))).toEqual([undefined, undefined, undefined]);
});

it('reads a chain of spans that is very long', () => {
  const chain = Array.from({ length: 20_000 }, (_, at) =>
    spanFrame({ id: at + 1, parent: at === 0 ? 99_999 : at, from: at / 1e3 }),
  );
  const index = indexOf(started, traced(1, 'tools/call', 99_999), ...chain.toReversed());
  expect(index.causeOf(3)).toEqual({ request: 2, by: 'parent' });
  expect(index.depthOf(index.span(3)!, 1_000_000)).toBe(19_999);
});

/** Units remembered here. More than the thousand log records that are forgotten at a time. */
const KEPT = 3000;

it('forgets the oldest traces beyond the bound', () => {
  const log = new Log('c1');
  const seeds = [
    started,
    traced(1, 'tools/call', 100),
    answered(1, {}),
    spanFrame({ id: 1, parent: 100 }),
    ...Array.from({ length: KEPT }, (_, at) => spanFrame({ id: at + 1, trace: id(at + 1).padStart(32, 'b') })),
  ];
  log.append(framesOf(seeds));
  const index = new SpanIndex(log, KEPT).update();
  expect(index.forgotten).toBe(2);
  expect(index.span(4)).toBeUndefined();
  expect(index.spansOf(2)).toEqual([]);
  expect(index.span(5)).toBeDefined();
});

it('keeps the newest log records if none has a trace', () => {
  const records = Array.from({ length: KEPT + 5 }, (_, at) => logFrame('x', 9, { ms: at }));
  const index = new SpanIndex(logOf(started, ...records), KEPT).update();
  expect(index.record(2)).toBeUndefined();
  expect(index.record(KEPT + 6)).toBeDefined();
  // They are forgotten a thousand at a time.
  expect(index.forgotten).toBeLessThanOrEqual(1000);
});

it('begins a trace again that has too many spans, so that the newest are known', () => {
  const spans = Array.from({ length: KEPT + 5 }, (_, at) => spanFrame({ id: at + 1, from: at }));
  const index = new SpanIndex(logOf(started, ...spans), KEPT).update();
  expect(index.span(2)).toBeUndefined();
  expect(index.span(KEPT + 6)?.name).toBe(`span ${KEPT + 5}`);
});

it('builds the same tree whatever the order, the batches and the duplicates', () => {
  const edges = fc.array(fc.nat(12), { minLength: 1, maxLength: 30 });
  const property = fc.property(edges, fc.infiniteStream(fc.nat()), fc.nat(5), (parents, random, copies) => {
    // The parent of span n is one before it, or a request; some parents do not exist.
    const spans = parents.map((parent, at) => ({
      id: at + 1,
      parent: parent > at ? 100 + (parent % 3) : parent,
      from: at,
    }));
    const requests = [started, traced(1, 'tools/call', 100), traced(2, 'tools/call', 101)];
    const inOrder = spans.map((span) => spanFrame(span));
    const shuffled = [...inOrder, ...inOrder.slice(0, copies)]
      .map((frame) => [random.next().value as number, frame] as const)
      .sort(([a], [b]) => a - b)
      .map(([, frame]) => frame);
    const expected = indexOf(...requests, ...inOrder);
    const log = new Log('c1');
    const index = new SpanIndex(log);
    const frames = framesOf([...requests, ...shuffled]);
    for (let at = 0; at < frames.length; ) {
      const to = at + 1 + ((random.next().value as number) % 5);
      log.append(frames.slice(at, to));
      index.update();
      at = to;
    }
    for (const request of [2, 3]) expect(treeOf(index, request)).toBe(treeOf(expected, request));
  });
  fc.assert(property);
});

it('places the bars of rows between the request and the frame, whatever the clock of the server says', () => {
  const index = indexOf(
    started,
    traced(1, 'tools/call', 100),
    answered(1, {}),
    spanFrame({ id: 1, parent: 100, from: -60_000, ms: 1 }),
    spanFrame({ id: 2, parent: 1, from: -59_999.5, ms: 0.25 }),
    spanFrame({ id: 3, parent: 100, from: 60_000, ms: 1, failure: 'no' }),
  );
  const bars = [4, 5, 6].map((seq) => index.timeSpanOf({ seq, time: seq * 1000 })?.parts[0]);
  expect(bars).toEqual([
    { from: 2000, to: 3000, status: undefined },
    { from: 2500, to: 2750, status: undefined },
    { from: 5000, to: 6000, status: 'error' },
  ]);
  expect(index.timeSpanOf({ seq: 2, time: 0 })).toBeUndefined();
  expect([2, 4, 5].map((seq) => index.levelOf(seq))).toEqual([undefined, 1, 2]);
});
