const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Bytes at the end of a stream so far that tell whether an event has ended. */
export const TAIL_BYTES = 4;

/** Takes the pieces of a stream. */
export interface Pieces {
  /** An event or comments, exactly as they came, with the blank line after them. */
  onBlock(block: Buffer): void;
  /** A piece of an event that is too large, or that has begun before. */
  onPart(part: Buffer): void;
}

/** Cuts an event stream after each event, so that events can be passed on, held or left out one by one. */
export class EventSplitter {
  readonly #pieces: Pieces;
  readonly #mostBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** True until the rest of an event that passes in parts has passed. */
  #isPart: boolean;
  #isLineEmpty: boolean;
  #afterReturn: boolean;

  /** `mostBytes`: of an event. `tail`: the last bytes of the stream that have passed, at most {@link TAIL_BYTES}. */
  constructor(pieces: Pieces, mostBytes: number, tail: Buffer) {
    this.#pieces = pieces;
    this.#mostBytes = mostBytes;
    const text = tail.toString('latin1');
    this.#isLineEmpty = text === '' || /[\r\n]$/.test(text);
    this.#isPart = text !== '' && !/(?:\n|\r\n|\r)(?:\n|\r\n|\r)$/.test(text.replace(/\r\n/g, '\n'));
    this.#afterReturn = text.endsWith('\r');
  }

  feed(chunk: Buffer): void {
    let from = 0;
    let at = 0;
    if (this.#afterReturn && chunk[0] === LINE_FEED) at = 1;
    if (chunk.length > 0) this.#afterReturn = false;
    let returnAt = chunk.indexOf(CARRIAGE_RETURN, at);
    while (at < chunk.length) {
      if (returnAt !== -1 && returnAt < at) returnAt = chunk.indexOf(CARRIAGE_RETURN, at);
      const feedAt = chunk.indexOf(LINE_FEED, at);
      const isReturn = returnAt !== -1 && (feedAt === -1 || returnAt < feedAt);
      const lineEnd = isReturn ? returnAt : feedAt;
      if (lineEnd === -1) {
        this.#isLineEmpty = false;
        break;
      }
      const isBlank = this.#isLineEmpty && lineEnd === at;
      at = lineEnd + 1;
      if (isReturn && chunk[at] === LINE_FEED) at++;
      else if (isReturn && at === chunk.length) this.#afterReturn = true;
      this.#isLineEmpty = true;
      if (!isBlank) continue;
      this.#endBlock(chunk.subarray(from, at));
      from = at;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  /** Returns the beginning of an event that never ended. */
  end(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return rest;
  }

  #endBlock(last: Buffer): void {
    if (this.#isPart) {
      this.#isPart = false;
      this.#pieces.onPart(last);
    } else if (this.#heldBytes + last.length > this.#mostBytes) {
      this.#pieces.onPart(Buffer.concat([this.end(), last]));
    } else this.#pieces.onBlock(this.#heldBytes === 0 ? last : Buffer.concat([this.end(), last]));
  }

  #hold(rest: Buffer): void {
    if (this.#isPart) {
      this.#pieces.onPart(rest);
      return;
    }
    this.#held.push(rest);
    this.#heldBytes += rest.length;
    if (this.#heldBytes <= this.#mostBytes) return;
    this.#isPart = true;
    this.#pieces.onPart(this.end());
  }
}
