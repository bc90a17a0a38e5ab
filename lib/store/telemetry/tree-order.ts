import { groupBy } from '@/lib/store/columns/collections';
import type { Log } from '../log';
import type { RowList } from '../rows/row-list';
import type { Span, SpanIndex } from './span-index';

/** Log indexes within which rows of spans change places, so that a flood of spans costs a screen no more than this. */
const BLOCK = 1024;

/**
 * Returns a list in log order with the spans in the order of their tree: a parent before its children, siblings by
 * start. Servers send a span when it ends, so children come first. Only rows of telemetry that follow each other change
 * places, and only within a block of the log.
 */
export function inTreeOrder(log: Log, list: RowList, spans: SpanIndex): RowList {
  const { columns } = log;
  const isTelemetry = (position: number, block: number): boolean => {
    if (position < 0 || position >= list.count) return false;
    const index = list.at(position);
    return Math.floor(index / BLOCK) === block && columns.channel(index) === 'otel';
  };
  /** The runs that were asked for: first position, and log indexes in the order of the tree. */
  const runs = new Map<number, readonly number[]>();
  /** Returns the run with a position of the list. */
  const runAt = (position: number): readonly [first: number, order: readonly number[]] => {
    const block = Math.floor(list.at(position) / BLOCK);
    let first = position;
    while (isTelemetry(first - 1, block)) first--;
    let order = runs.get(first);
    if (!order) {
      let end = position + 1;
      while (isTelemetry(end, block)) end++;
      order = ordered(
        Array.from({ length: end - first }, (_, at) => list.at(first + at)),
        spans,
      );
      runs.set(first, order);
    }
    return [first, order];
  };
  return {
    count: list.count,
    at: (position) => {
      const index = list.at(position);
      if (columns.channel(index) !== 'otel') return index;
      const [first, order] = runAt(position);
      return order[position - first]!;
    },
    position: (index) => {
      const position = list.position(index);
      if (position < 0 || columns.channel(index) !== 'otel') return position;
      const [first, order] = runAt(position);
      return first + order.indexOf(index);
    },
  };
}

/** Puts the spans among rows of telemetry in the order of their tree. Other rows keep their places. */
function ordered(indexes: readonly number[], index: SpanIndex): readonly number[] {
  const inRun = new Map<Span, number>();
  for (const at of indexes) {
    const span = index.span(at + 1);
    // A span that came twice has its place once.
    if (span?.seq === at + 1) inRun.set(span, at);
  }
  if (inRun.size < 2) return indexes;
  const children = groupBy(inRun.keys(), (span) => {
    const parent = index.parentOf(span);
    return parent && inRun.has(parent) ? parent : undefined;
  });
  const places: number[] = [];
  const waiting = (children.get(undefined) ?? []).sort(byStart).reverse();
  for (let span = waiting.pop(); span; span = waiting.pop()) {
    places.push(inRun.get(span)!);
    waiting.push(...(children.get(span) ?? []).sort(byStart).reverse());
  }
  const moved = new Set(places);
  let next = 0;
  return indexes.map((at) => (moved.has(at) ? places[next++]! : at));
}

function byStart(a: Span, b: Span): number {
  return a.from - b.from || a.seq - b.seq;
}
