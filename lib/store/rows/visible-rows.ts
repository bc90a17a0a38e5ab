import { RowSet } from '../columns/collections';
import type { Log } from '../log';

/** Bytes tested between two readings of the clock, which takes about 50 µs. */
const STRIDE_BYTES = 64 * 1024;
/** The fixed cost of testing a row, in bytes. */
const ROW_BYTES = 256;

/** Tells whether the row at a log index is visible. undefined while unknown, which hides it. */
type RowTest = (index: number) => boolean | undefined;

/** Tells whether the row at a log index is hidden. */
type RowHides = (index: number) => boolean;

/** The rows of a log that pass a test. Each row is tested when it arrives and again when it changes. */
export class VisibleRows {
  readonly #log: Log;
  readonly #test: RowTest | undefined;
  readonly #all: boolean;
  readonly #hides: RowHides | undefined;
  readonly #rows = new RowSet();
  #found = 0;
  #seen = 0;
  #changes: number;
  /** Bytes tested since the last reading of the clock. */
  #spent = 0;

  /**
   * Tests nothing before {@link update}. Rows that `hides` selects are hidden whatever the test returns. Without a test
   * and `hides`, all rows are visible and nothing is stored.
   */
  constructor(log: Log, test: RowTest | undefined, hides?: RowHides) {
    this.#log = log;
    this.#test = test;
    this.#hides = hides;
    this.#all = hides === undefined && test === undefined;
    this.#changes = log.columns.changes;
  }

  /** Number of visible rows at the last update. */
  get count(): number {
    return this.#found;
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
    this.#found = this.#rows.size;
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
    this.#found = this.#rows.size;
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
    this.#rows.set(index, !hidden && (this.#test === undefined || this.#test(index) === true));
  }
}
