import type { Span } from './span-index';

/** The spans with one name of one service. Times are in µs. */
export interface SpanName {
  readonly service: string;
  readonly name: string;
  readonly count: number;
  readonly failed: number;
  readonly medianUs: number;
  readonly p95Us: number;
  readonly totalUs: number;
  /** Frame of the longest one. */
  readonly longest: number;
}

/** Groups spans by service and name, those with the most time first. */
export function spanNames(spans: Iterable<Span>): readonly SpanName[] {
  const groups = new Map<string, Span[]>();
  for (const span of spans) {
    const key = JSON.stringify([span.service, span.name]);
    const group = groups.get(key);
    if (group) group.push(span);
    else groups.set(key, [span]);
  }
  return [...groups.values()].map(summed).sort((a, b) => b.totalUs - a.totalUs);
}

function summed(group: Span[]): SpanName {
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
    totalUs: sorted.reduce((sum, { us }) => sum + us, 0),
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

/** Joins the names of two logs, those whose total time differs most first. */
export function spanNameChanges(before: readonly SpanName[], after: readonly SpanName[]): readonly SpanNameChange[] {
  const keyOf = ({ service, name }: SpanName) => JSON.stringify([service, name]);
  const was = new Map(before.map((each) => [keyOf(each), each]));
  const is = new Map(after.map((each) => [keyOf(each), each]));
  const changes = [...new Set([...was.keys(), ...is.keys()])].map((key) => {
    const [one, other] = [was.get(key), is.get(key)];
    const { service, name } = (one ?? other)!;
    return { service, name, before: one, after: other };
  });
  const by = ({ before: one, after: other }: SpanNameChange) => Math.abs((other?.totalUs ?? 0) - (one?.totalUs ?? 0));
  return changes.sort((a, b) => by(b) - by(a));
}
