/** Strings told once and then meant by number, so that a column can hold them. 0 is undefined. */
export class StringPool {
  readonly #numbers = new Map<string, number>();
  readonly #strings: (string | undefined)[] = [undefined];

  number(text: string | undefined): number {
    if (text === undefined) return 0;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#strings.length);
    return this.#strings.push(text) - 1;
  }

  /** The number of a string if it was told before. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string | undefined {
    return this.#strings[number];
  }
}
