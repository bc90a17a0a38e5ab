/** Time, injected, so that tests own it. */
export interface Clock {
  /** Monotonic milliseconds with sub-millisecond digits. */
  now(): number;
  /** Calls back once after `ms`; the returned function calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** The real clock, in Node and in browsers. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** A moment, by the calendar and on a clock. */
export interface Moment {
  /** ISO 8601. */
  readonly at: string;
  /** What the clock said then. */
  readonly now: number;
}

/** This moment. */
export function momentNow(clock: Clock): Moment {
  return { at: new Date().toISOString(), now: clock.now() };
}
