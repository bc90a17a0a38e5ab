import { BOM_BYTES, JSON_DEPTH, JSON_NODES, startsWithBom } from './parse';
import { BYTE, isSpace } from './scan';
import type { JsonKind } from './source';
import { uint32 } from './typed-arrays';

const KINDS: ReadonlyMap<number, JsonKind> = new Map([
  [BYTE.openObject, 'object'],
  [BYTE.openArray, 'array'],
  [BYTE.quote, 'string'],
  [0x74, 'boolean'],
  [0x66, 'boolean'],
  [0x6e, 'null'],
]);

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes of a string decoded to show only its beginning. */
const START_BYTES = 2048;

/**
 * The position of every value in the bytes of a JSON text. Nothing is decoded or parsed until it is looked at. Values
 * are numbered in document order: 0 is the root, and the content of a value lies between it and {@link next}.
 */
export class JsonOutline {
  readonly bytes: Uint8Array;
  readonly #start = uint32();
  readonly #end = uint32();
  readonly #name = uint32();
  readonly #parent = uint32();
  readonly #next = uint32();
  readonly #children = uint32();
  #size = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Number of values. */
  get size(): number {
    return this.#size;
  }

  /**
   * Called by the reader when a value begins. `name` is the offset of its name's quote, or 0. The root is its own
   * parent.
   */
  begin(start: number, name: number, parent: number): number {
    const node = this.#size++;
    this.#start.push(start);
    this.#end.push(0);
    this.#name.push(name);
    this.#parent.push(parent);
    this.#next.push(0);
    this.#children.push(0);
    if (node !== parent) this.#children.set(parent, this.#children.get(parent) + 1);
    return node;
  }

  /** Called by the reader when a value ends. `end` is the offset after it. */
  finish(node: number, end: number): void {
    this.#end.set(node, end);
    this.#next.set(node, this.#size);
  }

  kind(node: number): JsonKind {
    return KINDS.get(this.bytes[this.#start.get(node)]!) ?? 'number';
  }

  /** Returns true for an object or an array. */
  isBranch(node: number): boolean {
    const first = this.bytes[this.#start.get(node)];
    return first === BYTE.openObject || first === BYTE.openArray;
  }

  /** Byte offset of the first byte. */
  start(node: number): number {
    return this.#start.get(node);
  }

  end(node: number): number {
    return this.#end.get(node);
  }

  /** Byte offset of the quote before the name; undefined for items and the root. */
  nameStart(node: number): number | undefined {
    return this.#name.get(node) || undefined;
  }

  /** Byte offset of the quote after the name. Call it only for a value with a name. */
  nameEnd(node: number): number {
    let at = this.start(node) - 1;
    while (this.bytes[at] !== BYTE.quote) at--;
    return at;
  }

  /** Returns the value around this one; undefined for the root. */
  parent(node: number): number | undefined {
    return node === 0 ? undefined : this.#parent.get(node);
  }

  /** Returns the first value after this one and its content. */
  next(node: number): number {
    return this.#next.get(node);
  }

  childCount(node: number): number {
    return this.#children.get(node);
  }

  /** Yields the members or items in the order written. */
  *children(node: number): Generator<number> {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) yield child;
  }

  /** Decoded name; undefined for items and the root. */
  name(node: number): string | undefined {
    const start = this.nameStart(node);
    return start === undefined ? undefined : this.#string(start, this.nameEnd(node) + 1);
  }

  /** First characters of the decoded name; undefined for items and the root. */
  shortName(node: number): string | undefined {
    const start = this.nameStart(node);
    return start === undefined ? undefined : this.#beginning(start, this.nameEnd(node) + 1).text;
  }

  /** Returns the number of siblings before this value. */
  indexInParent(node: number): number {
    const parent = this.parent(node);
    let place = 0;
    if (parent !== undefined) for (let at = parent + 1; at < node; at = this.next(at)) place++;
    return place;
  }

  /** The value as written, with U+FFFD for invalid UTF-8. */
  text(node: number): string {
    return lossy.decode(this.bytes.subarray(this.start(node), this.end(node)));
  }

  /** The decoded string; other values as written. */
  string(node: number): string {
    return this.kind(node) === 'string' ? this.#string(this.start(node), this.end(node)) : this.text(node);
  }

  /** Returns the decoded beginning of a string within `bytes`, and whether that is the whole string. */
  stringStart(node: number, bytes = START_BYTES): { readonly text: string; readonly whole: boolean } {
    return this.#beginning(this.start(node), this.end(node), bytes);
  }

  #beginning(start: number, end: number, most = START_BYTES): { readonly text: string; readonly whole: boolean } {
    if (end - start <= most) return { text: this.#string(start, end), whole: true };
    const cut = stringBreak(this.bytes, start + 1, start + most);
    return { text: decodePart(this.bytes, start + 1, cut), whole: false };
  }

  #string(start: number, end: number): string {
    return JSON.parse(lossy.decode(this.bytes.subarray(start, end))) as string;
  }
}

/** Decodes a part of a string's bytes. */
export function decodePart(bytes: Uint8Array, from: number, to: number): string {
  return JSON.parse(`"${lossy.decode(bytes.subarray(from, to))}"`) as string;
}

/** Returns the last offset ≤ `limit` in a string's bytes that splits neither an escape nor a character. */
export function stringBreak(bytes: Uint8Array, from: number, limit: number): number {
  let at = from;
  for (let next = at; next <= limit; next += step(bytes, next)) at = next;
  return at;
}

/**
 * Returns the length of the escape or character at `at`. Invalid UTF-8 counts byte by byte, so no escape is skipped.
 */
function step(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  if (byte === BYTE.backslash) return bytes[at + 1] === 0x75 ? 6 : 2;
  const most = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  let length = 1;
  while (length < most && (bytes[at + length]! & 0xc0) === 0x80) length++;
  return length;
}

/** The token that must come next. */
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

/** Why there is no outline: invalid JSON (RFC 8259), or beyond the bounds of `parseBounded`. */
export type OutlineFailure = 'not-json' | 'too-deep' | 'too-many';

/** Bytes read before yielding. They take at most two milliseconds, whatever they contain. */
const PORTION = 16 * 1024;

/**
 * Reads a JSON text into its outline. Yields the number of bytes read after each portion, so that a large text blocks
 * nothing. Validates everything in RFC 8259 except the encoding: invalid UTF-8 in a string is accepted. Ignores a byte
 * order mark.
 */
export function* readOutline(bytes: Uint8Array, portion = PORTION): Generator<number, JsonOutline | OutlineFailure> {
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
  /** Open objects and arrays, outermost first. */
  readonly #open: number[] = [];
  #at = 0;
  #expected: Expected = 'value';
  /** Offset of the quote before the name of the next value. */
  #name = 0;
  #string = 0;
  /** Counted as in `parseBounded`: opening brackets and commas. */
  #nodes = 0;
  #fault: OutlineFailure | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#outline = new JsonOutline(bytes);
    if (startsWithBom(bytes)) this.#at = BOM_BYTES;
  }

