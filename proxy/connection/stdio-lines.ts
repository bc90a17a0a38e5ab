import { BYTE } from '@/lib/json/scan';
import type { Clock } from '@/lib/wire/clock';
import { FLAG } from '@/lib/wire/frame';
import { freeMemory, isWorthFreeing } from './free-memory';

/** Bytes of a stderr line beyond which it is cut: no person reads longer ones. */
export const STDERR_LINE_BYTES = 64 * 1024;
/** How long an unfinished stderr line waits for its end, in ms: a prompt must appear at once for a person. */
export const STDERR_PARTIAL_MS = 100;

const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Gets a line, or a piece of one, as `source[start, end)` without its line feed, and the flags of its frame. `whole` is
 * true for a line with its line feed that is not a piece: only such a line is a message.
 */
type LineHandler = (source: Buffer, start: number, end: number, flags: number, whole: boolean) => void;

/**
 * Gets the lines of `source[start, end)`, all whole, each with its line feed. Returns false to get them one by one.
 */
type LinesHandler = (source: Buffer, start: number, end: number) => boolean;

/**
 * Cuts a byte stream into lines at 0x0A, the framing of MCP over stdio. It works on bytes: invalid UTF-8, U+2028 and
 * carriage returns pass unchanged, and blank lines are lines.
 *
 * A line within one chunk is not copied. A line that spans chunks is copied to memory that doubles when it is full, so
 * n bytes cost O(n). After such a line, that memory has a byte for the line feed, so that the log can keep it. The
 * result depends only on the bytes, not on the chunks: a line longer than `limit` comes as pieces of exactly `limit`
 * bytes, flagged `continued`, and a rest.
 */
export class StdioLineSplitter {
  readonly #limit: number;
  readonly #handle: LineHandler;
  readonly #handleLines: LinesHandler | undefined;
  /** The beginning of an unfinished line, at most `limit` bytes, and room for more. */
  #held: Buffer = NOTHING;
  #heldBytes = 0;
  /** True if pieces of the present line were passed on already. */
  #broken = false;

  /** `handleLines` gets the whole lines of a chunk in place of `handle`. */
  constructor(limit: number, handle: LineHandler, handleLines?: LinesHandler) {
    this.#limit = limit;
    this.#handle = handle;
    this.#handleLines = handleLines;
  }

  /** True while the beginning of a line waits for its end. */
  get holds(): boolean {
    return this.#heldBytes > 0;
  }

  /** The beginning of a line that waits for its end. Valid until the next chunk. */
  get held(): Buffer {
    return this.#held.subarray(0, this.#heldBytes);
  }

  /** Passes on each line that ends in `chunk`, and copies the rest. */
  addChunk(chunk: Buffer): void {
    let start = 0;
    let handleLines = this.#handleLines;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      if (handleLines && this.#heldBytes === 0 && !this.#broken && chunk.length <= this.#limit) {
        const after = chunk.lastIndexOf(LINE_FEED) + 1;
        if (handleLines(chunk, start, after)) {
          start = after;
          break;
        }
        handleLines = undefined;
      }
      this.#endLine(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk, start, chunk.length);
  }

  /** Passes on the rest at the end of the stream: a line without its line feed. */
  end(): void {
    if (this.holds) this.#release(FLAG.unterminated);
    this.#broken = false;
  }

  /** Passes on the beginning of an unfinished line, for streams that must not wait. */
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

  /** Keeps `chunk[start, end)`, and passes on full pieces once the line is certain to go on. */
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
    const bytes = this.#heldBytes + to - from;
    if (bytes >= this.#held.length) this.#grow(bytes + 1);
    chunk.copy(this.#held, this.#heldBytes, from, to);
    this.#heldBytes = bytes;
  }

  /** Frees what was copied, so that a long line is in memory once. */
  #grow(bytes: number): void {
    const old = this.#held;
    this.#held = Buffer.allocUnsafe(Math.max(bytes, Math.min(2 * old.length, this.#limit + 1)));
    old.copy(this.#held, 0, 0, this.#heldBytes);
    if (isWorthFreeing(old)) freeMemory(old);
  }

  #release(flags: number): void {
    const [line, length] = [this.#held.subarray(0, this.#heldBytes + 1), this.#heldBytes];
    this.#held = NOTHING;
    this.#heldBytes = 0;
    this.#handle(line, 0, length, flags, flags === 0 && !this.#broken);
  }
}

/**
 * Splits stderr into lines, without waiting longer than `STDERR_PARTIAL_MS` or for more than `STDERR_LINE_BYTES`, since
 * prompts and progress bars have no line feed. Such a piece is flagged `continued`, and the next one goes on with the
 * line.
 */
export class StderrLines {
  readonly #splitter: StdioLineSplitter;
  readonly #clock: Clock;
  #waiting = false;
  /** Counts line ends, to tell the line of a timer from a later one. */
  #lines = 0;

