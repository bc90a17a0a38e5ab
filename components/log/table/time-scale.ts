import type { Span } from '@/lib/store/spans';

/** A stretch of the log's time, in microseconds since the connection began. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The least that a scale shows: below it, clocks say little. */
const LEAST_US = 1000;
/** The time that a waterfall has to show: of these rows, and of their spans to the last end. What goes on ends `now`. */
export function scaleOf(times: readonly number[], spans: readonly Span[], now: number): TimeRange | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const time of times) {
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  if (from > to) return undefined;
  for (const { whole, parts } of spans) {
    for (const stretch of whole ? [whole, ...parts] : parts) to = Math.max(to, stretch.to ?? now);
  }
  return { from, to: Math.max(to, from + LEAST_US) };
}

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Steps of clocks, where those of numbers would not be round. */
const CLOCK_STEPS = [
  ...[10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR),
];

/** Round steps for lines, so that there are at most `most`: 1, 2, 5 × 10ⁿ below ten seconds and beyond a day, else those of clocks. */
export function lineStep({ from, to }: TimeRange, most: number): number {
  const raw = (to - from) / most;
  const clock = raw > 5 * SECOND ? CLOCK_STEPS.find((step) => step >= raw) : undefined;
  if (clock !== undefined) return clock;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw)!;
}
