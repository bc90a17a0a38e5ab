/** Time, injected so that tests control it. */
export interface Clock {
  /** Returns monotonic milliseconds with a fraction. */
  now(): number;
  /** Calls `run` once after `ms`. The returned function cancels the call. */
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

/** A moment in calendar time and on a clock. */
export interface Moment {
  /** ISO 8601. */
  readonly at: string;
  /** Milliseconds on the clock. */
  readonly now: number;
}

/** Returns the current moment. */
export function momentNow(clock: Clock): Moment {
  return { at: new Date().toISOString(), now: clock.now() };
}
