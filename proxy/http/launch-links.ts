import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';

/** Wrong launch codes before the current one stops working. */
export const LAUNCH_GUESSES = 20;
/** Least milliseconds between two links that the terminal prints because a page asked for one. */
export const LAUNCH_RENEW_MS = 5000;

/** Random bytes in the token of a run. */
const TOKEN_BYTES = 32;

/**
 * Gives browsers the token of this run. The terminal shows a link with a launch code in its fragment, which no server
 * and no Referer sees. The page exchanges the code for the token, once. The token exists only in this object.
 */
export class LaunchLinks {
  readonly #clock: Clock;
  readonly #url: string;
  readonly #terminal: (note: string) => void;
  readonly #token = new Token(TOKEN_BYTES);
  readonly #codes: LaunchCodes;
  #renewedAt = Number.NEGATIVE_INFINITY;

  /** `url`: the page's URL, without a fragment. */
  constructor(clock: Clock, url: string, terminal: (note: string) => void) {
    this.#clock = clock;
    this.#url = url;
    this.#terminal = terminal;
    this.#codes = new LaunchCodes(clock, () =>
      terminal('The last link no longer works, because there were too many wrong launch codes.'),
    );
  }

  /** Returns a link that works once, within `LIMITS.launchCodeMs`. Invalidates the previous link. */
  newLink(): string {
    return `${this.#url}#launch=${this.#codes.issue()}`;
  }

  /** Returns the token for a valid code, once. */
  redeem(code: string): string | undefined {
    return this.#codes.redeem(code) ? this.#token.reveal() : undefined;
  }

  /** Prints a new link in the terminal, because a page without a token asked for one. The page itself never gets it. */
  renew(): void {
    // A page must not be able to flood the terminal. But if the last link was used, it is replaced at once.
    if (this.#codes.isValid && this.#clock.now() - this.#renewedAt < LAUNCH_RENEW_MS) return;
    this.#renewedAt = this.#clock.now();
    this.#terminal(`A page asks for a new link: ${this.newLink()}`);
  }

  /** Compares in constant time. */
  acceptsToken(presented: string): boolean {
    return this.#token.matches(presented);
  }
}

/** Random bytes in a code. It is valid for a minute. */
const CODE_BYTES = 16;

/**
 * The launch codes of a run. One code is valid at a time, once, for `LIMITS.launchCodeMs`. It stops working after
 * {@link LAUNCH_GUESSES} wrong ones.
 */
class LaunchCodes {
  readonly #clock: Clock;
  readonly #onTooManyGuesses: () => void;
  #current: { readonly code: Token; readonly until: number } | undefined;
  #wrong = 0;

  /** `onTooManyGuesses`: the current code has stopped working. */
  constructor(clock: Clock, onTooManyGuesses: () => void) {
    this.#clock = clock;
    this.#onTooManyGuesses = onTooManyGuesses;
  }

  /** True while there is a valid code. */
  get isValid(): boolean {
    return this.#current !== undefined && this.#clock.now() < this.#current.until;
  }

  /** Returns a new code. Invalidates the previous one. */
  issue(): string {
    const code = new Token(CODE_BYTES);
    this.#current = { code, until: this.#clock.now() + LIMITS.launchCodeMs };
    this.#wrong = 0;
    return code.reveal();
  }

  /** Returns true once, for the current code while it is valid. */
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
      this.#onTooManyGuesses();
    }
    return false;
  }
}

/** The token of a run, or a launch code. The text is private, so that printing the object does not print the secret. */
export class Token {
  readonly #text: string;
  readonly #digest: Buffer;

  /** `bytes`: number of random bytes. The text is base64url. */
  constructor(bytes: number) {
    this.#text = randomBytes(bytes).toString('base64url');
    this.#digest = digest(this.#text);
  }

  /** Returns the secret. */
  reveal(): string {
    return this.#text;
  }

  /** Compares digests, so that the time reveals neither the length of the secret nor how much of a guess was right. */
  matches(presented: string): boolean {
    return timingSafeEqual(this.#digest, digest(presented));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
