import { RowSet } from '../columns/collections';
import type { Log } from '../log';

/** Bytes of rows looked at between two looks at the clock, and what a row costs besides: some 50 µs, or one huge row. */
const STRIDE_BYTES = 64 * 1024;
const ROW_BYTES = 256;

/** Whether the row at a log index is to be seen; undefined while that is not known, and then it is not. */
type RowTest = (index: number) => boolean | undefined;

/** Whether the row at a log index is left out. */
type RowHides = (index: number) => boolean;

/**
 * The indexes of a log's rows that a test lets through. Grows with the log: each frame is looked at when it comes, and again
 * when something about its row changes.
 */
export class VisibleRows {
  readonly #log: Log;
  readonly #test: RowTest | undefined;
  readonly #all: boolean;
  readonly #hides: RowHides | undefined;
  readonly #rows = new RowSet();
  #found = 0;
  #seen = 0;
  #changes: number;
  /** Bytes looked at since the last look at the clock. */
  #spent = 0;

  /**
   * Looks at nothing yet: call {@link update}. `hides`: rows that are left out whatever the test says. If all is to be seen,
   * every row is visible and nothing is kept.
   */
  constructor(log: Log, test: RowTest | undefined, hides?: RowHides) {
    this.#log = log;
    this.#test = test;
    this.#hides = hides;
    this.#all = hides === undefined && test === undefined;
    this.#changes = log.columns.changes;
  }

  /** Rows visible as of the last update. */
  get count(): number {
    return this.#found;
  }

  /** Rows still to be looked at: {@link update} has to be called again. */
  get left(): number {
    return this.#log.size - this.#seen + (this.#all ? 0 : this.#log.columns.changes - this.#changes);
  }

  /** Looks at the rows that changed and the frames that arrived since, until `enough`; returns `count`. See {@link left}. */
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
      this.#look(index);
      stop = this.#spend(index) && enough();
    }
    this.#found = this.#rows.size;
    return this.#found;
  }

  /** True if it is time to look at the clock. */
  #spend(index: number): boolean {
    this.#spent += ROW_BYTES + this.#log.columns.bytes.length(index);
    if (this.#spent < STRIDE_BYTES) return false;
    this.#spent = 0;
    return true;
  }

  /** Looks at a row once more, if it was looked at before. */
  recheck(index: number): void {
    if (this.#all || index >= this.#seen) return;
    this.#look(index);
    this.#found = this.#rows.size;
  }

  /** The log index of the visible row at `position`. */
  at(position: number): number {
    return this.#all ? position : this.#rows.at(position);
  }

  /** Where a log index stands among the visible rows, or -1. */
  position(index: number): number {
    if (this.#all) return index < this.#found ? index : -1;
    return this.#rows.position(index);
  }

  #look(index: number): void {
    const hidden = this.#hides?.(index) ?? false;
    this.#rows.set(index, !hidden && (this.#test === undefined || this.#test(index) === true));
  }
}
