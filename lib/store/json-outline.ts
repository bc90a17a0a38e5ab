import { BYTE } from '@/lib/wire/json-bytes';
import type { JsonKind } from '@/lib/wire/json-source';
import { uint32 } from './column';

const KINDS: ReadonlyMap<number, JsonKind> = new Map([
  [0x7b, 'object'],
  [0x5b, 'array'],
  [BYTE.quote, 'string'],
  [0x74, 'boolean'],
  [0x66, 'boolean'],
  [0x6e, 'null'],
]);

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes of a string looked at for what only shows its beginning. */
const START_BYTES = 2048;

/**
 * Where every value of a JSON text stands in its bytes: nothing is decoded or made an object of until it is looked at, so a
 * text of ten megabytes costs its columns. Values are numbered in document order: 0 is the root, and what is in a value lies
 * between it and {@link next}. Filled by an `OutlineReader`.
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

  /** How many values there are. */
  get size(): number {
    return this.#size;
  }

  /** For the reader: a value begins. `name` is where its name's quote stands, 0 without one; the root is its own parent. */
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

  /** For the reader: the value ends before `end`. */
  finish(node: number, end: number): void {
    this.#end.set(node, end);
    this.#next.set(node, this.#size);
  }

  kind(node: number): JsonKind {
    return KINDS.get(this.bytes[this.#start.get(node)]!) ?? 'number';
  }

  /** True for an object or an array. */
  isBranch(node: number): boolean {
    const first = this.bytes[this.#start.get(node)];
    return first === 0x7b || first === 0x5b;
  }

  /** Byte offsets. */
  start(node: number): number {
    return this.#start.get(node);
  }

  end(node: number): number {
    return this.#end.get(node);
  }

  /** Byte offset of the quote before its name; undefined for items and the root. */
  nameStart(node: number): number | undefined {
    return this.#name.get(node) || undefined;
  }

  /** Byte offset of the quote after its name; only for a value that has one. Only its colon is between them. */
  nameEnd(node: number): number {
    let at = this.start(node) - 1;
    while (this.bytes[at] !== BYTE.quote) at--;
    return at;
  }

  /** The value that it is in; undefined for the root. */
  parent(node: number): number | undefined {
    return node === 0 ? undefined : this.#parent.get(node);
  }

  /** The first value behind all that is in this one. */
  next(node: number): number {
    return this.#next.get(node);
  }

  childCount(node: number): number {
    return this.#children.get(node);
  }

  /** The values right in this one, in the order written. */
  *children(node: number): Generator<number> {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) yield child;
  }

  /** Escapes read; undefined for items and the root. */
  name(node: number): string | undefined {
    const start = this.nameStart(node);
    return start === undefined ? undefined : this.#string(start, this.nameEnd(node) + 1);
  }

  /** The beginning of its name, however long that is; undefined for items and the root. */
  shortName(node: number): string | undefined {
    const start = this.nameStart(node);
    return start === undefined ? undefined : this.#beginning(start, this.nameEnd(node) + 1).text;
  }

  /** How many come before it in what it is in: the place of an item. */
  place(node: number): number {
    const parent = this.parent(node);
    let place = 0;
    if (parent !== undefined) for (let at = parent + 1; at < node; at = this.next(at)) place++;
    return place;
  }

  /** As written: all digits, escapes and white space. U+FFFD for what is no UTF-8. */
  text(node: number): string {
    return lossy.decode(this.bytes.subarray(this.start(node), this.end(node)));
  }

  /** The string it stands for, escapes read; of anything else the text. */
  string(node: number): string {
    return this.kind(node) === 'string' ? this.#string(this.start(node), this.end(node)) : this.text(node);
  }

  /** The beginning of a string, as far as `bytes` hold, and whether that is all of it. */
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

/** The string that a part of a string's bytes stands for. */
export function decodePart(bytes: Uint8Array, from: number, to: number): string {
  return JSON.parse(`"${lossy.decode(bytes.subarray(from, to))}"`) as string;
}

/** The last place ≤ `limit` in a string's bytes, from `from` on, that splits neither an escape nor a character. */
export function stringBreak(bytes: Uint8Array, from: number, limit: number): number {
  let at = from;
  for (let next = at; next <= limit; next += step(bytes, next)) at = next;
  return at;
}

/** A byte that only claims to begin a character takes nothing along that isn't one's: no escape behind it is split. */
function step(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  if (byte === BYTE.backslash) return bytes[at + 1] === 0x75 ? 6 : 2;
  const most = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  let length = 1;
  while (length < most && (bytes[at + length]! & 0xc0) === 0x80) length++;
  return length;
}
