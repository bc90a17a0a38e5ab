const LINE_FEED = 10;
const NO_BYTES = new Uint8Array(0);

/** Splits chunks of any size into lines. Holds at most `mostBytes` of an unfinished line. */
export class LineSplitter {
  readonly #mostBytes: number;
  #pieces: Uint8Array[] = [];
  #held = 0;
  /** True while the rest of an over-long line is skipped. */
  #isTooLong = false;
  /** Bytes of all earlier chunks, and the offset of the next line. */
  #before = 0;
  #begins = 0;
  #at = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes of the unfinished line, which is torn if the file ends here. */
  get pendingBytes(): number {
    return this.#isTooLong ? this.#mostBytes : this.#held;
  }

  /** Offset of the line returned last. */
  get lineStart(): number {
    return this.#at;
  }

  /** Offset of the next line. */
  get nextLineStart(): number {
    return this.#begins;
  }

  /** Returns the lines that end in this chunk, without line feeds; undefined stands for a line that is too long. */
  *splitChunk(chunk: Uint8Array): Generator<Uint8Array | undefined> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#at = this.#begins;
      this.#begins = this.#before + end + 1;
      yield this.#finishLine();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    this.#before += chunk.length;
  }

  #hold(piece: Uint8Array): void {
    if (this.#held + piece.length > this.#mostBytes) {
      this.#isTooLong = true;
      this.#pieces = [];
      this.#held = 0;
    }
    if (this.#isTooLong || piece.length === 0) return;
    this.#pieces.push(piece);
    this.#held += piece.length;
  }

  #finishLine(): Uint8Array | undefined {
    const pieces = this.#pieces;
    const length = this.#held;
    const isTooLong = this.#isTooLong;
    this.#pieces = [];
    this.#held = 0;
    this.#isTooLong = false;
    if (isTooLong) return undefined;
    if (pieces.length < 2) return pieces[0] ?? NO_BYTES;
    const line = new Uint8Array(length);
    let at = 0;
    for (let index = 0; index < pieces.length; index++) {
      line.set(pieces[index]!, at);
      at += pieces[index]!.length;
      // Frees each piece, so that a long line is not in memory twice.
      pieces[index] = NO_BYTES;
    }
    return line;
  }
}
