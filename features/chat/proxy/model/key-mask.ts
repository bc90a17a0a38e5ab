import { MASK } from '@/lib/wire/http-frame';

/**
 * Replaces a key in text that arrives in pieces. An endpoint may repeat the key that it got, in an error message for
 * example, and nothing that we log or show may hold it.
 */
export class KeyMask {
  readonly #key: string;
  readonly #mask: string;
  /** The end of the last piece, which may be the beginning of the key. */
  #held = '';

  /** '' masks nothing. */
  constructor(key: string, mask = MASK) {
    this.#key = key;
    this.#mask = mask;
  }

  /** Returns the next piece without keys, as far as it is certain. */
  push(piece: string): string {
    if (this.#key === '') return piece;
    const text = (this.#held + piece).replaceAll(this.#key, this.#mask);
    let held = Math.min(this.#key.length - 1, text.length);
    while (held > 0 && !this.#key.startsWith(text.slice(text.length - held))) held--;
    this.#held = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** Returns what was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }

  /** Returns a whole text without keys. */
  whole(text: string): string {
    return this.#key === '' ? text : text.replaceAll(this.#key, this.#mask);
  }
}
