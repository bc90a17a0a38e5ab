import type { Log } from '../log';
import { type InsideCall, insideCall } from './inside-call';
import type { Span, SpanIndex } from './span-index';
import { type SpanName, spanNames } from './span-names';

/** Newest calls that are laid out, and most spans without a call that are listed. */
const CALLS_SHOWN = 100;
const STRAYS_SHOWN = 100;

/** The telemetry of a log at a glance. */
export interface TelemetryOverview {
  readonly spans: number;
  readonly services: readonly string[];
  readonly names: readonly SpanName[];
  /** The newest calls with spans, newest first. */
  readonly calls: readonly InsideCall[];
  /** Number of older ones. */
  readonly olderCalls: number;
  /** Topmost spans that belong to no call, newest first. */
  readonly strays: readonly Span[];
  readonly moreStrays: number;
  /** Newest frame of each metric. */
  readonly metrics: readonly number[];
}

/** Sums up the telemetry of a log. Reads all of its spans, so don't call it for each frame. */
export function telemetryOverview(log: Log, index: SpanIndex): TelemetryOverview {
  const all = [...index.spans()];
  const calls = new Set<number>();
  const strays: Span[] = [];
  for (const span of all) {
    if (index.parentOf(span)) continue;
    const cause = index.causeOf(span.seq);
    if (cause) calls.add(log.relations.rootOf(cause.request));
    else strays.push(span);
  }
  const newest = [...calls].sort((a, b) => b - a);
  return {
    spans: all.length,
    services: [...new Set(all.map(({ service }) => service))].filter((service) => service !== '').sort(),
    names: spanNames(index),
    calls: newest.slice(0, CALLS_SHOWN).map((request) => insideCall(log, index, request)),
    olderCalls: Math.max(0, newest.length - CALLS_SHOWN),
    strays: strays.slice(-STRAYS_SHOWN).reverse(),
    moreStrays: Math.max(0, strays.length - STRAYS_SHOWN),
    metrics: index.metrics,
  };
}
