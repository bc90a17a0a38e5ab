import type { Log } from './log';
import { RowSet } from './row-set';

/** Rows looked at between two looks at the clock: any of them may be of many megabytes. */
const STRIDE = 8;

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

  /** Rows looked at as of the last update. */
  get seen(): number {
    return this.#seen;
  }

  /**
   * Looks at the rows that changed and the frames that arrived since, until `enough`; returns `count`. It has to be called again
   * while `seen` is less than the log's size.
   */
  update(enough: () => boolean = () => false): number {
    const { size, columns } = this.#log;
    if (this.#all) {
      this.#seen = size;
      this.#found = size;
      return size;
    }
    for (; this.#changes < columns.changes; this.#changes++) this.again(columns.changed(this.#changes));
    while (this.#seen < size) {
      const end = Math.min(size, this.#seen + STRIDE);
      for (; this.#seen < end; this.#seen++) this.#look(this.#seen);
      if (enough()) break;
    }
    this.#found = this.#rows.size;
    return this.#found;
  }

  /** Looks at a row once more, if it was looked at before. */
  again(index: number): void {
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
