import type { Problem } from '@/lib/problems/problem';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import type { Unchecked } from '@/lib/problems/unchecked';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';

/** The problems of a recording, as far as its frames could be looked at. */
export interface BoundedProblems {
  readonly problems: readonly Problem[];
  /** seq of the first frame that was not looked at, if there is one. */
  readonly stoppedAt?: number;
}

/** Looks at frames with every rule, in portions, each within what it is given for that; from where this was stopped, no further. */
export class BoundedFinder {
  readonly #within: (rules: () => void) => boolean;
  readonly #finder = new ProblemFinder();
  #portion: Frame[] = [];
  #bytes = 0;
  #stoppedAt: number | undefined;

  /** `within` runs rules on a portion, and returns false if it stopped them. */
  constructor(within: (rules: () => void) => boolean = unbounded) {
    this.#within = within;
  }

  /** Holds these results against no schema, of those that are still to come. */
  leave(unchecked: Unchecked): void {
    this.#finder.leave(unchecked);
  }

  /** The next frame. */
  add(frame: Frame): void {
    if (this.#stoppedAt !== undefined) return;
    this.#portion.push(frame);
    this.#bytes += frame.bytes.length;
    if (this.#portion.length >= LIMITS.rulesFrames || this.#bytes >= LIMITS.rulesBytes) this.#look();
  }

  /** There are no more frames. */
  end(): BoundedProblems {
    this.#look();
    return { problems: this.#finder.problems, ...(this.#stoppedAt !== undefined && { stoppedAt: this.#stoppedAt }) };
  }

  #look(): void {
    const portion = this.#portion;
    this.#portion = [];
    this.#bytes = 0;
    if (portion.length === 0) return;
    const whole = this.#within(() => {
      for (const frame of portion) this.#finder.add(frame);
    });
    // Rules that were stopped in the middle of a frame had not looked at all of it.
    if (!whole) this.#stoppedAt = this.#finder.seq;
  }
}

function unbounded(rules: () => void): true {
  rules();
  return true;
}
