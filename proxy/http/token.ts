import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

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
