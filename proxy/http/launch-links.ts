import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';

/** Milliseconds until a wrong launch code is answered. */
export const LAUNCH_GUESS_MS = 500;
/** Wrong launch codes after which the terminal says once that somebody is guessing. */
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
  #guesses = 0;
  /** Query of the last link. */
  #query = '';

  /** `url`: the page's URL, without a fragment. */
  constructor(clock: Clock, url: string, terminal: (note: string) => void) {
    this.#clock = clock;
    this.#url = url;
    this.#terminal = terminal;
    this.#codes = new LaunchCodes(clock);
  }

  /**
   * Returns a link that works once, within `LIMITS.launchCodeMs`. Earlier links stay valid as long. Without a query, it
   * leads where the last one led.
   */
  newLink(query = this.#query): string {
    this.#query = query;
    return `${this.#url}${query}#launch=${this.#codes.issue()}`;
  }

  /**
   * Resolves with the token for a valid code, once; late with undefined for any other. Nobody can guess a code of 128
   * bits, so guesses don't use it up: otherwise any local program could shut the user out.
   */
  async redeem(code: string): Promise<string | undefined> {
    if (this.#codes.redeem(code)) return this.#token.reveal();
    if (++this.#guesses === LAUNCH_GUESSES) {
      this.#terminal('A program on this machine is guessing launch codes. The link still works.');
    }
    await new Promise<void>((resolve) => this.#clock.after(LAUNCH_GUESS_MS, resolve));
    return undefined;
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
 * The launch codes of a run. Each is valid once, for `LIMITS.launchCodeMs`. There are only as many as the user asked
 * for and as pages may ask for in that time.
 */
class LaunchCodes {
  readonly #clock: Clock;
  #codes: { readonly code: Token; readonly until: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True while there is a valid code. */
  get isValid(): boolean {
    return this.#valid().length > 0;
  }

  /** Returns a new code. */
  issue(): string {
    const code = new Token(CODE_BYTES);
    this.#codes = [...this.#valid(), { code, until: this.#clock.now() + LIMITS.launchCodeMs }];
    return code.reveal();
  }

  /** Returns true once for each valid code. */
  redeem(presented: string): boolean {
    const valid = this.#valid();
    const left = valid.filter(({ code }) => !code.matches(presented));
    this.#codes = left;
    return left.length < valid.length;
  }

  #valid() {
    return this.#codes.filter(({ until }) => this.#clock.now() < until);
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
