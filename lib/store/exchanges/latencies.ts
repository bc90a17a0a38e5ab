import type { Status } from '../rows/row';

/** Methods whose durations are kept apart; those of all others are one. */
export const LATENCY_METHODS = 200;

/** How our requests of one method went. Durations in microseconds, within 1.1 % but for `max`; undefined before the first answer. */
export interface Latency {
  /** undefined: those of all the methods that are not told apart. */
  readonly method: string | undefined;
  /** Answered, or given up. */
  readonly count: number;
  /** Errors, tool errors, and those that never got an answer; not what was cancelled or expected. */
  readonly errors: number;
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly max: number | undefined;
}

interface MethodLatency {
  count: number;
  errors: number;
  readonly durations: DurationHistogram;
}

const ERRORS: ReadonlySet<Status> = new Set<Status>(['error', 'tool-error', 'timeout', 'lost']);

/** The durations of our requests by method, in bounded memory: a request costs O(1) and nothing is kept of it alone. */
export class Latencies {
  readonly #methods = new Map<string | undefined, MethodLatency>();
  /** Of all answered requests, whatever their method. */
  readonly #all = new DurationHistogram();

  /** A request is over. `us`: until its answer; undefined if none came. */
  addRequest(method: string | undefined, status: Status, us: number | undefined): void {
    const known = this.#methods.has(method) || this.#methods.size < LATENCY_METHODS;
    const key = known ? method : undefined;
    const entry = this.#methods.get(key) ?? { count: 0, errors: 0, durations: new DurationHistogram() };
    this.#methods.set(key, entry);
    entry.count++;
    if (ERRORS.has(status)) entry.errors++;
    if (us === undefined) return;
    entry.durations.add(us);
    this.#all.add(us);
  }

  /** That one of them failed was to be expected. */
  uncountError(method: string | undefined): void {
    const entry = this.#methods.get(method);
    if (entry) entry.errors--;
  }

  /** The time within which `share` of all answered requests were answered; undefined before the first. */
  quantile(share: number): number | undefined {
    return this.#all.quantile(share);
  }

  /** A line for each method, as of now. */
  table(): Latency[] {
    return [...this.#methods].map(([method, { count, errors, durations }]) => ({
      method,
      count,
      errors,
      p50: durations.quantile(0.5),
      p95: durations.quantile(0.95),
      max: durations.quantile(1),
    }));
  }
}

/** Buckets for each doubling: what is said is within 1.1 % of what was measured. */
const BUCKETS_PER_OCTAVE = 32;

/** How long requests took, in microseconds: shares of them in constant memory, whatever their number. */
export class DurationHistogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = 0;

  add(us: number): void {
    const bucket = Math.round(Math.log2(Math.max(us, 1)) * BUCKETS_PER_OCTAVE);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count++;
    this.#least = Math.min(this.#least, us);
    this.#most = Math.max(this.#most, us);
  }

  /** The duration that `share` of them (0.5 is half) did not exceed; undefined while there is none. */
  quantile(share: number): number | undefined {
    if (this.#count === 0) return undefined;
    if (share >= 1) return this.#most;
    let left = Math.max(1, Math.ceil(share * this.#count));
    for (const bucket of [...this.#buckets.keys()].sort((a, b) => a - b)) {
      left -= this.#buckets.get(bucket)!;
      if (left <= 0) return Math.min(this.#most, Math.max(this.#least, 2 ** (bucket / BUCKETS_PER_OCTAVE)));
    }
    return this.#most;
  }
}
