import { type Column, uint32 } from '@/lib/json/typed-arrays';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { SparseColumn } from './collections';

/** Bytes of frames that came back; those looked at last stay. */
export const PAGE_AGAIN_BYTES = 32 * 1024 * 1024;

/** How many bytes are held: of all that came, and of those that left and came back. */
export interface BytesBudget {
  readonly held: number;
  readonly again: number;
}

const EMPTY = new Uint8Array();

/**
 * The bytes of all frames, as offsets into the batches they arrived in: no object is kept per frame, and a batch's buffer
 * is held once however many frames lie in it. Beyond a budget the oldest batches leave; frames of them may come back. Of some
 * frames only a skim came: they have left from the beginning.
 */
export class FrameBytes {
  readonly #budget: BytesBudget;
  readonly #buffers: (ArrayBufferLike | undefined)[] = [];
  /** By buffer: the index of its first frame. */
  readonly #firsts: number[] = [];
  readonly #buffer: Column = uint32();
  readonly #offset: Column = uint32();
  readonly #length: Column = uint32();
  /** Of a frame of which a skim came: how long that is. */
  readonly #skims = new SparseColumn();
  #skimmedBefore = 0;
  #size = 0;
  #held = 0;
  /** The oldest buffer that is held. */
  #oldest = 0;
  /** Frames of buffers that left which are always needed. */
  readonly #kept = new Map<number, Uint8Array>();
  /** Frames that came back, those looked at last at the end. */
  readonly #again = new Map<number, Uint8Array>();
  #againBytes = 0;

  constructor(budget: BytesBudget = { held: LIMITS.pageLogBytes, again: PAGE_AGAIN_BYTES }) {
    this.#budget = budget;
  }

  /** `skimOf`: they are a skim of so many bytes. */
  addFrame(bytes: Uint8Array, skimOf?: number): void {
    if (this.#buffers.at(-1) !== bytes.buffer) {
      this.#buffers.push(bytes.buffer);
      this.#firsts.push(this.#size);
      this.#held += bytes.buffer.byteLength;
    }
    this.#buffer.push(this.#buffers.length - 1);
    this.#offset.push(bytes.byteOffset);
    this.#length.push(skimOf ?? bytes.length);
    if (skimOf !== undefined) {
      this.#skims.set(this.#size, bytes.length);
      this.#skimmedBefore = this.#size + 1;
    }
    this.#size++;
  }

  length(index: number): number {
    return this.#length.get(index);
  }

  /** Frames before this index may have left; 0 while all are held. */
  get evictedBefore(): number {
    return Math.max(this.#skimmedBefore, this.#firsts[this.#oldest] ?? 0);
  }

  /** Whether {@link get} has them. */
  has(index: number): boolean {
    return this.#isHeld(index) || this.#length.get(index) === 0 || this.#kept.has(index) || this.#again.has(index);
  }

  /** What there is in the place of a frame that is not here: its skim; undefined if none came, or it left. */
  skim(index: number): Uint8Array | undefined {
    const length = this.#skims.get(index);
    const buffer = length === 0 ? undefined : this.#buffers[this.#buffer.get(index)];
    return buffer && new Uint8Array(buffer, this.#offset.get(index), length);
  }

  /** The first `limit` bytes, or all: a view, not a copy. Nothing for those that left: ask {@link has}. */
  get(index: number, limit = Number.POSITIVE_INFINITY): Uint8Array {
    if (!this.#isHeld(index)) return (this.#kept.get(index) ?? this.#cameBack(index) ?? EMPTY).subarray(0, limit);
    const length = Math.min(this.#length.get(index), limit);
    return new Uint8Array(this.#buffers[this.#buffer.get(index)]!, this.#offset.get(index), length);
  }

  /** Whether it is where it came. */
  #isHeld(index: number): boolean {
    return this.#buffers[this.#buffer.get(index)] !== undefined && this.#skims.get(index) === 0;
  }

  /** Lets the oldest batches go until the budget is kept, but for frames that `isNeeded`. The newest batch always stays. */
  evict(isNeeded: (index: number) => boolean): void {
    while (this.#held > this.#budget.held && this.#oldest < this.#buffers.length - 1) {
      const next = this.#firsts[this.#oldest + 1]!;
      for (let index = this.#firsts[this.#oldest]!; index < next; index++) {
        if (this.#isHeld(index) && isNeeded(index)) this.#kept.set(index, this.get(index).slice());
      }
      this.#held -= this.#buffers[this.#oldest]!.byteLength;
      this.#buffers[this.#oldest++] = undefined;
    }
  }

  /** Takes a frame that came back; it stays while it is looked at, within the budget. Those that are here are left alone. */
  restore(index: number, bytes: Uint8Array): void {
    if (this.has(index) || bytes.length !== this.#length.get(index)) return;
    this.#again.set(index, bytes.slice());
    this.#againBytes += bytes.length;
    for (const [oldest, dropped] of this.#again) {
      if (this.#againBytes <= this.#budget.again || oldest === index) break;
      this.#again.delete(oldest);
      this.#againBytes -= dropped.length;
    }
  }

  /** It was looked at. */
  #cameBack(index: number): Uint8Array | undefined {
    const bytes = this.#again.get(index);
    if (bytes) {
      this.#again.delete(index);
      this.#again.set(index, bytes);
    }
    return bytes;
  }
}

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

  isUnavailable(seq: number): boolean {
    return this.#gone.has(seq);
  }

  /**
   * What to ask for next: the frame that was wanted first and those around it, within `LIMITS.againFrames` and `againBytes`. So nobody
   * who wants many keeps others waiting for long.
   */
  nextRange(lengthOf: (seq: number) => number): FrameRange | undefined {
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
  settleRange({ from, to }: FrameRange, came: boolean): void {
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

/** The frames on a buffer of their own: theirs holds others too, and all of it would be sent; a buffer each costs more to send. */
export function copiedFrames(frames: readonly Frame[]): (Frame & { readonly bytes: Uint8Array<ArrayBuffer> })[] {
  const all = new Uint8Array(frames.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  return frames.map((frame) => {
    const bytes = all.subarray(at, at + frame.bytes.length);
    bytes.set(frame.bytes);
    at += frame.bytes.length;
    return { ...frame, bytes };
  });
}
