import { LIMITS } from '@/lib/wire/limits';
import type { EarlyPlace } from '@/lib/wire/recording-facts';
import type { RecordingEnd } from './format';

/**
 * Collects what the end lines of a recording say about secrets. Earlier ones count too: notes are followed by a new end
 * line, whose writer does not know what the recorder knew.
 */
export class EndFacts {
  readonly #early: EarlyPlace[] = [];
  #forgotten = 0;

  addEnd({ forgotten = 0, early = [] }: Pick<RecordingEnd, 'forgotten' | 'early'>): void {
    // Each end line has the number of its own redactor, so the largest number counts.
    this.#forgotten = Math.max(this.#forgotten, forgotten);
    if (this.#early.length < LIMITS.earlyPlaces) this.#early.push(...early);
  }

  /** Returns the facts as a report has them. */
  found(): Pick<RecordingEnd, 'forgotten' | 'early'> {
    return {
      ...(this.#forgotten > 0 && { forgotten: this.#forgotten }),
      ...(this.#early.length > 0 && { early: [...this.#early] }),
    };
  }
}
