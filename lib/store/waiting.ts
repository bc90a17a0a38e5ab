/** Requests under one id, oldest first. Taking the oldest is O(1), however many there are. */
class Queue {
  readonly #seqs: number[] = [];
  #from = 0;

  get size(): number {
    return this.#seqs.length - this.#from;
  }

  /** The oldest one, which stays. */
  get first(): number | undefined {
    return this.#seqs[this.#from];
  }

  add(seq: number): void {
    this.#seqs.push(seq);
  }

  take(): number | undefined {
    return this.#from < this.#seqs.length ? this.#seqs[this.#from++] : undefined;
  }
}

/**
 * The requests with one direction and id that may still get an answer. Usually there is one; a peer that uses an id again and
 * again must not make us look through all of them.
 */
export class Waiting {
  readonly #pending = new Queue();
  /** Called off, timed out or lost: an answer may still come. */
  readonly #ended = new Queue();

  get isEmpty(): boolean {
    return this.#pending.size + this.#ended.size === 0;
  }

  /** The oldest pending one. */
  get pending(): number | undefined {
    return this.#pending.first;
  }

  /** The one that {@link answer} would take. */
  get first(): number | undefined {
    return this.#pending.first ?? this.#ended.first;
  }

  add(seq: number): void {
    this.#pending.add(seq);
  }

  /** The oldest pending one is given up; returns its seq. */
  end(): number | undefined {
    const seq = this.#pending.take();
    if (seq !== undefined) this.#ended.add(seq);
    return seq;
  }

  /** An answer came: for the oldest pending one, else for the oldest that was given up. */
  answer(): number | undefined {
    return this.#pending.take() ?? this.#ended.take();
  }
}
