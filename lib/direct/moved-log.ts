import type { BatchSource } from '@/lib/hub/batch-cutter';
import { framesFrom } from '@/lib/hub/frames-from';
import { Segment } from '@/lib/hub/segment';
import { movedNote } from '@/lib/recording/moved-note';

/** What is behind a frame of a log, under the numbers that it has in a recording, and so are the notes there. To be read from `from + by` on. */
export class MovedLog implements BatchSource {
  readonly #log: BatchSource;
  readonly #from: number;
  readonly #by: number;

  /** Frames behind `from` have numbers higher `by` this much. */
  constructor(log: BatchSource, from: number, by: number) {
    this.#log = log;
    this.#from = from;
    this.#by = by;
  }

  get last(): number {
    return this.#log.last + this.#by;
  }

  segmentOf(n: number): Segment | Promise<Segment> {
    const seq = n - this.#by;
    const segment = this.#log.segmentOf(seq);
    return segment instanceof Promise ? segment.then((read) => this.#moved(read, seq)) : this.#moved(segment, seq);
  }

  #moved(segment: Segment, from: number): Segment {
    const to = (on: number) => (on > this.#from ? on + this.#by : on);
    return Segment.of(
      framesFrom(segment, from).map((frame) => ({
        ...frame,
        seq: frame.seq + this.#by,
        bytes: frame.channel === 'lifecycle' ? movedNote(frame.bytes, to)! : frame.bytes,
      })),
    );
  }
}
