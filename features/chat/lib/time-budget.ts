import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { untilAborted } from '@/lib/wire/until-aborted';

/** Counts the time in which something other than a person is busy, and says once when it is used up. */
export class TimeBudget {
  readonly #clock: Clock;
  readonly #onUsedUp: () => void;
  #leftMs: number;
  #busy = 0;
  #since = 0;
  #cancel = () => {};

  constructor(clock: Clock, seconds: number, onUsedUp: () => void) {
    this.#clock = clock;
    this.#leftMs = seconds * 1000;
    this.#onUsedUp = onUsedUp;
  }

  /** Milliseconds. */
  get left(): number {
    return this.#busy === 0 ? this.#leftMs : this.#leftMs - (this.#clock.now() - this.#since);
  }

  /** Counts until the returned function is called for the first time. */
  begin(): () => void {
    if (this.#busy++ === 0) {
      this.#since = this.#clock.now();
      this.#cancel = this.#clock.after(Math.min(this.#leftMs, LIMITS.timerMs), this.#onUsedUp);
    }
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = this.left;
      if (--this.#busy > 0) return;
      this.#leftMs = left;
      this.#cancel();
    };
  }
}

/** A signal for many things that run side by side: Node warns of a leak when one signal has more than ten listeners. */
export class Stopping {
  readonly #own = new AbortController();
  readonly #children = new Set<AbortController>();

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  stop(reason: unknown): void {
    if (this.signal.aborted) return;
    this.#own.abort(reason);
    for (const child of this.#children) child.abort(reason);
  }

  /** Runs `work` with a signal of its own, which stops with the others. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const child = new AbortController();
    this.#children.add(child);
    try {
      return await work(child.signal);
    } finally {
      this.#children.delete(child);
    }
  }
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export async function pauseOrAbort(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel = () => {};
  try {
    await untilAborted(
      new Promise<void>((resolve) => {
        cancel = clock.after(Math.min(ms, LIMITS.timerMs), resolve);
      }),
      signal,
    );
  } finally {
    cancel();
  }
}
