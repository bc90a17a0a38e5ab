import { type Column, uint32 } from './column';
import type { RowFilter } from './filter';
import type { Log } from './log';

/** The indexes of a log's rows that a filter lets through. Grows with the log: each frame is looked at once. */
export class VisibleRows {
  readonly #log: Log;
  readonly #filter: RowFilter | undefined;
  readonly #indexes: Column = uint32();
  #found = 0;
  #seen = 0;

  /** Looks at nothing yet: call {@link update}. Without a filter every row is visible and nothing is kept. */
  constructor(log: Log, filter: RowFilter | undefined) {
    this.#log = log;
    this.#filter = filter;
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
    if (this.#filter) for (; this.#seen < size; this.#seen++) this.#look(this.#filter, this.#seen);
    this.#seen = size;
    if (!this.#filter) this.#found = size;
    return this.#found;
  }

  /** The log index of the visible row at `position`. */
  at(position: number): number {
    return this.#filter ? this.#indexes.get(position) : position;
  }

  /** Where a log index stands among the visible rows, or -1. */
  position(index: number): number {
    if (!this.#filter) return index < this.#found ? index : -1;
    let low = 0;
    let high = this.#found;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#indexes.get(middle) < index) low = middle + 1;
      else high = middle;
    }
    return low < this.#found && this.#indexes.get(low) === index ? low : -1;
  }

  #look(filter: RowFilter, index: number): void {
    if (!filter(this.#log.row(index), () => this.#log.text(index))) return;
    this.#indexes.push(index);
    this.#found++;
  }
}
