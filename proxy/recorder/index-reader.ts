import { deflateRawSync } from 'node:zlib';
import { IndexMaker, type LongFrame, type MadeIndex } from '@/lib/recording/large/index-maker';
import { encodeIndexLine } from '@/lib/recording/large/indexes';
import { GrowingFile } from '@/proxy/files/existing-files';

/** Bytes read at a time, unless a line is longer. */
const WINDOW_BYTES = 1024 * 1024;
/** Fast, and not much larger than the best compression. */
const LEVEL = { level: 1 };
const LINE_FEED = 10;

/** The part of a recording that is written. */
export interface WrittenLines {
  /** Offset after the last line that is complete. */
  readonly to: number;
  /** The frames among them that are too long to be read again, in order. */
  readonly long: readonly LongFrame[];
}

/** Reads a recording that is being written, and makes its index lines. */
export class IndexReader {
  readonly #file: GrowingFile;
  readonly #maker: IndexMaker;
  #window = new Uint8Array(WINDOW_BYTES);
  /** Offset of the next line. */
  #at = 0;

  /** Throws the system's error. `framesEach` is the number of frames per index. */
  constructor(path: string, framesEach: number) {
    this.#file = new GrowingFile(path);
    this.#maker = new IndexMaker(framesEach, (at, length) => this.#file.read(at, new Uint8Array(length)));
  }

  /** Yields the index lines that are complete. Throws if the file can't be read or is not what was written. */
  *readUpTo({ to, long }: WrittenLines): Generator<Uint8Array> {
    for (const frame of long) {
      yield* this.#readLines(frame.from);
      const made = this.#maker.addLongFrame(frame);
      if (made) yield encoded(made);
      this.#at = frame.to;
    }
    yield* this.#readLines(to);
  }

  /** Yields the index of the last frames, if there are others. */
  *end(): Generator<Uint8Array> {
    const made = this.#maker.end();
    if (made) yield encoded(made);
  }

  close(): void {
    this.#file.close();
  }

  *#readLines(to: number): Generator<Uint8Array> {
    while (this.#at < to) {
      const window = this.#file.read(this.#at, this.#window.subarray(0, Math.min(to - this.#at, this.#window.length)));
      let start = 0;
      for (let end = window.indexOf(LINE_FEED); end >= 0; end = window.indexOf(LINE_FEED, start)) {
        const made = this.#maker.addLine(window, start, end, this.#at + start);
        if (made) yield encoded(made);
        start = end + 1;
      }
      this.#at += start;
      if (start > 0) continue;
      if (window.length < this.#window.length) throw new Error('the file ends within a line');
      this.#window = new Uint8Array(2 * this.#window.length);
    }
    if (this.#window.length > WINDOW_BYTES) this.#window = new Uint8Array(WINDOW_BYTES);
  }
}

function encoded({ n, frames, chunk }: MadeIndex): Uint8Array {
  return encodeIndexLine(n, frames, deflateRawSync(chunk, LEVEL));
}
