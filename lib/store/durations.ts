/** Buckets for each doubling: what is said is within 1.1 % of what was measured. */
const BUCKETS_PER_OCTAVE = 32;

/** How long requests took, in microseconds: shares of them in constant memory, whatever their number. */
export class Durations {
  readonly #buckets = new Map<number, number>();
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = 0;

  add(us: number): void {
    const bucket = Math.round(Math.log2(Math.max(us, 1)) * BUCKETS_PER_OCTAVE);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count++;
    this.#least = Math.min(this.#least, us);
    this.#most = Math.max(this.#most, us);
  }

  /** The duration that `share` of them (0.5 is half) did not exceed; undefined while there is none. */
  quantile(share: number): number | undefined {
    if (this.#count === 0) return undefined;
    if (share >= 1) return this.#most;
    let left = Math.max(1, Math.ceil(share * this.#count));
    for (const bucket of [...this.#buckets.keys()].sort((a, b) => a - b)) {
      left -= this.#buckets.get(bucket)!;
      if (left <= 0) return Math.min(this.#most, Math.max(this.#least, 2 ** (bucket / BUCKETS_PER_OCTAVE)));
    }
    return this.#most;
  }
}
