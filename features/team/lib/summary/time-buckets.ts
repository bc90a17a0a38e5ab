import { FEWEST_FOR_QUANTILES } from '@/lib/wire/spread';
import type { Counted } from './recording-summary';

/** Calls by time, as in `Counted.times`: `[b, n]` is n calls of 2^(b/4) to 2^((b+1)/4) µs, ascending. */
export type Times = readonly (readonly [bucket: number, calls: number])[];

const PER_OCTAVE = 4;
/** The last bucket has calls of about 70 minutes and more. */
export const LAST_BUCKET = 32 * PER_OCTAVE;

/** Returns the bucket of a duration in microseconds. */
export function bucketOf(us: number): number {
  return us < 1 ? 0 : Math.min(LAST_BUCKET, Math.floor(Math.log2(us) * PER_OCTAVE));
}

/** Counts calls by bucket. */
export class TimeBuckets {
  readonly #calls = new Map<number, number>();

  add(bucket: number, calls = 1): void {
    this.#calls.set(bucket, (this.#calls.get(bucket) ?? 0) + calls);
  }

  addAll(times: Times): void {
    for (const [bucket, calls] of times) this.add(bucket, calls);
  }

  get times(): Times {
    return [...this.#calls].sort(([a], [b]) => a - b);
  }
}

/** Returns the number of calls. */
export function callsIn(times: Times): number {
  return times.reduce((sum, [, calls]) => sum + calls, 0);
}

/** Returns the milliseconds of each call if there are few, and every summary has them; undefined else. */
export function singlesOf(counted: readonly Pick<Counted, 'singlesMs'>[], times: Times): readonly number[] | undefined {
  const all = callsIn(times);
  if (all === 0 || all >= FEWEST_FOR_QUANTILES) return undefined;
  const singles = counted.flatMap(({ singlesMs = [] }) => singlesMs);
  return singles.length === all ? singles : undefined;
}

/**
 * Returns the microseconds that `share` of the calls do not exceed, within 9 %: the middle of the bucket with that
 * call. undefined without a call.
 */
export function quantileUs(times: Times, share: number): number | undefined {
  const all = callsIn(times);
  return all === 0 ? undefined : middleUs(bucketAt(times, Math.max(1, Math.ceil(share * all))));
}

/** Returns the bucket of the call with this rank, counted from 1. */
function bucketAt(times: Times, rank: number): number {
  let left = rank;
  for (const [bucket, calls] of times) {
    left -= calls;
    if (left <= 0) return bucket;
  }
  return times.at(-1)?.[0] ?? 0;
}

function middleUs(bucket: number): number {
  return 2 ** ((bucket + 0.5) / PER_OCTAVE);
}

/** A range of microseconds. */
export interface RangeUs {
  readonly fromUs: number;
  readonly toUs: number;
}

/** Standard errors on each side of a 95 % interval. */
export const Z95 = 1.96;

/**
 * Returns the 95 % interval of a quantile, from the edges of buckets. It needs no assumption about how times are
 * distributed, only that calls do not depend on each other. undefined if so few calls say nothing about it.
 */
export function quantileInterval(times: Times, share: number): RangeUs | undefined {
  const all = callsIn(times);
  const spread = Z95 * Math.sqrt(all * share * (1 - share));
  const [low, high] = [Math.floor(all * share - spread), Math.ceil(all * share + spread) + 1];
  if (low < 1 || high > all) return undefined;
  return { fromUs: 2 ** (bucketAt(times, low) / PER_OCTAVE), toUs: 2 ** ((bucketAt(times, high) + 1) / PER_OCTAVE) };
}
