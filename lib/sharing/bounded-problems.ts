import type { Problem } from '@/lib/problems/problem';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import type { SkippedChecks } from '@/lib/problems/protocol-state';
import { messageLength } from '@/lib/wire/cut-message';
import type { Frame } from '@/lib/wire/frame';

/** The problems of a recording, as far as its frames were checked. */
interface BoundedProblems {
  readonly problems: readonly Problem[];
  /** Ids of the problems of each frame with any, by seq. */
  readonly marks: ReadonlyMap<number, ReadonlySet<number>>;
  /** seq of the first frame that was not checked, if any. */
  readonly stoppedAt?: number;
}

/** Most frames and bytes checked in one portion. A portion may be stopped while it is checked. */
const RULES_FRAMES = 256;
const RULES_BYTES = 1024 * 1024;

/** Checks frames with every rule, in portions that may be stopped. Checks nothing after a stop. */
export class BoundedProblemFinder {
  readonly #within: (rules: () => void) => boolean;
  readonly #finder = new ProblemFinder();
  #portion: Frame[] = [];
  #bytes = 0;
  #stoppedAt: number | undefined;

  /** `within` runs rules on a portion. It returns false if it stopped them. */
  constructor(within: (rules: () => void) => boolean = unbounded) {
    this.#within = within;
  }

  /** Skips the schema checks of these results. Call it before adding them. */
  skipSchemaChecks(unchecked: SkippedChecks): void {
    this.#finder.skipChecks(unchecked);
  }

  /** Adds the next frame. */
  addFrame(frame: Frame): void {
    if (this.#stoppedAt !== undefined) return;
    this.#portion.push(frame);
    this.#bytes += messageLength(frame);
    if (this.#portion.length >= RULES_FRAMES || this.#bytes >= RULES_BYTES) this.#look();
  }

  /** Finishes checking. */
  end(): BoundedProblems {
    this.#look();
    const marks = new Map<number, Set<number>>();
    const pairs = this.#finder.takeMarks();
    for (let at = 0; at < pairs.length; at += 2) {
      const ids = marks.get(pairs[at]!) ?? new Set();
      marks.set(pairs[at]!, ids.add(pairs[at + 1]!));
    }
    const { problems } = this.#finder;
    return { problems, marks, ...(this.#stoppedAt !== undefined && { stoppedAt: this.#stoppedAt }) };
  }

  #look(): void {
    const portion = this.#portion;
    this.#portion = [];
    this.#bytes = 0;
    if (portion.length === 0) return;
    const whole = this.#within(() => {
      for (const frame of portion) this.#finder.addFrame(frame);
    });
    // Rules stopped in the middle of a frame did not check all of it.
    if (!whole) this.#stoppedAt = this.#finder.seq;
  }
}

function unbounded(rules: () => void): true {
  rules();
  return true;
}
