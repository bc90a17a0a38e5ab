import { BYTE } from '@/lib/wire/json-bytes';
import { LIMITS } from '@/lib/wire/limits';
import { JsonOutline } from './json-outline';

/** What has to come next. */
type Expected =
  | 'value'
  | 'item or ]'
  | 'name or }'
  | 'name'
  | 'in name'
  | 'colon'
  | 'in string'
  | 'comma or end'
  | 'end';

/** Why there is no outline: the text is no JSON (RFC 8259), or a monster that nothing here looks into. */
export type OutlineFault = 'not-json' | 'too-deep' | 'too-many';

/** Bytes read before others get a turn: under a millisecond or two, whatever is in them. */
const PORTION = 16 * 1024;

/**
 * Reads a JSON text into its outline, a portion at a time, so that a large one blocks nothing: yields how many bytes were read.
 * Checks all of RFC 8259 but the encoding: what is no UTF-8 within a string is read over.
 */
export function* readOutline(bytes: Uint8Array, portion = PORTION): Generator<number, JsonOutline | OutlineFault> {
  const reader = new OutlineReader(bytes);
  for (;;) {
    reader.read(portion);
    if (reader.result !== undefined) return reader.result;
    yield reader.at;
  }
}

class OutlineReader {
  readonly #bytes: Uint8Array;
  readonly #outline: JsonOutline;
  /** Objects and arrays begun, outermost first. */
  readonly #open: number[] = [];
  #at = 0;
  #expected: Expected = 'value';
  /** Where the name's quote stands, of a value to come. */
  #name = 0;
  #string = 0;
  /** As `parseBounded` counts them: what is begun, and commas. */
  #nodes = 0;
  #fault: OutlineFault | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#outline = new JsonOutline(bytes);
  }

  /** Bytes read so far. */
  get at(): number {
    return this.#at;
  }

  /** The outline, or why there is none; undefined before all is read. */
  get result(): JsonOutline | OutlineFault | undefined {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#at < this.#bytes.length) return undefined;
    return this.#expected === 'end' ? this.#outline : 'not-json';
  }

  /** Reads `length` bytes more, and to the end of the token there. */
  read(length: number): void {
    const bytes = this.#bytes;
    const until = Math.min(bytes.length, this.#at + length);
    while (this.#at < until && this.#fault === undefined) {
      if (this.#expected === 'in string' || this.#expected === 'in name') this.#readString(until);
      else if (isSpace(bytes[this.#at]!)) this.#at++;
      else this.#token(bytes[this.#at]!);
    }
  }

  #token(byte: number): void {
    const expected = this.#expected;
    if (expected === 'colon') this.#take(byte === BYTE.colon, 'value');
    else if (expected === 'name' || expected === 'name or }') this.#nameOrEnd(byte);
    else if (expected === 'comma or end') this.#commaOrEnd(byte);
    else if (expected === 'item or ]' && byte === BYTE.closeArray) this.#close();
    else if (expected === 'end') this.#fault = 'not-json';
    else this.#value(byte);
  }

  #take(fits: boolean, next: Expected): void {
    if (!fits) this.#fault = 'not-json';
    this.#at++;
    this.#expected = next;
  }

  #nameOrEnd(byte: number): void {
    if (byte === BYTE.closeObject && this.#expected === 'name or }') this.#close();
    else {
      this.#name = this.#at;
      this.#take(byte === BYTE.quote, 'in name');
    }
  }

  #commaOrEnd(byte: number): void {
    const array = this.#bytes[this.#outline.start(this.#open.at(-1)!)] === BYTE.openArray;
    if (byte === BYTE.comma) {
      this.#take(true, array ? 'value' : 'name');
      if (++this.#nodes > LIMITS.jsonNodes) this.#fault = 'too-many';
    } else if (byte === (array ? BYTE.closeArray : BYTE.closeObject)) this.#close();
    else this.#fault = 'not-json';
  }

  #value(byte: number): void {
    const outline = this.#outline;
    const node = outline.begin(this.#at, this.#name, this.#open.at(-1) ?? 0);
    this.#name = 0;
    if (byte === BYTE.openArray || byte === BYTE.openObject) {
      this.#nodes++;
      if (this.#open.push(node) > LIMITS.jsonDepth) this.#fault = 'too-deep';
      this.#take(true, byte === BYTE.openArray ? 'item or ]' : 'name or }');
    } else if (byte === BYTE.quote) {
      this.#string = node;
      this.#take(true, 'in string');
    } else {
      const end = scalarEnd(this.#bytes, this.#at);
      if (end < 0) this.#fault = 'not-json';
      else this.#finish(node, end);
    }
  }

  #close(): void {
    this.#finish(this.#open.pop()!, this.#at + 1);
  }

  #finish(node: number, end: number): void {
    this.#outline.finish(node, end);
    this.#at = end;
    this.#expected = this.#open.length > 0 ? 'comma or end' : 'end';
  }

  #readString(until: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < until) {
      const byte = bytes[at]!;
      if (byte === BYTE.quote) {
        this.#at = at + 1;
        if (this.#expected === 'in name') this.#expected = 'colon';
        else this.#finish(this.#string, at + 1);
        return;
      }
      const length = byte === BYTE.backslash ? escapeLength(bytes, at) : byte < 0x20 ? 0 : 1;
      if (length === 0) {
        this.#fault = 'not-json';
        return;
      }
      at += length;
    }
    this.#at = at;
  }
}

/** What can follow a backslash. */
const ESCAPED = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/** 0 for what is no escape. */
function escapeLength(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1];
  if (kind === undefined) return 0;
  if (ESCAPED.has(kind)) return 2;
  if (kind !== 0x75) return 0;
  for (let digit = at + 2; digit < at + 6; digit++) if (!isHex(bytes[digit])) return 0;
  return 6;
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The words of JSON, by their first letter. */
const WORDS: ReadonlyMap<number, string> = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));

/** Just past the number or word at `start`; -1 if there is none. */
function scalarEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start]!;
  if (first === 0x2d || isDigit(first)) return numberEnd(bytes, start);
  const word = WORDS.get(first);
  if (word === undefined) return -1;
  for (let at = 1; at < word.length; at++) if (bytes[start + at] !== word.charCodeAt(at)) return -1;
  return start + word.length;
}

/** RFC 8259, section 6. */
function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start;
  const whole = at;
  at = digitsEnd(bytes, at);
  if (at === whole || (bytes[whole] === 0x30 && at > whole + 1)) return -1;
  if (bytes[at] === 0x2e) {
    const fraction = at + 1;
    at = digitsEnd(bytes, fraction);
    if (at === fraction) return -1;
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    const sign = bytes[at + 1];
    const exponent = at + (sign === 0x2b || sign === 0x2d ? 2 : 1);
    at = digitsEnd(bytes, exponent);
    if (at === exponent) return -1;
  }
  return at;
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at;
}
