import { NextPlace } from './next-place';
import { WORDS_CHARS } from './value-words';

/**
 * The values of cookies in a text, which go to the ends of their lines: names of cookies may stand close together, and a line is gone through once
 * for all of them.
 */
export class CookieLines {
  readonly #ends: NextPlace;
  readonly #digits: NextPlace;
  readonly #spaces: NextPlace;

  constructor(text: string) {
    this.#ends = new NextPlace(text, /[\r\n"'\\]/g);
    this.#digits = new NextPlace(text, /\d/g);
    this.#spaces = new NextPlace(text, /\s/g);
  }

  /** Where the line that goes on at a place ends, at most so many characters behind it. */
  endOf(from: number, most: number): number {
    return Math.min(this.#ends.from(from), from + most);
  }

  /** True for a stretch of more than a word that has words in it, and nothing that a secret has: it is no value (`isTelling`). */
  areWords(from: number, to: number): boolean {
    return to - from >= WORDS_CHARS && this.#spaces.from(from) < to && this.#digits.from(from) >= to;
  }
}
