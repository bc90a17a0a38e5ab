import { FLAG } from '@/lib/wire/frame';

const LINE_FEED = 10;

/**
 * Takes one line, or a piece of one, as `source[start, end)` without its line feed. `flags` are those of its frame.
 * `whole` is true for a line that a line feed ended and that is not a piece of a longer one: only that is a message.
 */
export type LineHandler = (source: Buffer, start: number, end: number, flags: number, whole: boolean) => void;

/**
 * Cuts a byte stream into lines at 0x0A, the framing of MCP over stdio. Works on bytes, so invalid UTF-8, U+2028 and
 * carriage returns pass untouched, and blank lines are lines.
 *
 * A line inside one chunk is handed over in place, without a copy; one that spans chunks is joined once, when its end
 * has come, so n bytes cost O(n) however they arrive. What comes out depends on the bytes alone and not on the chunks:
 * a line longer than `limit` bytes comes as pieces of exactly `limit`, flagged `continued`, and a rest.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #handle: LineHandler;
  /** The beginning of a line whose end has not come, never more than `limit` bytes. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** True if pieces of the present line were handed over already. */
  #broken = false;

  constructor(limit: number, handle: LineHandler) {
    this.#limit = limit;
    this.#handle = handle;
  }

  /** True if the beginning of a line waits for the rest. */
  get holds(): boolean {
    return this.#heldBytes > 0;
  }

  /** Hands over each line that ends in `chunk`. The splitter keeps views of the rest: do not write to it later. */
  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      this.#endLine(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk, start, chunk.length);
  }

  /** Hands over what is held, to be called at the end of the stream: a line without its line feed. */
  end(): void {
    if (this.holds) this.#release(FLAG.unterminated);
    this.#broken = false;
  }

  /** Hands over what is held as a piece of a line that goes on, for streams where late is worse than cut. */
  flush(): void {
    if (!this.holds) return;
    this.#broken = true;
    this.#release(FLAG.continued);
  }

  #endLine(chunk: Buffer, start: number, end: number): void {
    if (this.#heldBytes === 0 && end - start <= this.#limit) {
      this.#handle(chunk, start, end, 0, !this.#broken);
    } else {
      this.#hold(chunk, start, end);
      this.#release(0);
    }
    this.#broken = false;
  }

  /** Keeps `chunk[start, end)`, handing over full pieces as soon as it is certain that the line goes on after them. */
  #hold(chunk: Buffer, start: number, end: number): void {
    let from = start;
    while (this.#heldBytes + (end - from) > this.#limit) {
      const to = from + this.#limit - this.#heldBytes;
      this.#keep(chunk, from, to);
      this.flush();
      from = to;
    }
    this.#keep(chunk, from, end);
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    if (from === to) return;
    this.#held.push(chunk.subarray(from, to));
    this.#heldBytes += to - from;
  }

  #release(flags: number): void {
    const line = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held, this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
    this.#handle(line, 0, line.length, flags, flags === 0 && !this.#broken);
  }
}
