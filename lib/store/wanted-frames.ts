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

  /**
   * What to ask for next: the frame that was wanted first and those around it, within `LIMITS.againFrames` and `againBytes`. So nobody
   * who wants many keeps others waiting for long.
   */
  next(lengthOf: (seq: number) => number): FrameRange | undefined {
    const [first] = this.#wanted;
    if (first === undefined) return undefined;
    let [from, to, bytes] = [first, first, lengthOf(first)];
    const takes = (seq: number): boolean => {
      if (!this.#wanted.has(seq) || to - from + 1 === LIMITS.againFrames) return false;
      bytes += lengthOf(seq);
      return bytes <= LIMITS.againBytes;
    };
    while (takes(from - 1)) from--;
    while (takes(to + 1)) to++;
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
