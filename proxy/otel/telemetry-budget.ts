/** Bytes of frames that may arrive in one second, on average, and at once. */
const SUSTAINED_BYTES = 2 * 1024 * 1024;
const BURST_BYTES = 32 * 1024 * 1024;
/** Bytes beyond the burst that one export may take, so that an accepted export is rarely cut. */
const OVERDRAFT_BYTES = 16 * 1024 * 1024;
/** Bytes of frames of one connection. Its recording has to stay small enough to be opened. */
const TOTAL_BYTES = 512 * 1024 * 1024;
/** Bytes that a frame costs in addition to its own: recording and showing a short one takes as long as a long one. */
const FRAME_BYTES = 1024;

/** How much telemetry of one connection is logged: a bucket that refills, and a total. */
export class TelemetryBudget {
  readonly #now: () => number;
  #left = BURST_BYTES;
  #total = TOTAL_BYTES;
  #filledAt: number;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now;
    this.#filledAt = now();
  }

  /** True if another export may begin. */
  get hasSome(): boolean {
    this.#refill();
    return this.#left > 0;
  }

  /** True once the connection has had all that it may log. */
  get isSpent(): boolean {
    return this.#total <= 0;
  }

  /** Takes a frame from the budget. False: it must not be logged. */
  take(bytes: number): boolean {
    const cost = bytes + FRAME_BYTES;
    if (this.#left < -OVERDRAFT_BYTES || this.#total <= 0) return false;
    this.#left -= cost;
    this.#total -= cost;
    return true;
  }

  /** Takes bytes of a body that came to nothing, so that a flood of such bodies is refused unread. */
  waste(bytes: number): void {
    this.#left -= Math.max(0, bytes);
  }

  #refill(): void {
    const now = this.#now();
    this.#left = Math.min(BURST_BYTES, this.#left + ((now - this.#filledAt) / 1000) * SUSTAINED_BYTES);
    this.#filledAt = now;
  }
}
