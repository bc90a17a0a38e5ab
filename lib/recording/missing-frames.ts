import type { MissingFacts } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { bytesOfEvent } from './lifecycle-event';

/** Frames of ours in the place of those that a recording has not: of each place the first says what is known of it. */
export class MissingFrames {
  #left: number = LIMITS.missingFrames;
  /** Of the lines since the newest frame: those that are damaged, and frames of a kind that is not known; and the first of each. */
  #damaged = NO_LINES;
  #unknown = NO_LINES;

  /** Takes in that a line can't be read. */
  damaged(line: number): void {
    this.#damaged = oneMore(this.#damaged, line);
  }

  /** Takes in that a line is a frame of a kind that is not known. */
  unknown(line: number): void {
    this.#unknown = oneMore(this.#unknown, line);
  }

  /**
   * The bytes of the frames in the place of `count` that are missing right behind the lines that were taken in; those are done with. It is one
   * for all of them where there would be more than `LIMITS.missingFrames` in all.
   */
  fill(count: number): readonly Uint8Array[] {
    const isDamaged = this.#damaged.lines > 0;
    const lines = isDamaged ? this.#damaged : this.#unknown;
    [this.#damaged, this.#unknown] = [NO_LINES, NO_LINES];
    if (count <= 0) return NONE;
    const isFolded = count > 1 && count > this.#left;
    if (!isFolded) this.#left = Math.max(0, this.#left - count);
    const facts: MissingFacts = {
      frames: count,
      ...(lines.lines > 0 && { ...lines, ...(!isDamaged && { unknown: true }) }),
      ...(isFolded && { folded: true }),
    };
    const first = bytesOfEvent({ event: 'missing', ...facts });
    return isFolded ? [first] : [first, ...new Array<Uint8Array>(count - 1).fill(ONE_MORE)];
  }
}

interface Lines {
  readonly lines: number;
  readonly line: number;
}

const NONE: readonly Uint8Array[] = [];
const NO_LINES: Lines = { lines: 0, line: 0 };
const ONE_MORE = bytesOfEvent({ event: 'missing' });

function oneMore({ lines, line: first }: Lines, line: number): Lines {
  return { lines: lines + 1, line: lines === 0 ? line : first };
}
