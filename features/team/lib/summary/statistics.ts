import { callsIn, type Times, Z95 } from './time-buckets';

/** Calls of one recording, and how many of them failed. */
export interface CallCounts {
  readonly calls: number;
  readonly errors: number;
}

/** A share of calls with its 95 % interval. */
export interface Rate {
  readonly calls: number;
  readonly errors: number;
  readonly share: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the error rate of calls in several recordings, with Wilson's interval. Calls of one recording are alike, so
 * the interval is as wide as that of fewer calls, by how much the recordings differ. undefined without a call.
 */
export function errorRate(recordings: readonly CallCounts[]): Rate | undefined {
  const { calls, errors } = sumOf(recordings);
  if (calls === 0) return undefined;
  const share = errors / calls;
  const { variance, freedom } = clusteredVariance(recordings);
  const plain = (share * (1 - share)) / calls;
  const isWider = variance > plain && plain > 0;
  const n = isWider ? (calls * plain) / variance : calls;
  const z = isWider ? studentOf(Z95, freedom) : Z95;
  const middle = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n * n));
  return { calls, errors, share, from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}

function sumOf(recordings: readonly CallCounts[]): CallCounts {
  let [calls, errors] = [0, 0];
  for (const each of recordings) {
    calls += each.calls;
    errors += each.errors;
  }
  return { calls, errors };
}

/** A variance that was estimated from how much recordings differ. */
interface Estimate {
  readonly variance: number;
  /** Degrees of freedom: recordings but one. */
  readonly freedom: number;
}

/** Nothing is known of how much recordings differ. */
const UNKNOWN: Estimate = { variance: 0, freedom: 0 };

/** Returns the variance of the error rate by how much recordings differ; that of a single one is unknown. */
function clusteredVariance(recordings: readonly CallCounts[]): Estimate {
  const { calls, errors } = sumOf(recordings);
  const used = recordings.filter((each) => each.calls > 0);
  if (used.length < 2) return UNKNOWN;
  const rest = used.reduce((sum, each) => sum + (each.errors - (errors / calls) * each.calls) ** 2, 0);
  return { variance: ((used.length / (used.length - 1)) * rest) / calls ** 2, freedom: used.length - 1 };
}

/**
 * Returns the p-value of a difference between two groups: by the variance of calls, and by that of recordings, the
 * larger one. The second is estimated from few recordings, so it takes Student's distribution (Welch).
 */
function chanceOf(difference: number, ofCalls: number, ...groups: readonly Estimate[]): number {
  const variance = groups.reduce((sum, group) => sum + group.variance, 0);
  const byCalls = ofCalls === 0 ? 1 : twoSided(difference / Math.sqrt(ofCalls));
  if (variance === 0) return byCalls;
  const known = groups.filter((group) => group.freedom > 0);
  const freedom = variance ** 2 / known.reduce((sum, group) => sum + group.variance ** 2 / group.freedom, 0);
  return Math.max(byCalls, twoSided(normalOf(difference / Math.sqrt(variance), freedom)));
}

/** Returns the normal value that is as unlikely as a value of Student's distribution (Wallace). */
function normalOf(t: number, freedom: number): number {
  return ((8 * freedom + 1) / (8 * freedom + 3)) * Math.sqrt(freedom * Math.log1p(t ** 2 / freedom));
}

/** Returns the value of Student's distribution that is as unlikely as a normal value. */
function studentOf(z: number, freedom: number): number {
  const scaled = (z * (8 * freedom + 3)) / (8 * freedom + 1);
  return Math.sqrt(freedom * Math.expm1(scaled ** 2 / freedom));
}

/** Returns the p-value of the claim that two error rates are the same; undefined without calls on both sides. */
export function sameRates(before: readonly CallCounts[], after: readonly CallCounts[]): number | undefined {
  const [one, other] = [before, after].map((side) => {
    const { calls, errors } = sumOf(side);
    // One success and one failure more (Agresti and Caffo): without a failure, the variance would be 0.
    const share = (errors + 1) / (calls + 2);
    return { calls, share, plain: (share * (1 - share)) / (calls + 2), clustered: clusteredVariance(side) };
  });
  if (one!.calls === 0 || other!.calls === 0) return undefined;
  return chanceOf(other!.share - one!.share, one!.plain + other!.plain, one!.clustered, other!.clustered);
}

