import type { Frame } from '@/lib/wire/frame';
import { SparseColumn } from '../columns/collections';

/** Equal notifications are one row if they arrive within this time of the first, in µs. */
const WITHIN_US = 1_000_000;
/** Most different notifications that a new one is compared with, so that a frame costs O(1). */
const MOST_COMPARED = 8;
/** Longer notifications are not compared, in bytes. */
const MOST_BYTES = 4096;

/** Frames that are one row, that of the first: equal notifications, or the lines of a printed object. */
export interface Fold {
  /** seqs, at least two. */
  readonly lines: readonly number[];
}

/** A notification that equal ones may follow. */
interface Open {
  readonly frame: Frame;
  readonly lines: number[];
}

/**
 * Finds equal notifications: the same bytes in the same direction within a second, with no request or response between
 * them, so that each call keeps what happened during it.
 */
export class Repeats {
  /** The newest last. */
  #open: Open[] = [];
  /** seq of the first notification of each that has equals. */
  readonly #firsts = new SparseColumn();
  readonly #folds = new Map<number, Fold>();
  #folded = 0;

  /** Number of notifications that are in the row of an earlier one. */
  get folded(): number {
    return this.#folded;
  }

  /** Adds a notification. Returns true if it equals an earlier one. */
  add(frame: Frame): boolean {
    if (frame.bytes.length > MOST_BYTES) return false;
    this.#open = this.#open.filter(({ frame: { time } }) => frame.time - time <= WITHIN_US);
    const same = this.#open.find((open) => areEqual(open.frame, frame));
    if (!same) {
      this.#open.push({ frame, lines: [frame.seq] });
      if (this.#open.length > MOST_COMPARED) this.#open.shift();
      return false;
    }
    const first = same.frame.seq;
    if (same.lines.push(frame.seq) === 2) {
      this.#folds.set(first, same);
      this.#firsts.set(first - 1, first);
    }
    this.#firsts.set(frame.seq - 1, first);
    this.#folded++;
    return true;
  }

  /** Ends all folds, because another message or event came between. */
  end(): void {
    if (this.#open.length > 0) this.#open = [];
  }

  /** Returns the fold that contains this frame. */
  of(seq: number): Fold | undefined {
    return this.#folds.get(this.#firsts.get(seq - 1));
  }
}

function areEqual(a: Frame, b: Frame): boolean {
  if (a.bytes.length !== b.bytes.length || a.skimOf !== b.skimOf || a.direction !== b.direction) return false;
  // Counters and times are near the end.
  for (let at = a.bytes.length - 1; at >= 0; at--) if (a.bytes[at] !== b.bytes[at]) return false;
  return true;
}
