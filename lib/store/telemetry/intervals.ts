/** A time interval in µs. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Returns how much of `within` these intervals cover, which are in the order of their starts. */
export function coveredUs(intervals: readonly Interval[], within: Interval): number {
  let covered = 0;
  let at = within.from;
  for (const { from, to } of intervals) {
    const [start, end] = [Math.max(at, from), Math.min(within.to, to)];
    if (end <= start) continue;
    covered += end - start;
    at = end;
  }
  return covered;
}
