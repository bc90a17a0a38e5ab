import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';

export const LAUNCH_GUESSES = 20;
/** The terminal prints a fresh launch link at most this often, however often a page asks for one. */
export const LAUNCH_RENEW_MS = 5000;

/** Bytes of randomness in the token of a run. */
const TOKEN_BYTES = 32;

/**
 * How a browser comes by the token: the terminal shows a link with a launch code in its fragment, which no server and no
 * Referer ever sees; the page exchanges the code for the token, once. The token is in this object and nowhere else.
 */
export class LaunchLinks {
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
    if (this.#codes.isGood && this.#clock.now() - this.#renewedAt < LAUNCH_RENEW_MS) return;
    this.#renewedAt = this.#clock.now();
    this.#terminal(`A page asks for a fresh link: ${this.newLink()}`);
  }

  /** In constant time. */
  acceptsToken(presented: string): boolean {
    return this.#token.matches(presented);
  }
}

/** Bytes of randomness in a code that lives for a minute. */
const CODE_BYTES = 16;

/**
 * Launch codes: what a launch link carries in its fragment, to be exchanged once for the token. One code is good at a
 * time, for `LIMITS.launchCodeMs`; `LAUNCH_GUESSES` wrong ones burn it.
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
    if (this.#wrong >= LAUNCH_GUESSES) {
      this.#current = undefined;
      this.#onBurned();
    }
    return false;
  }
}

/**
 * A secret of our own: the run's token, or a launch code. The text is private, so that a log line or a crash report that
 * prints the object does not print the secret.
 */
export class Token {
  readonly #text: string;
  readonly #digest: Buffer;

  /** `bytes` of randomness, written in base64url. */
  constructor(bytes: number) {
    this.#text = randomBytes(bytes).toString('base64url');
    this.#digest = digest(this.#text);
  }

  /** The secret itself, for the one who may have it. */
  reveal(): string {
    return this.#text;
  }

  /** Compares digests, so the time tells neither how much of it was right nor how long the right one is. */
  matches(presented: string): boolean {
    return timingSafeEqual(this.#digest, digest(presented));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
