const LINE_FEED = 10;
const NO_BYTES = new Uint8Array(0);

/** Bytes in chunks of any size → lines. Holds the beginning of one line, and no more of it than `mostBytes`. */
export class LineSplitter {
  readonly #mostBytes: number;
  #pieces: Uint8Array[] = [];
  #held = 0;
  /** The line that is coming in is too long: what is left of it is passed over. */
  #over = false;
  /** Bytes of all chunks before this one, and where in all bytes the line begins that comes next. */
  #before = 0;
  #begins = 0;
  #at = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes of a line without an end: a torn one, if nothing comes any more. */
  get pendingBytes(): number {
    return this.#over ? this.#mostBytes : this.#held;
  }

  /** Where in all bytes the line begins that was handed out last. */
  get lineStart(): number {
    return this.#at;
  }

  /** Where in all bytes the line begins that comes next. */
  get nextLineStart(): number {
    return this.#begins;
  }

  /** The lines that end in this chunk, without their line feeds; undefined in the place of one that is too long. */
  *splitChunk(chunk: Uint8Array): Generator<Uint8Array | undefined> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#at = this.#begins;
      this.#begins = this.#before + end + 1;
      yield this.#take();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    this.#before += chunk.length;
  }

  #hold(piece: Uint8Array): void {
    if (this.#held + piece.length > this.#mostBytes) {
      this.#over = true;
      this.#pieces = [];
      this.#held = 0;
    }
    if (this.#over || piece.length === 0) return;
    this.#pieces.push(piece);
    this.#held += piece.length;
  }

  #take(): Uint8Array | undefined {
    const pieces = this.#pieces;
    const length = this.#held;
    const over = this.#over;
    this.#pieces = [];
    this.#held = 0;
    this.#over = false;
    if (over) return undefined;
    if (pieces.length < 2) return pieces[0] ?? NO_BYTES;
    const line = new Uint8Array(length);
    let at = 0;
    for (let index = 0; index < pieces.length; index++) {
      line.set(pieces[index]!, at);
      at += pieces[index]!.length;
      // A long line need not be there twice.
      pieces[index] = NO_BYTES;
    }
    return line;
  }
}
