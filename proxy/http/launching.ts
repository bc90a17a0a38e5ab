import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { LaunchCodes } from './launch-codes';
import { Token } from './token';

/** Bytes of randomness in the token of a run. */
const TOKEN_BYTES = 32;

/**
 * How a browser comes by the token: the terminal shows a link with a launch code in its fragment, which no server and no
 * Referer ever sees; the page exchanges the code for the token, once. The token is in this object and nowhere else.
 */
export class Launching {
  readonly #clock: Clock;
  readonly #url: string;
  readonly #terminal: (note: string) => void;
  readonly #token = new Token(TOKEN_BYTES);
  readonly #codes: LaunchCodes;
  #renewedAt = Number.NEGATIVE_INFINITY;

  /** `url` is the page's own, without a fragment. */
  constructor(clock: Clock, url: string, terminal: (note: string) => void) {
    this.#clock = clock;
    this.#url = url;
    this.#terminal = terminal;
    this.#codes = new LaunchCodes(clock, () =>
      terminal('Somebody was guessing launch codes, so the last link no longer works.'),
    );
  }

  /** A link that works once, within `LIMITS.launchCodeMs`. The one before it stops working. */
  newLink(): string {
    return `${this.#url}#launch=${this.#codes.issue()}`;
  }

  /** The token if this code is good, once. */
  redeem(code: string): string | undefined {
    return this.#codes.redeem(code) ? this.#token.reveal() : undefined;
  }

  /** Somebody at a page without a token asks for a fresh link. It goes to the terminal, never into the answer. */
  renew(): void {
    // A page must not be able to flood the terminal; a link that was used meanwhile is no use to the one who asks.
    if (this.#codes.isGood && this.#clock.now() - this.#renewedAt < LIMITS.launchRenewMs) return;
    this.#renewedAt = this.#clock.now();
    this.#terminal(`A page asks for a fresh link: ${this.newLink()}`);
  }

  /** In constant time. */
  acceptsToken(presented: string): boolean {
    return this.#token.matches(presented);
  }
}
