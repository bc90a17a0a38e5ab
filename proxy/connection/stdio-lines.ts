import { BYTE } from '@/lib/json/scan';
import type { Clock } from '@/lib/wire/clock';
import { FLAG } from '@/lib/wire/frame';

/** A stderr line longer than this, or unfinished for this long, is shown in several frames. */
export const STDERR_LINE_BYTES = 64 * 1024;
export const STDERR_PARTIAL_MS = 100;

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
  addChunk(chunk: Buffer): void {
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

/**
 * Standard error as lines, except that nothing waits for its line feed for longer than `STDERR_PARTIAL_MS` or for
 * more than `STDERR_LINE_BYTES`: prompts and progress bars have none. What was handed over early is flagged
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
    this.#splitter = new LineSplitter(STDERR_LINE_BYTES, (source, start, end, flags, whole) => {
      this.#lines++;
      handle(source, start, end, flags, whole);
    });
  }

  addChunk(chunk: Buffer): void {
    this.#splitter.addChunk(chunk);
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
    this.#clock.after(STDERR_PARTIAL_MS, () => {
      this.#waiting = false;
      if (this.#lines === line) this.#splitter.flush();
      this.#watch();
    });
  }
}

/** Bytes that only a line of interest has, and what must stand around them for that, if they alone don't say it. */
interface Sign {
  readonly bytes: Buffer;
  confirm?(source: Buffer, at: number): boolean;
}

/**
 * What every message that the engine may have to act on has in its bytes: responses and requests an `id`, and of the
 * notifications only progress, cancelled and the three list_changed matter to it. One that the engine learns to act on
 * is a new entry. Batches need none, their members have the same signs.
 *
 * JSON may also write the letters of `id` and of the methods as escapes; the quotes can't be escaped. The escapes that can
 * hide a letter, `_` or `/` are `\u006x`, `\u007x`, `\u005x` and `\u002f`. So a line without any sign is certain not to concern
 * the engine; a line with one may, which costs a parse and never a message.
 *
 * Each begins with a byte that is rare in messages and is shorter than eight bytes, because Node then looks for that
 * byte alone: `id"` is found several times as fast as `"id"`.
 */
const SIGNS: readonly Sign[] = [
  { bytes: Buffer.from('id"'), confirm: (source, at) => source[at - 1] === BYTE.quote },
  { bytes: Buffer.from('/progre') },
  { bytes: Buffer.from('/cancel') },
  { bytes: Buffer.from('_change') },
  { bytes: Buffer.from('\\u00'), confirm: mayEscapeLetter },
];

/** The digits after `\u00` are 5x, 6x, 7x or 2f: colour codes, `\u001b`, are far more frequent and hide nothing. */
function mayEscapeLetter(source: Buffer, at: number): boolean {
  const [high, low] = [source[at + 4] ?? 0, source[at + 5] ?? 0];
  return (high >= 0x35 && high <= 0x37) || (high === 0x32 && (low | 0x20) === 0x66);
}

/**
 * Tells lines that may concern the engine from those that certainly do not, without parsing, so that a flood of
 * `notifications/message` costs little more than its framing. Searches a whole chunk at once, natively, and remembers
 * where each sign comes next: usually each is searched for once a chunk, however many lines the chunk has.
 */
export class EngineInterest {
  #source: Buffer | undefined;
  #from = 0;
  /** Where each sign is found next at or after `#from`; -1 if not looked for yet. */
  readonly #next = SIGNS.map(() => -1);

  /** True if `source[start, end)`, one line, may concern the engine. Fast when asked line after line. */
  mayConcernEngine(source: Buffer, start: number, end: number): boolean {
    if (source !== this.#source || start < this.#from) this.#next.fill(-1);
    // Nothing comes after the last line: a large buffer shouldn't be held for the sake of this memory.
    this.#source = end === source.length ? undefined : source;
    this.#from = start;
    for (let index = 0; index < SIGNS.length; index++) {
      if (this.#next[index]! < start) this.#next[index] = find(SIGNS[index]!, source, start);
      if (this.#next[index]! < end) return true;
    }
    return false;
  }
}

/** Where the sign is found at or after `start`, Infinity if nowhere. */
function find({ bytes, confirm }: Sign, source: Buffer, start: number): number {
  let at = source.indexOf(bytes, start);
  while (at !== -1 && confirm !== undefined && !confirm(source, at)) at = source.indexOf(bytes, at + 1);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
