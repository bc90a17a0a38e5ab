import { LIMITS } from '@/lib/wire/limits';
import { Durations } from './durations';
import type { Status } from './row';

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

interface Entry {
  count: number;
  errors: number;
  readonly durations: Durations;
}

const ERRORS: ReadonlySet<Status> = new Set<Status>(['error', 'tool-error', 'timeout', 'lost']);

/** The durations of our requests by method, in bounded memory: a request costs O(1) and nothing is kept of it alone. */
export class Latencies {
  readonly #methods = new Map<string | undefined, Entry>();
  /** Of all answered requests, whatever their method. */
  readonly #all = new Durations();

  /** A request is over. `us`: until its answer; undefined if none came. */
  add(method: string | undefined, status: Status, us: number | undefined): void {
    const known = this.#methods.has(method) || this.#methods.size < LIMITS.latencyMethods;
    const key = known ? method : undefined;
    const entry = this.#methods.get(key) ?? { count: 0, errors: 0, durations: new Durations() };
    this.#methods.set(key, entry);
    entry.count++;
    if (ERRORS.has(status)) entry.errors++;
    if (us === undefined) return;
    entry.durations.add(us);
    this.#all.add(us);
  }

  /** That one of them failed was to be expected. */
  forgive(method: string | undefined): void {
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
