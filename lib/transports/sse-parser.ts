import { BYTE } from '@/lib/json/scan';
import { bytesView, joinBytes } from '@/lib/json/typed-arrays';
import { formatBytes } from '@/lib/wire/format';
import { runToEnd } from '@/lib/wire/in-slices';
import { ConnectionError } from './transport';

/** One item of an event stream: an event (with `data`), a `retry` or a `comment`. */
export interface StreamEvent {
  readonly event?: string;
  readonly id?: string;
  /** The exact bytes, with lines joined by a line feed. */
  readonly data?: Uint8Array;
  /** Milliseconds. */
  readonly retry?: number;
  readonly comment?: string;
}

/** The UTF-8 byte order mark. */
const MARK = [0xef, 0xbb, 0xbf];

/** Called with each item. The data of an event is `source[start, start + event.data.length)`. */
type EventHandler = (event: StreamEvent, source: Uint8Array, start: number) => void;

const CARRIAGE_RETURN = 13;
const SPACE = 32;
const NOTHING: Uint8Array = new Uint8Array(0);
/** Most characters kept of lines without a field. */
const FIELDLESS_CHARACTERS = 2_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const [DATA, EVENT] = [encoder.encode('data'), encoder.encode('event')];

/**
 * Parses an event stream (HTML standard, 9.2). It works on bytes, because the syntax is ASCII: invalid UTF-8 stays
 * exact, and the data of one line within one chunk is not copied.
 */
export class SseParser {
  readonly #maxBytes: number;
  readonly #onEvent: EventHandler;
  /** Bytes of the byte order mark seen so far. undefined once it is complete or ruled out. */
  #mark: number | undefined = 0;
  /** The beginning of an unfinished line. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** True after a carriage return, whose line feed may follow in the next chunk. */
  #afterReturn = false;
  #id: string | undefined;
  #event: string | undefined;
  /** The last name of an event. */
  #nameBytes = NOTHING;
  #name = '';
  /** Number of data lines, and the first one: `source[start, end)`. */
  #lines = 0;
  #source = NOTHING;
  #start = 0;
  #end = 0;
  /** All data lines, from the second one on, and the bytes in use. */
  #joined = NOTHING;
  #joinedBytes = 0;
  #fieldless = '';

  /** {@link feed} throws ConnectionError `body-too-large` when an event is longer than `maxBytes`. */
  constructor(maxBytes: number, onEvent: EventHandler) {
    this.#maxBytes = maxBytes;
    this.#onEvent = onEvent;
  }

  /** Parses the next bytes. Don't write to `chunk` later. */
  feed(chunk: Uint8Array): void {
    runToEnd(this.feedInSteps(chunk));
  }

  /**
   * Parses the next bytes, a line in each step: a chunk can have tens of thousands of events, such as comments, and
   * their frames take long. Don't write to `chunk` later.
   */
  *feedInSteps(chunk: Uint8Array): Generator<void, void> {
    let at = this.#skipMark(chunk);
    let returnAt = chunk.indexOf(CARRIAGE_RETURN, at);
    while (at < chunk.length) {
      if (this.#afterReturn) {
        this.#afterReturn = false;
        if (chunk[at] === BYTE.lineFeed) {
          at++;
          continue;
        }
      }
      if (returnAt !== -1 && returnAt < at) returnAt = chunk.indexOf(CARRIAGE_RETURN, at);
      const feedAt = chunk.indexOf(BYTE.lineFeed, at);
      this.#afterReturn = returnAt !== -1 && (feedAt === -1 || returnAt < feedAt);
      const end = this.#afterReturn ? returnAt : feedAt;
      if (end === -1) {
        this.#hold(chunk.subarray(at));
        return;
      }
      this.#endLine(chunk, at, end);
      at = end + 1;
      yield;
    }
  }

