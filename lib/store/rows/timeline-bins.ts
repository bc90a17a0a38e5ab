import type { Log } from '../log';

/** The timeline's lanes, top to bottom. A frame is in one lane, and also in `errors` if it reports a failure. */
export const LANES = ['to-server', 'to-client', 'notifications', 'http', 'stderr', 'errors'] as const;
export type Lane = (typeof LANES)[number];

/** Number of bins, about one per pixel of a wide screen. */
const BINS = 4096;
/** Initial width of a bin in microseconds. */
const FIRST_WIDTH_US = 1000;
/** Up to this many frames are counted exactly; beyond that, the bins are used. */
const COUNTED = 20_000;

/**
 * Counts frames over time, by lane, in a fixed number of bins whose width doubles as the log grows. A frame costs O(1).
 */
export class TimelineBins {
  readonly #log: Log;
  readonly #bins = LANES.map(() => new Uint32Array(BINS));
  #width = FIRST_WIDTH_US;
  #seen = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Adds new frames. */
  update(): void {
    for (const { size } = this.#log; this.#seen < size; this.#seen++) {
      const time = Math.max(0, this.#log.columns.time(this.#seen));
      while (time >= this.#width * BINS) this.#double();
      const bin = Math.floor(time / this.#width);
      const lane = this.#laneOf(this.#seen);
      if (lane !== undefined) this.#bins[lane]![bin]!++;
      if (this.#isError(this.#seen)) this.#bins[ERRORS]![bin]!++;
    }
  }

  /**
   * Returns the number of frames by lane in `slots` equal parts of the time from `from` to before `to`, in
   * microseconds. Counts are fractions if bins are wider than slots.
   */
  counts(from: number, to: number, slots: number): readonly Float32Array[] {
    const counts = LANES.map(() => new Float32Array(slots));
    const per = (to - from) / slots;
    const [first, last] = [this.#indexAt(from), this.#indexAt(to)];
    if (last - first > COUNTED) {
      this.#spread(counts, from, per, slots);
      return counts;
    }
    for (let index = first; index < last; index++) {
      const slot = Math.min(slots - 1, Math.floor((this.#log.columns.time(index) - from) / per));
      const lane = this.#laneOf(index);
      if (lane !== undefined) counts[lane]![slot]!++;
      if (this.#isError(index)) counts[ERRORS]![slot]!++;
    }
    return counts;
  }

  /** Distributes each bin's count over the slots that it overlaps. */
  #spread(counts: readonly Float32Array[], from: number, per: number, slots: number): void {
    const width = this.#width;
    const begin = Math.max(0, Math.floor(from / width));
    const end = Math.min(BINS, Math.ceil((from + per * slots) / width));
    for (const [lane, bins] of this.#bins.entries()) {
      const into = counts[lane]!;
      for (let bin = begin; bin < end; bin++) {
        const count = bins[bin]!;
        if (count === 0) continue;
        const [left, right] = [bin * width, (bin + 1) * width];
        const lastSlot = Math.min(slots - 1, Math.floor((right - from - 1) / per));
        for (let slot = Math.max(0, Math.floor((left - from) / per)); slot <= lastSlot; slot++) {
          const overlap = Math.min(right, from + (slot + 1) * per) - Math.max(left, from + slot * per);
          into[slot]! += (count * overlap) / width;
        }
      }
    }
  }

  #double(): void {
    for (const bins of this.#bins) {
      for (let bin = 0; bin < BINS / 2; bin++) bins[bin] = bins[2 * bin]! + bins[2 * bin + 1]!;
      bins.fill(0, BINS / 2);
    }
    this.#width *= 2;
  }

  /** undefined for notes. */
  #laneOf(index: number): number | undefined {
    const { columns } = this.#log;
    const kind = columns.kind(index);
    if (kind === 'http') return HTTP;
    if (kind === 'stderr') return STDERR;
    if (kind === 'note') return undefined;
    if (kind === 'notification' || kind === 'lifecycle' || kind === 'other') return NOTIFICATIONS;
    return columns.direction(index) === 'to-server' ? TO_SERVER : TO_CLIENT;
  }

  #isError(index: number): boolean {
    const { columns } = this.#log;
    const kind = columns.kind(index);
    if (kind === 'junk' || columns.severity(index) === 'error') return true;
    const status = columns.status(index);
    // Failed requests are counted at the response, or at the event that ended them.
    return kind === 'error' ? status !== 'refused' : kind === 'response' && status === 'tool-error';
  }

  /** Returns the index of the first frame at or after a time. */
  #indexAt(time: number): number {
    let low = 0;
    let high = this.#seen;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#log.columns.time(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const [TO_SERVER, TO_CLIENT, NOTIFICATIONS, HTTP, STDERR, ERRORS] = [0, 1, 2, 3, 4, 5] as const;
