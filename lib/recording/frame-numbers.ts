import { encodeEvent, lifecycleEventOf } from './lifecycle-event';

/**
 * Maps between seqs in a log and frame numbers in its file. They differ where lines are missing or unreadable. Notes
 * refer to file numbers.
 */
export class FrameNumbers {
  /** From seq `#from[i]` on, a frame's number is its seq plus `#more[i]`. */
  readonly #from: number[] = [];
  readonly #more: number[] = [];
  #last = 0;

  /** Adds the next frame. Its number is greater than the one before. */
  addFrame(seq: number, number: number): void {
    this.#last = seq;
    const more = number - seq;
    if (more === (this.#more.at(-1) ?? 0)) return;
    this.#from.push(seq);
    this.#more.push(more);
  }

  /** Returns the file number of a frame; undefined for a frame without a line. */
  numberOf(seq: number): number | undefined {
    if (seq < 1 || seq > this.#last) return undefined;
    return seq + (this.#more[this.#place((place) => this.#from[place]! <= seq)] ?? 0);
  }

  /** Returns the frame with this file number; undefined if the log does not have it. */
  seqOf(number: number): number | undefined {
    const place = this.#place((at) => this.#from[at]! + this.#more[at]! <= number);
    const seq = number - (this.#more[place] ?? 0);
    return this.numberOf(seq) === number ? seq : undefined;
  }

  /**
   * Returns the last place for which `holds` is true, or -1. `holds` must be true up to some place and false after it.
   */
  #place(holds: (place: number) => boolean): number {
    let low = 0;
    let high = this.#from.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/**
 * Returns a lifecycle frame's bytes with a note's target renumbered by `to`; undefined if the note has no target left.
 * Other bytes are returned unchanged.
 */
export function renumberedNote(bytes: Uint8Array, to: (on: number) => number | undefined): Uint8Array | undefined {
  const event = lifecycleEventOf(bytes);
  if (event?.event !== 'note') return bytes;
  const on = to(event.on);
  if (on === undefined) return undefined;
  return on === event.on ? bytes : encodeEvent({ ...event, on });
}
