import { CALL_METHODS } from '@/lib/wire/protocol-names';
import { FEWEST_FOR_QUANTILES } from '@/lib/wire/spread';
import type { RowStatus } from '../rows/row';

/** Most methods with their own durations. All further methods share one entry, which bounds memory. */
export const LATENCY_METHODS = 200;

/**
 * Outcomes of the client's requests with one method. Durations are in microseconds, within 1.1 % except for `max`, and
 * undefined before the first response.
 */
export interface Latency {
  /** undefined for all methods beyond `LATENCY_METHODS`. */
  readonly method: string | undefined;
  /** Requests answered or given up. */
  readonly count: number;
  /** Errors, tool errors, timeouts and lost requests. Cancelled and expected ones do not count. */
  readonly errors: number;
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly max: number | undefined;
  /** Each duration, while they are fewer than `FEWEST_FOR_QUANTILES`. */
  readonly singles: readonly number[] | undefined;
}

interface MethodLatency {
  count: number;
  errors: number;
  readonly durations: DurationHistogram;
}

const ERRORS: ReadonlySet<RowStatus> = new Set<RowStatus>(['error', 'tool-error', 'timeout', 'lost']);

/** Durations of the client's requests by method. A request costs O(1), and memory is bounded. */
export class Latencies {
  readonly #methods = new Map<string | undefined, MethodLatency>();
  readonly #calls = new DurationHistogram();

  /** Answered calls of tools, resources and prompts. Others do not count: `initialize` has the start of the server. */
  get calls(): Pick<DurationHistogram, 'quantile' | 'singles' | 'count'> {
    return this.#calls;
  }

  /**
   * Adds a finished request. `us`: microseconds until the response, without the time that people took; undefined
   * without one.
   */
  addRequest(method: string | undefined, status: RowStatus, us: number | undefined): void {
    const known = this.#methods.has(method) || this.#methods.size < LATENCY_METHODS;
    const key = known ? method : undefined;
    const entry = this.#methods.get(key) ?? { count: 0, errors: 0, durations: new DurationHistogram() };
    this.#methods.set(key, entry);
    entry.count++;
    if (ERRORS.has(status)) entry.errors++;
    if (us === undefined) return;
    entry.durations.add(us);
    if (CALL_METHODS.has(method)) this.#calls.add(us);
  }

  /** Removes an error that turned out to be expected. */
  uncountError(method: string | undefined): void {
    const entry = this.#methods.get(method);
    if (entry) entry.errors--;
  }

  /** True if a request was answered or given up. */
  get hasAny(): boolean {
    return this.#methods.size > 0;
  }

  /** Returns a row per method. */
  table(): Latency[] {
    return [...this.#methods].map(([method, { count, errors, durations }]) => ({
      method,
      count,
      errors,
      p50: durations.quantile(0.5),
      p95: durations.quantile(0.95),
      max: durations.quantile(1),
      singles: durations.singles,
    }));
  }
}

/** Buckets per doubling, which keeps results within 1.1 % of the measured value. */
const BUCKETS_PER_OCTAVE = 32;

/** A histogram of durations in microseconds, in constant memory. */
export class DurationHistogram {
  readonly #buckets = new Map<number, number>();
  readonly #first: number[] = [];
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = 0;

  add(us: number): void {
    const bucket = Math.round(Math.log2(Math.max(us, 1)) * BUCKETS_PER_OCTAVE);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count++;
    if (this.#count < FEWEST_FOR_QUANTILES) this.#first.push(us);
    this.#least = Math.min(this.#least, us);
    this.#most = Math.max(this.#most, us);
  }

  get count(): number {
    return this.#count;
  }

  /** Each duration, in the order added, while there are fewer than `FEWEST_FOR_QUANTILES`. undefined without any. */
  get singles(): readonly number[] | undefined {
    return this.#count > 0 && this.#count < FEWEST_FOR_QUANTILES ? [...this.#first] : undefined;
  }

  /** Returns the duration that `share` of all durations (0.5 is half) do not exceed; undefined if there are none. */
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
