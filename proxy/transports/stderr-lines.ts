import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { type LineHandler, LineSplitter } from './line-splitter';

/**
 * Standard error as lines, except that nothing waits for its line feed for longer than `LIMITS.stderrPartialMs` or for
 * more than `LIMITS.stderrLineBytes`: prompts and progress bars have none. What was handed over early is flagged
 * `continued` and the line goes on in the next piece.
 */
export class StderrLines {
  readonly #splitter: LineSplitter;
  readonly #clock: Clock;
  #waiting = false;
  /** Counts line ends, to tell the line that a timer was set for from a later one. */
  #lines = 0;

  constructor(clock: Clock, handle: LineHandler) {
    this.#clock = clock;
    this.#splitter = new LineSplitter(LIMITS.stderrLineBytes, (source, start, end, flags, whole) => {
      this.#lines++;
      handle(source, start, end, flags, whole);
    });
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
    this.#watch();
  }

  /** The stream is over: hands over what is held. */
  end(): void {
    this.#splitter.end();
  }

  /** One timer at a time, not one a chunk: a flood ends most chunks in the middle of a line. */
  #watch(): void {
    if (this.#waiting || !this.#splitter.holds) return;
    this.#waiting = true;
    const line = this.#lines;
    this.#clock.after(LIMITS.stderrPartialMs, () => {
      this.#waiting = false;
      if (this.#lines === line) this.#splitter.flush();
      this.#watch();
    });
  }
}