/** How the times of calls differ between two groups of recordings. */
export interface TimesDifference {
  /** Chance that a call after takes longer than a call before. 0.5: no difference. */
  readonly longer: number;
  /** p-value of the claim that there is no difference. */
  readonly same: number;
}

/**
 * Compares the times of calls by rank (Mann and Whitney), which no single slow call can tip. As in {@link errorRate},
 * recordings that differ make it less certain. undefined without calls on both sides.
 */
export function compareTimes(before: readonly Times[], after: readonly Times[]): TimesDifference | undefined {
  const [one, other] = [before, after].map((side) => new Ranks(side));
  if (one!.calls === 0 || other!.calls === 0) return undefined;
  const longer = other!.sumAgainst(one!) / (one!.calls * other!.calls);
  const byRank = tiedVariance(one!, other!);
  const same = chanceOf(
    longer - 0.5,
    byRank,
    other!.variance((times) => sumOver(times, (bucket) => one!.shareBelow(bucket) - longer)),
    one!.variance((times) => sumOver(times, (bucket) => 1 - other!.shareBelow(bucket) - longer)),
  );
  return { longer, same };
}

function sumOver(times: Times, of: (bucket: number) => number): number {
  return times.reduce((sum, [bucket, calls]) => sum + calls * of(bucket), 0);
}

/** Calls of one group of recordings, by their times. */
class Ranks {
  readonly #recordings: readonly Times[];
  readonly calls: number;
  /** Calls by bucket, and those in lower ones plus half of those in the same. */
  readonly buckets = new Map<number, number>();
  readonly #below = new Map<number, number>();
  readonly #sorted: readonly number[];

  constructor(recordings: readonly Times[]) {
    this.#recordings = recordings.filter((times) => times.length > 0);
    this.calls = recordings.reduce((sum, times) => sum + callsIn(times), 0);
    for (const [bucket, calls] of recordings.flat()) this.buckets.set(bucket, (this.buckets.get(bucket) ?? 0) + calls);
    this.#sorted = [...this.buckets.keys()].sort((a, b) => a - b);
  }

  /** Returns the share of calls that are faster than this bucket, where those in it count half. */
  shareBelow(bucket: number): number {
    const known = this.#below.get(bucket);
    if (known !== undefined) return known;
    let below = 0;
    for (const each of this.#sorted) if (each < bucket) below += this.buckets.get(each)!;
    const share = (below + (this.buckets.get(bucket) ?? 0) / 2) / this.calls;
    this.#below.set(bucket, share);
    return share;
  }

  /** Counts pairs in which the call of this group is slower. */
  sumAgainst(other: Ranks): number {
    let sum = 0;
    for (const [bucket, calls] of this.buckets) sum += calls * other.shareBelow(bucket) * other.calls;
    return sum;
  }

  /** Returns the variance of a mean over all calls, by how much the sums of recordings differ. */
  variance(sumFor: (times: Times) => number): Estimate {
    const count = this.#recordings.length;
    if (count < 2) return UNKNOWN;
    const rest = this.#recordings.reduce((sum, times) => sum + sumFor(times) ** 2, 0);
    return { variance: ((count / (count - 1)) * rest) / this.calls ** 2, freedom: count - 1 };
  }
}

/** Returns the variance of the rank statistic if both groups are alike, corrected for calls in the same bucket. */
function tiedVariance(one: Ranks, other: Ranks): number {
  const [n, m] = [one.calls, other.calls];
  const all = n + m;
  let ties = 0;
  for (const bucket of new Set([...one.buckets.keys(), ...other.buckets.keys()])) {
    const tied = (one.buckets.get(bucket) ?? 0) + (other.buckets.get(bucket) ?? 0);
    ties += tied ** 3 - tied;
  }
  return all < 2 ? 0 : (all + 1 - ties / (all * (all - 1))) / (12 * n * m);
}

/** Returns the chance of a normal value at least this far from 0. */
function twoSided(z: number): number {
  // Abramowitz and Stegun 7.1.26, within 1.5e-7.
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.min(1, sum * Math.exp(-x * x));
}

/** Returns the upper 95 % bound of the share of recordings that have something that none of `recordings` has. */
export function mostWhenNone(recordings: number): number {
  return 1 - 0.05 ** (1 / recordings);
}
