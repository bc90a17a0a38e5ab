import type { Clock } from '@/lib/wire/clock';

/** A token bucket: `perSecond` on average, and bursts of as many. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #tokens: number;
  #at: number;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#at = clock.now();
  }

  /** False if this one is too many. */
  take(): boolean {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
