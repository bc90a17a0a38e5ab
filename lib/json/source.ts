import { parseBounded } from './parse';
import { skipSpace, stringEnd, visitChildren } from './scan';
import { isObject, own } from './value';

/** The type of a JSON value, known from its first character. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A member of an object or an item of an array. */
export interface JsonChild {
  /** Decoded name of a member; undefined for an item. */
  readonly name: string | undefined;
  readonly source: JsonSource;
}

/** The first children of a value, and how many it has. */
export interface JsonChildren {
  readonly count: number;
  readonly children: readonly JsonChild[];
}

const NONE: readonly string[] = [];

/** Most children whose places are remembered, so that the text is scanned only once. Objects rarely have more. */
const REMEMBERED = 1000;

const KINDS: Readonly<Record<string, JsonKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/**
 * A JSON value with the text it was written in, so that it can be shown with all digits, repeated names and order.
 * Children are found on demand, one level at a time: a large text costs only what is looked at.
 */
export abstract class JsonSource {
  readonly #members = new Map<string, JsonSource | undefined>();
  #listed: { readonly limit: number; readonly except: readonly string[]; readonly children: JsonChildren } | undefined;

  /** Returns undefined for invalid JSON, and beyond the bounds of {@link parseBounded}. */
  static parse(text: string): JsonSource | undefined {
    try {
      return JsonSource.parsed(text, parseBounded(text));
    } catch {
      return undefined;
    }
  }

  /** Wraps the value of a text that was parsed before. */
  static parsed(text: string, value: unknown): JsonSource {
    return new TextSource(text, skipSpace(text, 0), text.trimEnd().length, value);
  }

  /** Wraps a value that has no text. Throws RangeError if it is nested too deep to be written. */
  static of(value: unknown): JsonSource {
    const text = JSON.stringify(value) ?? 'null';
    return new TextSource(text, 0, text.length, value);
  }

  abstract get kind(): JsonKind;

  /** The value as written. */
  abstract get text(): string;

  /** Returns the first `length` characters of the text, or a few fewer. */
  abstract textStart(length: number): string;

  /** Returns the first `length` UTF-16 units of a string's value. */
  abstract stringStart(length: number): string;

  /** Length of the text in UTF-16 units, or in bytes if it is kept as bytes. */
  abstract get length(): number;

  /** The value, as JSON.parse returns it: numbers are doubles, and the last of repeated names wins. */
  abstract get value(): unknown;

  /** Returns the member that `value` has under this name, the same object each time. */
  member(name: string): JsonSource | undefined {
    if (!this.#members.has(name)) this.#members.set(name, this.findMember(name));
    return this.#members.get(name);
  }

  /** Returns the item at `index` of an array. */
  item(index: number): JsonSource | undefined {
    return this.kind === 'array' ? this.children(index + 1).children[index]?.source : undefined;
  }

  /**
   * Returns the first `limit` members or items as written, and how many there are. Members named in `except` are left
   * out and not counted. Linear in the size of the value; the same call again returns the same object.
   */
  children(limit: number, except: readonly string[] = NONE): JsonChildren {
    if (this.#listed?.limit !== limit || this.#listed.except !== except) {
      this.#listed = { limit, except, children: this.listChildren(limit, except) };
    }
    return this.#listed.children;
  }

  /** Finds a member, without the cache. */
  protected abstract findMember(name: string): JsonSource | undefined;

  /** Lists children, without the cache. */
  protected abstract listChildren(limit: number, except: readonly string[]): JsonChildren;
}

/** A value in a string. The string must be valid JSON from `start` to `end`. */
class TextSource extends JsonSource {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  #value: unknown;
  /** Three numbers per child: the start of its name or -1, its start, its end. */
  #places: number[] | undefined;

  constructor(text: string, start: number, end: number, value: unknown) {
    super();
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#value = value;
  }

  get kind(): JsonKind {
    return KINDS[this.#text[this.#start]!] ?? 'number';
  }

  get text(): string {
    return this.#text.slice(this.#start, this.#end);
  }

  textStart(length: number): string {
    return this.#text.slice(this.#start, Math.min(this.#end, this.#start + length));
  }

  stringStart(length: number): string {
    return String(this.value).slice(0, length);
  }

  get length(): number {
    return this.#end - this.#start;
  }

  get value(): unknown {
    if (this.#value === undefined) this.#value = JSON.parse(this.text);
    return this.#value;
  }

  protected listChildren(limit: number, except: readonly string[]): JsonChildren {
    const children: JsonChild[] = [];
    let count = 0;
    this.#walk((nameStart, start, end) => {
      const wanted = count < limit || except.length > 0;
      const name = wanted && nameStart >= 0 ? this.#name(nameStart) : undefined;
      if (name !== undefined && except.includes(name)) return;
      if (count < limit) {
        const value = Array.isArray(this.#value) ? this.#value[count] : undefined;
        children.push({ name, source: new TextSource(this.#text, start, end, value) });
      }
      count++;
    });
    return { count, children };
  }

  protected findMember(name: string): JsonSource | undefined {
    if (this.kind !== 'object') return undefined;
    const value = isObject(this.#value) ? own(this.#value, name) : undefined;
    let found: JsonSource | undefined;
    this.#walk((nameStart, start, end) => {
      if (this.#name(nameStart) === name) found = new TextSource(this.#text, start, end, value);
    });
    return found;
  }

  #name(start: number): string {
    return JSON.parse(this.#text.slice(start, stringEnd(this.#text, start))) as string;
  }

  /** Visits each child; `nameStart` is -1 for items. Scans the text once, unless there are too many to remember. */
  #walk(visit: (nameStart: number, start: number, end: number) => void): void {
    if (this.#places) {
      for (let at = 0; at < this.#places.length; at += 3) {
        visit(this.#places[at]!, this.#places[at + 1]!, this.#places[at + 2]!);
      }
      return;
    }
    const places: number[] = [];
    visitChildren(this.#text, this.#start, (start, end, nameStart) => {
      if (places.length < 3 * REMEMBERED) places.push(nameStart, start, end);
      visit(nameStart, start, end);
    });
    if (places.length < 3 * REMEMBERED) this.#places = places;
  }
}
