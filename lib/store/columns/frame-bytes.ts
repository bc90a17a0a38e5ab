import { type NumberColumn, uint32 } from '@/lib/json/typed-arrays';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { SparseColumn } from './collections';

/** Most bytes of reloaded frames kept in memory. The least recently used are dropped. */
export const PAGE_AGAIN_BYTES = 32 * 1024 * 1024;

/** Memory limits in bytes: for batches as they arrived, and for evicted frames that were loaded again. */
export interface BytesBudget {
  readonly held: number;
  readonly again: number;
}

const EMPTY = new Uint8Array();

/**
 * The bytes of all frames, as offsets into the batches they arrived in, without an object per frame. Beyond the budget
 * the oldest batches are evicted; single frames can be loaded again. Some frames arrive as a skim only, the part that
 * their row needs, and count as evicted from the start.
 */
export class FrameBytes {
  readonly #budget: BytesBudget;
  readonly #buffers: (ArrayBufferLike | undefined)[] = [];
  /** The index of the first frame of each buffer. */
  readonly #firsts: number[] = [];
  readonly #buffer: NumberColumn = uint32();
  readonly #offset: NumberColumn = uint32();
  readonly #length: NumberColumn = uint32();
  /** Length of each skim. */
  readonly #skims = new SparseColumn();
  #skimmedBefore = 0;
  #size = 0;
  #held = 0;
  /** Index of the oldest buffer in memory. */
  #oldest = 0;
  /** Copies of the frames in evicted buffers that are always needed. */
  readonly #kept = new Map<number, Uint8Array>();
  /** Frames that were loaded again, least recently used first. */
  readonly #reloaded = new Map<number, Uint8Array>();
  #reloadedBytes = 0;

  constructor(budget: BytesBudget = { held: LIMITS.pageLogBytes, again: PAGE_AGAIN_BYTES }) {
    this.#budget = budget;
  }

  /** Adds a frame. `skimOf` is the full length if `bytes` is a skim. */
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

  /** Frames before this index may be evicted; 0 if none are. */
  get evictedBefore(): number {
    return Math.max(this.#skimmedBefore, this.#firsts[this.#oldest] ?? 0);
  }

  /** True if {@link get} returns the frame. */
  has(index: number): boolean {
    return this.#isHeld(index) || this.#length.get(index) === 0 || this.#kept.has(index) || this.#reloaded.has(index);
  }

  /** Returns the skim of a frame that is not in memory, if there is one. */
  skim(index: number): Uint8Array | undefined {
    const length = this.#skims.get(index);
    const buffer = length === 0 ? undefined : this.#buffers[this.#buffer.get(index)];
    return buffer && new Uint8Array(buffer, this.#offset.get(index), length);
  }

  /** Returns a view of the first `limit` bytes. Empty for evicted frames; check {@link has}. */
  get(index: number, limit = Number.POSITIVE_INFINITY): Uint8Array {
    if (!this.#isHeld(index)) return (this.#kept.get(index) ?? this.#getReloaded(index) ?? EMPTY).subarray(0, limit);
    const length = Math.min(this.#length.get(index), limit);
    return new Uint8Array(this.#buffers[this.#buffer.get(index)]!, this.#offset.get(index), length);
  }

  /** True if the frame's original buffer is in memory. */
  #isHeld(index: number): boolean {
    return this.#buffers[this.#buffer.get(index)] !== undefined && this.#skims.get(index) === 0;
  }

  /**
   * Evicts the oldest batches until the budget is met. Keeps the newest batch, and frames for which `isNeeded` returns
   * true.
   */
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

  /** Adds a frame that was loaded again. The least recently used ones are dropped beyond the budget. */
  restore(index: number, bytes: Uint8Array): void {
    if (this.has(index) || bytes.length !== this.#length.get(index)) return;
    this.#reloaded.set(index, bytes.slice());
    this.#reloadedBytes += bytes.length;
    for (const [oldest, dropped] of this.#reloaded) {
      if (this.#reloadedBytes <= this.#budget.again || oldest === index) break;
      this.#reloaded.delete(oldest);
      this.#reloadedBytes -= dropped.length;
    }
  }

  /** Returns a reloaded frame and marks it as recently used. */
  #getReloaded(index: number): Uint8Array | undefined {
    const bytes = this.#reloaded.get(index);
    if (bytes) {
      this.#reloaded.delete(index);
      this.#reloaded.set(index, bytes);
    }
    return bytes;
  }
}

/** Frames `from` to `to`, both included. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/** Evicted frames to load again. Remembers unavailable ones, so that they are not requested forever. */
export class WantedFrames {
  /** Called when there is something to request. The owner of the connection sets it. */
  onWanted: () => void = () => {};
  readonly #wanted = new Set<number>();
  readonly #unavailable = new Set<number>();

  /** Queues frame `seq`, unless it is known to be unavailable. */
  want(seq: number): void {
    if (this.#wanted.has(seq) || this.#unavailable.has(seq)) return;
    this.#wanted.add(seq);
    this.onWanted();
  }

  isUnavailable(seq: number): boolean {
    return this.#unavailable.has(seq);
  }

  /**
   * Returns the next range to request: the oldest queued frame and its queued neighbours, within `LIMITS.againFrames`
   * and `againBytes`. The bounds keep a large request from delaying others.
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

  /** Records the reply to a request: the frames arrived, or are unavailable. */
  settleRange({ from, to }: FrameRange, came: boolean): void {
    for (let seq = from; seq <= to; seq++) {
      this.#wanted.delete(seq);
      if (!came) this.#unavailable.add(seq);
    }
  }

  /**
   * Forgets which frames were unavailable, since a new connection to mcp-inspect may have them. Returns true if there
   * were any.
   */
  tryAgain(): boolean {
    const any = this.#unavailable.size > 0;
    this.#unavailable.clear();
    return any;
  }
}

/**
 * Copies frames into one new buffer for postMessage. Their own buffers hold other frames too, and one buffer per frame
 * is slower.
 */
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
