import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';

/** Frames requested ahead, so that the next request is known before the current one is answered. */
const AHEAD = 4 * LIMITS.againFrames;

/**
 * Loads evicted frames again, a portion at a time, so that a text filter can search them. They may be evicted again
 * afterwards.
 */
export class EvictedSearch {
  readonly #log: Log;
  #next = 1;
  #unavailable = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Number of frames that are not searched yet. */
  get remaining(): number {
    return Math.max(0, this.#log.evictedUpTo - this.#next + 1);
  }

  /** Number of frames that can't be searched, because nobody has their text any more. */
  get unavailable(): number {
    return this.#unavailable;
  }

  /** Runs until the returned function is called. Calls `onLoaded` after each portion. */
  start(onLoaded: () => void): () => void {
    const stop = this.#log.subscribe(() => this.#step(onLoaded));
    this.#step(onLoaded);
    return stop;
  }

  #step(onLoaded: () => void): void {
    const log = this.#log;
    const before = this.#next;
    // New frames have priority.
    if (log.last > log.size) return;
    for (; this.#next <= log.evictedUpTo; this.#next++) {
      if (log.hasBytes(this.#next)) continue;
      if (!log.wanted.isUnavailable(this.#next)) break;
      this.#unavailable++;
    }
    if (this.#next > before) onLoaded();
    let bytes = 0;
    for (let seq = this.#next; seq <= log.evictedUpTo && seq < this.#next + AHEAD; seq++) {
      if (log.hasBytes(seq)) continue;
      bytes += log.columns.bytes.length(seq - 1);
      if (bytes > LIMITS.againBytes && seq > this.#next) return;
      log.wanted.want(seq);
    }
  }
}
