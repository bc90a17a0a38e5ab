import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { Token } from './token';

/** Bytes of randomness in a code that lives for a minute. */
const CODE_BYTES = 16;

/**
 * Launch codes: what a launch link carries in its fragment, to be exchanged once for the token. One code is good at a
 * time, for `LIMITS.launchCodeMs`; `LIMITS.launchGuesses` wrong ones burn it.
 */
export class LaunchCodes {
  readonly #clock: Clock;
  readonly #onBurned: () => void;
  #current: { readonly code: Token; readonly until: number } | undefined;
  #wrong = 0;

  /** `onBurned`: somebody was guessing, and the current code no longer works. */
  constructor(clock: Clock, onBurned: () => void) {
    this.#clock = clock;
    this.#onBurned = onBurned;
  }

  /** True while there is a code to redeem. */
  get isGood(): boolean {
    return this.#current !== undefined && this.#clock.now() < this.#current.until;
  }

  /** A new code. The one before it stops working. */
  issue(): string {
    const code = new Token(CODE_BYTES);
    this.#current = { code, until: this.#clock.now() + LIMITS.launchCodeMs };
    this.#wrong = 0;
    return code.reveal();
  }

  /** True once for the current code, while it lives. */
  redeem(presented: string): boolean {
    const current = this.#current;
    if (!current) return false;
    if (this.#clock.now() >= current.until) {
      this.#current = undefined;
      return false;
    }
    if (current.code.matches(presented)) {
      this.#current = undefined;
      return true;
    }
    this.#wrong++;
    if (this.#wrong >= LIMITS.launchGuesses) {
      this.#current = undefined;
      this.#onBurned();
    }
    return false;
  }
}