  constructor(clock: Clock, handle: LineHandler) {
    this.#clock = clock;
    this.#splitter = new StdioLineSplitter(STDERR_LINE_BYTES, (source, start, end, flags, whole) => {
      this.#lines++;
      handle(source, start, end, flags, whole);
    });
  }

  addChunk(chunk: Buffer): void {
    this.#splitter.addChunk(chunk);
    this.#watch();
  }

  /** Passes on the rest at the end of the stream. */
  end(): void {
    this.#splitter.end();
  }

  /** Runs one timer at a time, since most chunks of a flood end within a line. */
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

/** Bytes that only relevant lines contain, and an optional check of the bytes around them. */
interface Sign {
  readonly bytes: Buffer;
  confirm?(source: Buffer, at: number): boolean;
}

/**
 * Signs of a message that the engine has to see. Requests and responses have an `id`. A response without one has a
 * `result`, or an `error` with a JSON-RPC code. Of the notifications, only progress, cancelled and the three
 * list_changed matter; another one would be a new entry. Batches have the signs of their members.
 *
 * JSON may escape the letters of `id` and of methods, but not the quotes. Only the escapes `\u006x`, `\u007x`, `\u005x`
 * and `\u002f` can hide a letter, `_` or `/`. So a line without a sign never concerns the engine, and a line with one
 * may, at the cost of a parse.
 *
 * Each sign starts with a byte that is rare in messages and is shorter than eight bytes, because Node then searches for
 * that byte alone: it finds `id"` several times as fast as `"id"`.
 */
const SIGNS: readonly Sign[] = [
  { bytes: Buffer.from('id"'), confirm: (source, at) => source[at - 1] === BYTE.quote },
  { bytes: Buffer.from('ult"'), confirm: isResultKey },
  { bytes: Buffer.from('-32'), confirm: isMemberValue },
  { bytes: Buffer.from('/progre') },
  { bytes: Buffer.from('/cancel') },
  { bytes: Buffer.from('_change') },
  { bytes: Buffer.from('\\u00'), confirm: mayEscapeLetter },
];

const RESULT = Buffer.from('"res');

/** Returns true if `ult"` at `at` is the end of the key `"result"`. */
function isResultKey(source: Buffer, at: number): boolean {
  const start = at - RESULT.length;
  if (start < 0 || RESULT.compare(source, start, at) !== 0) return false;
  let next = at + 'ult"'.length;
  while (isBlank(source[next])) next++;
  return source[next] === BYTE.colon;
}

/** Returns true if the number at `at` is the value of a member, as the code of an error is. */
function isMemberValue(source: Buffer, at: number): boolean {
  let before = at - 1;
  while (isBlank(source[before])) before--;
  return source[before] === BYTE.colon;
}

/** Returns true for white space within a line. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/**
 * Returns true for `\u005x`, `\u006x`, `\u007x` and `\u002f`, but not for `\u001b`, the frequent start of colour
 * codes.
 */
function mayEscapeLetter(source: Buffer, at: number): boolean {
  const [high, low] = [source[at + 4] ?? 0, source[at + 5] ?? 0];
  return (high >= 0x35 && high <= 0x37) || (high === 0x32 && (low | 0x20) === 0x66);
}

/** Bytes of the largest source of several lines. A larger one is a long line, and is not kept in memory. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Tells which lines may concern the engine, without parsing, so that a flood of `notifications/message` costs little
 * more than its framing. It searches a whole chunk natively and remembers where each sign comes next, so each sign is
 * usually searched for once a chunk.
 */
export class EngineInterest {
  #source: Buffer | undefined;
  #from = 0;
  /** The result for `#from`. */
  #nearest = 0;
  /** Offset of each sign's next place at or after `#from`; -1 if not searched for yet. */
  readonly #next = SIGNS.map(() => -1);

  /**
   * Returns the offset of the next sign at or after `from`, Infinity for none. Fast when called with growing offsets.
   */
  nextSign(source: Buffer, from: number): number {
    const isKnown = source === this.#source && from >= this.#from;
    if (isKnown && from <= this.#nearest) return this.#nearest;
    if (!isKnown) this.#next.fill(-1);
    this.#source = source.length <= CHUNK_BYTES ? source : undefined;
    this.#from = from;
    let nearest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < SIGNS.length; index++) {
      if (this.#next[index]! < from) this.#next[index] = find(SIGNS[index]!, source, from);
      nearest = Math.min(nearest, this.#next[index]!);
    }
    this.#nearest = nearest;
    return nearest;
  }

  /** Returns true if the line `source[start, end)` may concern the engine. */
  mayConcernEngine(source: Buffer, start: number, end: number): boolean {
    return this.nextSign(source, start) < end;
  }
}

/** Returns the offset of a sign at or after `start`, or Infinity. */
function find({ bytes, confirm }: Sign, source: Buffer, start: number): number {
  let at = source.indexOf(bytes, start);
  while (at !== -1 && confirm !== undefined && !confirm(source, at)) at = source.indexOf(bytes, at + 1);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
