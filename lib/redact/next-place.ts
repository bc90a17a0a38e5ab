/**
 * Where a pattern stands next in a text, asked for at places that mostly go forward: however often that is, what lies before the answer is
 * gone through once.
 */
export class NextPlace {
  readonly #text: string;
  readonly #pattern: RegExp;
  #from = 0;
  #next = -1;

  /** `pattern`: of one character, global. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The text's length if it stands nowhere from there on. */
  from(at: number): number {
    if (at >= this.#from && at <= this.#next) return this.#next;
    this.#pattern.lastIndex = at;
    this.#next = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    this.#from = at;
    return this.#next;
  }
}
