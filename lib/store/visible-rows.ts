import { type Column, uint32 } from './column';
import type { RowFilter } from './filter';
import type { Log } from './log';

/** The indexes of a log's rows that a filter lets through. Grows with the log: each frame is looked at once. */
export class VisibleRows {
  readonly #log: Log;
  readonly #filter: RowFilter | undefined;
  readonly #all: boolean;
  readonly #withHttp: boolean;
  readonly #indexes: Column = uint32();
  #found = 0;
  #seen = 0;

  /**
   * Looks at nothing yet: call {@link update}. `withHttp`: also what only tells how messages travelled. If all is to be seen,
   * every row is visible and nothing is kept.
   */
  constructor(log: Log, filter: RowFilter | undefined, withHttp = true) {
    this.#log = log;
    this.#filter = filter;
    this.#withHttp = withHttp;
    this.#all = withHttp && filter === undefined;
  }

  /** Rows visible as of the last update. */
  get count(): number {
    return this.#found;
  }

  /** Rows looked at as of the last update. */
  get seen(): number {
    return this.#seen;
  }

  /** Looks at the frames that arrived since; returns `count`. */
  update(): number {
    const size = this.#log.size;
    if (!this.#all) for (; this.#seen < size; this.#seen++) this.#look(this.#seen);
    this.#seen = size;
    if (this.#all) this.#found = size;
    return this.#found;
  }

  /** The log index of the visible row at `position`. */
  at(position: number): number {
    return this.#all ? position : this.#indexes.get(position);
  }

  /** Where a log index stands among the visible rows, or -1. */
  position(index: number): number {
    if (this.#all) return index < this.#found ? index : -1;
    let low = 0;
    let high = this.#found;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#indexes.get(middle) < index) low = middle + 1;
      else high = middle;
    }
    return low < this.#found && this.#indexes.get(low) === index ? low : -1;
  }

  #look(index: number): void {
    if (!this.#withHttp && this.#log.isPlainHttp(index)) return;
    if (this.#filter && !this.#filter(this.#log.row(index), () => this.#log.text(index))) return;
    this.#indexes.push(index);
    this.#found++;
  }
}
