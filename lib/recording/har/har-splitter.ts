import { joinBytes } from '@/lib/json/typed-arrays';
import { formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { RecordingError } from '../errors';

/** A part of an archive's `log`: one of its `entries`, or its `creator`, as JSON. */
export interface HarPart {
  readonly is: 'entry' | 'creator';
  readonly bytes: Uint8Array;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON] = [0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Depths of nesting: inside the `log` of an archive, and inside its array of entries. */
const [IN_LOG, IN_ENTRIES] = [2, 3];
/** Bytes of the longest name of a member of `log` that matters. */
const NAME_BYTES = 16;

const decoder = new TextDecoder();

/**
 * Splits the JSON of an HTTP Archive into its entries, from chunks of any size. It holds one entry at a time, so an
 * archive needs no more memory than what is kept of it. The archive has to start with `{"log":`. Parts are not checked
 * otherwise; parsing them finds invalid JSON.
 */
export class HarSplitter {
  #depth = 0;
  #inString = false;
  /** True if the chunk before ended within an escape. */
  #isEscaped = false;
  /** True once the first member of the archive, the log, has ended. */
  #isLogOver = false;
  #hasEntries = false;
  /** True where a string is the name of a member of the log. */
  #namesMember = false;
  /** The name that is being read, or was read last. */
  #name = '';
  #readsName = false;
  #inEntries = false;
  /** The part that is being held, its bytes in earlier chunks, and the depth at which it ends. */
  #part: HarPart['is'] | undefined;
  #pieces: Uint8Array[] = [];
  #held = 0;

  /** True if what was read is a whole archive. */
  get isComplete(): boolean {
    return this.#depth === 0 && this.#isLogOver && this.#hasEntries && !this.#inString;
  }

  /** Returns the parts that end in this chunk. Throws a RecordingError for an entry that is too long. */
  *splitChunk(chunk: Uint8Array): Generator<HarPart> {
    let from = this.#part ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) {
        at = this.#endString(chunk, at);
        continue;
      }
      switch (chunk[at]) {
        case QUOTE:
          this.#inString = true;
          this.#readsName = this.#depth === IN_LOG && this.#namesMember;
          if (this.#readsName) this.#name = '';
          break;
        case OPEN_OBJECT:
          if (this.#beginsPart()) from = at;
          this.#open();
          break;
        case OPEN_ARRAY:
          if (this.#depth === IN_LOG && this.#isMember('entries')) {
            this.#inEntries = true;
            this.#hasEntries = true;
          }
          this.#open();
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          this.#depth--;
          if (this.#depth < IN_LOG && this.#depth >= 0 && !this.#isLogOver) this.#isLogOver = true;
          if (this.#inEntries && this.#depth === IN_LOG) this.#inEntries = false;
          else if (this.#part && this.#depth === (this.#part === 'entry' ? IN_ENTRIES : IN_LOG)) {
            this.#hold(chunk.subarray(from, at + 1));
            yield this.#takePart(this.#part);
            from = -1;
          }
          break;
        case COMMA:
          if (this.#depth === IN_LOG) this.#namesMember = true;
          break;
        case COLON:
          if (this.#depth === IN_LOG) this.#namesMember = false;
          break;
      }
    }
    if (from >= 0) this.#hold(chunk.subarray(from));
  }

  #open(): void {
    this.#depth++;
    if (this.#depth === IN_LOG) this.#namesMember = true;
  }

  #isMember(name: string): boolean {
    return !this.#isLogOver && !this.#namesMember && this.#name === name;
  }

  /** Returns true if the object that opens here is a part, and begins it. */
  #beginsPart(): boolean {
    if (this.#inEntries && this.#depth === IN_ENTRIES) this.#part = 'entry';
    else if (this.#depth === IN_LOG && this.#isMember('creator')) this.#part = 'creator';
    else return false;
    return true;
  }

  #hold(piece: Uint8Array): void {
    this.#held += piece.length;
    if (this.#held > LIMITS.recordedPlainBytes) throw ENTRY_TOO_LARGE;
    // A chunk may be reused by its source.
    this.#pieces.push(piece.slice());
  }

  #takePart(is: HarPart['is']): HarPart {
    const bytes = joinBytes(this.#pieces);
    this.#part = undefined;
    this.#pieces = [];
    this.#held = 0;
    return { is, bytes };
  }

  /** Returns the offset of the quote that ends the string, or of the last byte of the chunk. */
  #endString(chunk: Uint8Array, start: number): number {
    for (let from = start; ; ) {
      const quote = chunk.indexOf(QUOTE, from);
      const end = quote < 0 ? chunk.length : quote;
      let run = 0;
      while (end - run > from && chunk[end - run - 1] === BACKSLASH) run++;
      const isOdd = (run + (this.#isEscaped && end - run === from ? 1 : 0)) % 2 === 1;
      if (this.#readsName && this.#name.length < NAME_BYTES)
        this.#name += decoder.decode(chunk.subarray(from, Math.min(end, from + NAME_BYTES)));
      this.#isEscaped = quote < 0 && isOdd;
      if (quote < 0) return chunk.length - 1;
      from = quote + 1;
      if (isOdd) continue;
      this.#inString = false;
      return quote;
    }
  }
}

const ENTRY_TOO_LARGE = new RecordingError(
  'har-too-large',
  `An entry of this HTTP Archive is larger than ${formatBytes(LIMITS.recordedPlainBytes)}.`,
  'Export only the MCP requests.',
);
