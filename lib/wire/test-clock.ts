import type { Clock } from './clock';

interface Alarm {
  readonly at: number;
  readonly run: () => void;
}

/** A clock for tests: time passes only in {@link FakeClock.advance}. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { at: this.#now + ms, run };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Number of pending alarms. */
  get waiting(): number {
    return this.#alarms.size;
  }

  /**
   * Lets `ms` pass. Runs due alarms in order, including those set meanwhile. While an alarm runs, the clock shows the
   * time that it was set for.
   */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#alarms.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = until;
  }

  /** Like {@link advance}, but lets promises settle before each alarm. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve));
      const next = this.#next(until);
      if (next === undefined) break;
      this.advance(Math.max(0, next.at - this.#now));
    }
    this.#now = until;
  }

  #next(until: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (alarm.at <= until && (first === undefined || alarm.at < first.at)) first = alarm;
    }
    return first;
  }
}
