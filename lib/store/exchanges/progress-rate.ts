import type { ProgressReport } from './exchanges';

/** How fast a request progresses. */
export interface ProgressRate {
  /** Units per second, from the first notification to the newest. */
  readonly perSecond: number;
  /** Microseconds until `total`, at this rate. undefined without a total, or if it was reached. */
  readonly leftUs: number | undefined;
}

/** Microseconds that a rate needs at least. A shorter time says nothing. */
const LEAST_US = 1000;

/** Returns the rate of a request's progress; undefined before its second notification, and if it does not increase. */
export function progressRate(
  { first, seq, progress, total }: ProgressReport,
  timeOf: (seq: number) => number,
): ProgressRate | undefined {
  const us = timeOf(seq) - timeOf(first.seq);
  const done = progress - first.progress;
  if (us < LEAST_US || !(done > 0) || !Number.isFinite(done)) return undefined;
  const perSecond = (done / us) * 1_000_000;
  const left = total === undefined ? undefined : total - progress;
  const isLeft = left !== undefined && left > 0 && Number.isFinite(left);
  return { perSecond, leftUs: isLeft ? (left / perSecond) * 1_000_000 : undefined };
}
