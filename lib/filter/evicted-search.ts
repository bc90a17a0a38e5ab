import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';

/** Frames wanted at a time: those asked for next are known when the ones before have come. */
const AHEAD = 4 * LIMITS.againFrames;

/**
 * Brings the frames back, a portion after the other, that left a log before words were looked for in them: each is judged once it is
 * here, and may leave again.
 */
export class EvictedSearch {
  readonly #log: Log;
  #next = 1;
  #gone = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** How many frames words were not looked for in yet, or can't be, since they are not to be had. */
  get remaining(): number {
    return Math.max(0, this.#log.evictedUpTo - this.#next + 1) + this.#gone;
  }

  /** Goes on until the returned function is called. `came` hears of each portion. */
  start(came: () => void): () => void {
    const stop = this.#log.subscribe(() => this.#step(came));
    this.#step(came);
    return stop;
  }

  #step(came: () => void): void {
    const log = this.#log;
    const before = this.#next;
    // What is still to come is shown first.
    if (log.last > log.size) return;
    for (; this.#next <= log.evictedUpTo; this.#next++) {
      if (log.hasBytes(this.#next)) continue;
      if (!log.wanted.isUnavailable(this.#next)) break;
      this.#gone++;
    }
    if (this.#next > before) came();
    let bytes = 0;
    for (let seq = this.#next; seq <= log.evictedUpTo && seq < this.#next + AHEAD; seq++) {
      if (log.hasBytes(seq)) continue;
      bytes += log.columns.bytes.length(seq - 1);
      if (bytes > LIMITS.againBytes && seq > this.#next) return;
      log.wanted.want(seq);
    }
  }
}
