import { lifecycleEventOf } from './lifecycle-event';

/**
 * Which number in a file a frame of the log that it fills has: the same, unless lines are missing or can't be read. Notes name
 * the numbers of the file.
 */
export class FrameNumbers {
  /** From each of these frames on, numbers are so much greater than seqs. */
  readonly #from: number[] = [];
  readonly #more: number[] = [];
  #last = 0;

  /** The next frame, whose number is greater than the one before. */
  addFrame(seq: number, number: number): void {
    this.#last = seq;
    const more = number - seq;
    if (more === (this.#more.at(-1) ?? 0)) return;
    this.#from.push(seq);
    this.#more.push(more);
  }

  /** The number of a frame of the file; undefined for one that has none, since no line is about it. */
  numberOf(seq: number): number | undefined {
    if (seq < 1 || seq > this.#last) return undefined;
    return seq + (this.#more[this.#place((place) => this.#from[place]! <= seq)] ?? 0);
  }

  /** The frame with this number; undefined if it is not in the log. */
  seqOf(number: number): number | undefined {
    const place = this.#place((at) => this.#from[at]! + this.#more[at]! <= number);
    const seq = number - (this.#more[place] ?? 0);
    return this.numberOf(seq) === number ? seq : undefined;
  }

  /** The last place for which `holds`, or -1: it holds up to some place. */
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
 * The bytes of a lifecycle frame where frames have other numbers: a note is on the frame that `to` gives, and undefined if it is on
 * none. All others are the same object.
 */
export function renumberedNote(bytes: Uint8Array, to: (on: number) => number | undefined): Uint8Array | undefined {
  const event = lifecycleEventOf(bytes);
  if (event?.event !== 'note') return bytes;
  const on = to(event.on);
  if (on === undefined) return undefined;
  return on === event.on ? bytes : new TextEncoder().encode(JSON.stringify({ ...event, on }));
}
