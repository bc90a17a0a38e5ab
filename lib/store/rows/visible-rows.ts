import { RowSet } from '../columns/collections';
import type { Log } from '../log';
import type { RowList } from './row-list';

/** Bytes tested between two readings of the clock, which takes about 50 µs. */
const STRIDE_BYTES = 64 * 1024;
/** The fixed cost of testing a row, in bytes. */
const ROW_BYTES = 256;

/** Tells whether the row at a log index is visible. undefined while unknown, which hides it. */
type RowTest = (index: number) => boolean | undefined;

/** Tells whether the row at a log index is hidden. */
type RowHides = (index: number) => boolean;

/** Returns the seqs that are one row, that of the first; undefined for a frame with a row of its own. */
type RowFold = (seq: number) => readonly number[] | undefined;

/**
 * The rows of a log that pass a test. Each frame is tested when it arrives and again when it changes. The first of
 * several frames that are one row is visible if any of them passes.
 */
export class VisibleRows {
  readonly #log: Log;
  readonly #test: RowTest | undefined;
  readonly #all: boolean;
  readonly #hides: RowHides | undefined;
  readonly #fold: RowFold | undefined;
  readonly #rows = new RowSet();
  /** All that pass, if several may be one row. */
  readonly #passing = new RowSet();
  #found = 0;
  #seen = 0;
  #changes: number;
  /** Bytes tested since the last reading of the clock. */
  #spent = 0;

  /**
   * Tests nothing before {@link update}. Rows that `hides` selects are hidden whatever the test returns. Without a
   * test, `hides` and `fold`, all rows are visible and nothing is stored.
   */
  constructor(log: Log, test: RowTest | undefined, hides?: RowHides, fold?: RowFold) {
    this.#log = log;
    this.#test = test;
    this.#hides = hides;
    this.#fold = fold;
    this.#all = hides === undefined && test === undefined && fold === undefined;
    this.#changes = log.columns.changes;
  }

  /** Number of visible rows at the last update. */
  get count(): number {
    return this.#found;
  }

  /** The frames that pass, in rows of their own or not. */
  get frames(): RowList {
    return this.#fold ? this.#passing : this;
  }

  /** Number of rows still to be tested by {@link update}. */
  get remaining(): number {
    return this.#log.size - this.#seen + (this.#all ? 0 : this.#log.columns.changes - this.#changes);
  }

  /** Tests changed and new rows until `enough` returns true. Returns `count`. */
  update(enough: () => boolean = () => false): number {
    const { size, columns } = this.#log;
    if (this.#all) {
      this.#seen = size;
      this.#found = size;
      return size;
    }
    let stop = false;
    while (!stop && this.#changes < columns.changes) {
      const index = columns.changedRow(this.#changes++);
      this.recheck(index);
      stop = this.#spend(index) && enough();
    }
    while (!stop && this.#seen < size) {
      const index = this.#seen++;
      this.#testRow(index);
      stop = this.#spend(index) && enough();
    }
    this.#found = this.#rows.count;
    return this.#found;
  }

  /** True if it is time to read the clock. */
  #spend(index: number): boolean {
    this.#spent += ROW_BYTES + this.#log.columns.bytes.length(index);
    if (this.#spent < STRIDE_BYTES) return false;
    this.#spent = 0;
    return true;
  }

  /** Tests a row again, if it was tested before. */
  recheck(index: number): void {
    if (this.#all || index >= this.#seen) return;
    this.#testRow(index);
    this.#found = this.#rows.count;
  }

  /** Returns the log index of the visible row at `position`. */
  at(position: number): number {
    return this.#all ? position : this.#rows.at(position);
  }

  /** Returns the position of a log index among the visible rows, or -1. */
  position(index: number): number {
    if (this.#all) return index < this.#found ? index : -1;
    return this.#rows.position(index);
  }

  #testRow(index: number): void {
    const hidden = this.#hides?.(index) ?? false;
    const passes = !hidden && (this.#test === undefined || this.#test(index) === true);
    if (!this.#fold) {
      this.#rows.set(index, passes);
      return;
    }
    const changed = this.#passing.set(index, passes);
    const fold = this.#fold(index + 1);
    const first = fold ? fold[0]! - 1 : index;
    this.#rows.set(first, passes || (fold !== undefined && this.#passesIn(fold, first, index, changed)));
    if (first !== index) this.#rows.set(index, false);
  }

  /** True if any of these frames passes. `changed`: the frame at `index` passed before, and does not any more. */
  #passesIn(fold: readonly number[], first: number, index: number, changed: boolean): boolean {
    // A flood of equal frames that do not pass must not look at all of them for each.
    if (first !== index && !changed) return this.#rows.has(first);
    return fold.some((seq) => this.#passing.has(seq - 1));
  }
}
