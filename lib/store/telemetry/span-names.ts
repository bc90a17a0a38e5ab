import type { Span, SpanIndex } from './span-index';

/** The spans with one name of one service. Times are in µs. */
export interface SpanName {
  readonly service: string;
  readonly name: string;
  readonly count: number;
  readonly failed: number;
  readonly medianUs: number;
  readonly p95Us: number;
  /** Time in which none of the spans below them ran, summed up. */
  readonly ownUs: number;
  /** Frame of the longest one. */
  readonly longest: number;
}

/** Groups all spans by service and name, those with the most time of their own first. */
export function spanNames(index: SpanIndex): readonly SpanName[] {
  const groups = new Map<string, Span[]>();
  for (const span of index.spans()) {
    const key = JSON.stringify([span.service, span.name]);
    const group = groups.get(key);
    if (group) group.push(span);
    else groups.set(key, [span]);
  }
  return [...groups.values()].map((group) => summed(group, index)).sort((a, b) => b.ownUs - a.ownUs);
}

function summed(group: Span[], index: SpanIndex): SpanName {
  const sorted = group.sort((a, b) => a.us - b.us);
  const longest = sorted.at(-1)!;
  const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!.us;
  return {
    service: longest.service,
    name: longest.name,
    count: sorted.length,
    failed: sorted.filter(({ failed }) => failed).length,
    medianUs: rank(0.5),
    p95Us: rank(0.95),
    ownUs: sorted.reduce((sum, span) => sum + index.ownUs(span), 0),
    longest: longest.seq,
  };
}

/** The spans with one name in two logs. A side is undefined if it has none. */
export interface SpanNameChange {
  readonly service: string;
  readonly name: string;
  readonly before: SpanName | undefined;
  readonly after: SpanName | undefined;
}

/** Joins the names of two logs, those whose own time differs most first. */
export function spanNameChanges(before: readonly SpanName[], after: readonly SpanName[]): readonly SpanNameChange[] {
  const keyOf = ({ service, name }: SpanName) => JSON.stringify([service, name]);
  const was = new Map(before.map((each) => [keyOf(each), each]));
  const is = new Map(after.map((each) => [keyOf(each), each]));
  const changes = [...new Set([...was.keys(), ...is.keys()])].map((key) => {
    const [one, other] = [was.get(key), is.get(key)];
    const { service, name } = (one ?? other)!;
    return { service, name, before: one, after: other };
  });
  const by = ({ before: one, after: other }: SpanNameChange) => Math.abs((other?.ownUs ?? 0) - (one?.ownUs ?? 0));
  return changes.sort((a, b) => by(b) - by(a));
}