  /**
   * Returns the event that the end of the stream cuts off, with its data so far; undefined if it has none. It is not
   * dispatched (HTML standard, 9.2.6).
   */
  unfinished(): StreamEvent | undefined {
    // A line without its end belongs to the event too.
    if (this.#heldBytes > 0) {
      const line = joinBytes(this.#held);
      this.#held = [];
      this.#heldBytes = 0;
      this.#line(line, 0, line.length);
    }
    let found: StreamEvent | undefined;
    this.#dispatch((event) => {
      found = event;
    });
    return found;
  }

  /** The start of the lines that look like JSON or markup, and have no field. Clients ignore them. */
  get fieldless(): string {
    return this.#fieldless;
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    this.#checkSize();
  }

  #endLine(chunk: Uint8Array, start: number, end: number): void {
    if (this.#heldBytes === 0) {
      this.#line(chunk, start, end);
      return;
    }
    const line = joinBytes([...this.#held, chunk.subarray(start, end)]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#line(line, 0, line.length);
  }

  #line(source: Uint8Array, start: number, end: number): void {
    if (start === end) this.#dispatch();
    else if (isField(DATA, source, start, end)) this.#addData(source, valueAt(source, start + DATA.length, end), end);
    else if (isField(EVENT, source, start, end)) {
      this.#event = this.#eventName(source, valueAt(source, start + EVENT.length, end), end) || undefined;
    } else this.#rareLine(decoder.decode(source.subarray(start, end)));
  }

  /** Decodes the name of an event, unless it is that of the last one, as it is in most streams. */
  #eventName(source: Uint8Array, start: number, end: number): string {
    if (!equalsAt(this.#nameBytes, source, start, end)) {
      this.#nameBytes = source.slice(start, end);
      this.#name = decoder.decode(this.#nameBytes);
    }
    return this.#name;
  }

  /** Reads a comment, an id or a retry. Other fields are ignored. */
  #rareLine(line: string): void {
    if (/^\s*[[\]{}"<]/.test(line)) {
      this.#fieldless = `${this.#fieldless}${line}\n`.slice(0, FIELDLESS_CHARACTERS);
      return;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === '' && line !== '') this.#onEvent({ comment: value }, NOTHING, 0);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.#onEvent({ retry: Number.parseInt(value, 10) }, NOTHING, 0);
  }

  #addData(source: Uint8Array, start: number, end: number): void {
    if (this.#lines++ === 0) {
      this.#source = source;
      this.#start = start;
      this.#end = end;
    } else {
      if (this.#lines === 2) this.#join(this.#source, this.#start, this.#end);
      this.#join(LINE_FEED, 0, 1);
      this.#join(source, start, end);
    }
    this.#checkSize();
  }

  #join(source: Uint8Array, start: number, end: number): void {
    const bytes = this.#joinedBytes + end - start;
    if (bytes > this.#joined.length) {
      const larger = new Uint8Array(2 * bytes);
      larger.set(this.#joined.subarray(0, this.#joinedBytes));
      this.#joined = larger;
    }
    this.#joined.set(source.subarray(start, end), this.#joinedBytes);
    this.#joinedBytes = bytes;
  }

  /** Passes an event with data on at the blank line after it. */
  #dispatch(onEvent: EventHandler = this.#onEvent): void {
    const [id, event, lines] = [this.#id, this.#event, this.#lines];
    const [source, start, end] =
      lines > 1 ? [this.#joined, 0, this.#joinedBytes] : [this.#source, this.#start, this.#end];
    this.#id = undefined;
    this.#event = undefined;
    this.#lines = 0;
    this.#source = NOTHING;
    this.#start = 0;
    this.#end = 0;
    this.#joined = NOTHING;
    this.#joinedBytes = 0;
    if (lines === 0) return;
    const data = bytesView(source, start, end);
    onEvent({ ...(id !== undefined && { id }), ...(event !== undefined && { event }), data }, source, start);
  }

  #checkSize(): void {
    const bytes = this.#heldBytes + Math.max(this.#end - this.#start, this.#joinedBytes);
    if (bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }

  /** Returns where the stream begins after a byte order mark, which may come in several chunks. */
  #skipMark(chunk: Uint8Array): number {
    let at = 0;
    while (this.#mark !== undefined && at < chunk.length) {
      if (chunk[at] === MARK[this.#mark]) {
        at++;
        this.#mark = this.#mark === MARK.length - 1 ? undefined : this.#mark + 1;
      } else {
        if (this.#mark > 0) this.#hold(Uint8Array.from(MARK.slice(0, this.#mark)));
        this.#mark = undefined;
      }
    }
    return at;
  }
}

const LINE_FEED = new Uint8Array([BYTE.lineFeed]);

/** Returns true if the line `source[start, end)` has this field. */
function isField(name: Uint8Array, source: Uint8Array, start: number, end: number): boolean {
  const after = start + name.length;
  return after <= end && (after === end || source[after] === BYTE.colon) && equalsAt(name, source, start, after);
}

/** Compares byte by byte, which is fastest for a few bytes. */
function equalsAt(bytes: Uint8Array, source: Uint8Array, start: number, end: number): boolean {
  if (bytes.length !== end - start) return false;
  for (let index = 0; index < bytes.length; index++) if (source[start + index] !== bytes[index]) return false;
  return true;
}

/** Returns the offset of a field's value, from the offset after its name. */
function valueAt(source: Uint8Array, after: number, end: number): number {
  if (after === end) return end;
  return after + 1 < end && source[after + 1] === SPACE ? after + 2 : after + 1;
}

/** The error for a body or an event that is too long. */
export function tooLarge(maxBytes: number): ConnectionError {
  return new ConnectionError({
    code: 'body-too-large',
    message: `The server sent a message of more than ${formatBytes(maxBytes)}, so mcp-inspect stopped reading it.`,
    advice: 'Make the server send less, or in pages.',
  });
}

/** Returns an id as a `Last-Event-ID` header value: UTF-8, with one character per byte. */
export function idAsHeader(id: string): string {
  return Array.from(encoder.encode(id), (byte) => String.fromCharCode(byte)).join('');
}
