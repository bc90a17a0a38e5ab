import { LIMITS } from '@/lib/wire/limits';

/** Frames that go together: `from` … `to`. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/** Frames whose bytes left the page and are wanted back. Knows what was asked for in vain, so that nobody asks for ever. */
export class WantedFrames {
  /** Called when there is something to ask for; set by who can. */
  onWanted: () => void = () => {};
  readonly #wanted = new Set<number>();
  readonly #gone = new Set<number>();

  /** Wants the bytes of frame `seq`, unless they are known not to be had. */
  want(seq: number): void {
    if (this.#wanted.has(seq) || this.#gone.has(seq)) return;
    this.#wanted.add(seq);
    this.onWanted();
  }

  isGone(seq: number): boolean {
    return this.#gone.has(seq);
  }

  /** What to ask for next: the oldest wanted frame and those right after it, within `LIMITS.againFrames` and `againBytes`. */
  next(lengthOf: (seq: number) => number): FrameRange | undefined {
    if (this.#wanted.size === 0) return undefined;
    let from = Number.POSITIVE_INFINITY;
    for (const seq of this.#wanted) from = Math.min(from, seq);
    let to = from;
    for (let bytes = lengthOf(from); this.#wanted.has(to + 1) && to - from + 1 < LIMITS.againFrames; to++) {
      bytes += lengthOf(to + 1);
      if (bytes > LIMITS.againBytes) break;
    }
    return { from, to };
  }

  /** These were asked for: they are here, or are not to be had. */
  answered({ from, to }: FrameRange, came: boolean): void {
    for (let seq = from; seq <= to; seq++) {
      this.#wanted.delete(seq);
      if (!came) this.#gone.add(seq);
    }
  }

  /** There is another link: what one did not have the next one may. True if anything was given up. */
  tryAgain(): boolean {
    const any = this.#gone.size > 0;
    this.#gone.clear();
    return any;
  }
}