  /** Bytes read so far. */
  get at(): number {
    return this.#at;
  }

  /** The outline, or why there is none; undefined until everything is read. */
  get result(): JsonOutline | OutlineFailure | undefined {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#at < this.#bytes.length) return undefined;
    return this.#expected === 'end' ? this.#outline : 'not-json';
  }

  /** Reads at least `length` more bytes. Stops at the end of a token. */
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
    if (expected === 'colon') this.#expect(byte === BYTE.colon, 'value');
    else if (expected === 'name' || expected === 'name or }') this.#nameOrEnd(byte);
    else if (expected === 'comma or end') this.#commaOrEnd(byte);
    else if (expected === 'item or ]' && byte === BYTE.closeArray) this.#close();
    else if (expected === 'end') this.#fault = 'not-json';
    else this.#value(byte);
  }

  #expect(fits: boolean, next: Expected): void {
    if (!fits) this.#fault = 'not-json';
    this.#at++;
    this.#expected = next;
  }

  #nameOrEnd(byte: number): void {
    if (byte === BYTE.closeObject && this.#expected === 'name or }') this.#close();
    else {
      this.#name = this.#at;
      this.#expect(byte === BYTE.quote, 'in name');
    }
  }

  #commaOrEnd(byte: number): void {
    const array = this.#bytes[this.#outline.start(this.#open.at(-1)!)] === BYTE.openArray;
    if (byte === BYTE.comma) {
      this.#expect(true, array ? 'value' : 'name');
      if (++this.#nodes > JSON_NODES) this.#fault = 'too-many';
    } else if (byte === (array ? BYTE.closeArray : BYTE.closeObject)) this.#close();
    else this.#fault = 'not-json';
  }

  #value(byte: number): void {
    const outline = this.#outline;
    const node = outline.begin(this.#at, this.#name, this.#open.at(-1) ?? 0);
    this.#name = 0;
    if (byte === BYTE.openArray || byte === BYTE.openObject) {
      this.#nodes++;
      if (this.#open.push(node) > JSON_DEPTH) this.#fault = 'too-deep';
      this.#expect(true, byte === BYTE.openArray ? 'item or ]' : 'name or }');
    } else if (byte === BYTE.quote) {
      this.#string = node;
      this.#expect(true, 'in string');
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

/** Characters that can follow a backslash, except `u`. */
const ESCAPED = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/** Returns the length of the escape at `at`; 0 if it is invalid. */
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

/** Words of JSON by their first letter. */
const WORDS: ReadonlyMap<number, string> = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));

/** Returns the index after the number or word at `start`; -1 if it is invalid. */
function scalarEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start]!;
  if (first === 0x2d || isDigit(first)) return numberEnd(bytes, start);
  const word = WORDS.get(first);
  if (word === undefined) return -1;
  for (let at = 1; at < word.length; at++) if (bytes[start + at] !== word.charCodeAt(at)) return -1;
  return start + word.length;
}

/** Reads a number as in RFC 8259, section 6. */
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
