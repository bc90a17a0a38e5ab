/** Ids for our requests: integers from 1 up, without those that are in use. */
export class RequestIds {
  /** Integers given out by somebody else, as ids or progress tokens. */
  readonly #taken = new Set<number>();
  #next = 1;

  next(): number {
    while (this.#taken.has(this.#next)) this.#next++;
    return this.#next++;
  }

  /** None of ours is this integer from now on. */
  take(integer: number): void {
    this.#taken.add(integer);
  }
}
