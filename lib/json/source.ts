import { parseBounded } from './parse';
import { skipSpace, stringEnd, valueEnd } from './scan';
import { isObject, own } from './value';

/** What a JSON value is, as its first character tells. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A member of an object or an item of an array. */
export interface JsonChild {
  /** Of a member, escapes decoded; undefined for an item. */
  readonly name: string | undefined;
  readonly source: JsonSource;
}

/** Some of a value's children, and how many it has. */
export interface JsonChildren {
  readonly count: number;
  readonly children: readonly JsonChild[];
}

const NONE: readonly string[] = [];

/** Children whose places a value keeps, so that its text is gone through once: an object rarely has more. */
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
 * A JSON value where it stands in its text, so that it can be shown as it was written: all digits, repeated names, order.
 * Children are found when asked for, and only those of this value: a large text costs what is looked at.
 */
export abstract class JsonSource {
  readonly #members = new Map<string, JsonSource | undefined>();
  #listed: { readonly limit: number; readonly except: readonly string[]; readonly children: JsonChildren } | undefined;

  /** undefined for a text that is not JSON, or a monster of it (see {@link parseBounded}). */
  static parse(text: string): JsonSource | undefined {
    try {
      const value = parseBounded(text);
      return new TextSource(text, skipSpace(text, 0), text.trimEnd().length, value);
    } catch {
      return undefined;
    }
  }

  /** A value that has no text of its own. Throws RangeError when it is nested too deep to be written. */
  static of(value: unknown): JsonSource {
    const text = JSON.stringify(value) ?? 'null';
    return new TextSource(text, 0, text.length, value);
  }

  abstract get kind(): JsonKind;

  /** As written. */
  abstract get text(): string;

  /** The first `length` characters of it, or a few less: for what only shows its beginning. */
  abstract textStart(length: number): string;

  /** Of a string what it begins with: its first `length` UTF-16 units, or all. */
  abstract stringStart(length: number): string;

  /** Length of the text, in UTF-16 units; of one that is kept in bytes, in bytes. */
  abstract get length(): number;

  /** What JSON.parse makes of it: numbers are doubles, of members with one name the last one counts. */
  abstract get value(): unknown;

  /** The member that `value` has under this name; undefined if there is none. The same object each time. */
  member(name: string): JsonSource | undefined {
    if (!this.#members.has(name)) this.#members.set(name, this.findMember(name));
    return this.#members.get(name);
  }

  /** The item at `index`; undefined for none. */
  item(index: number): JsonSource | undefined {
    return this.kind === 'array' ? this.children(index + 1).children[index]?.source : undefined;
  }

  /**
   * The first `limit` members or items, in the order written, and how many there are; members named in `except` are left
   * out and not counted. Linear in this value; asked the same again, it answers with the same object.
   */
  children(limit: number, except: readonly string[] = NONE): JsonChildren {
    if (this.#listed?.limit !== limit || this.#listed.except !== except) {
      this.#listed = { limit, except, children: this.listChildren(limit, except) };
    }
    return this.#listed.children;
  }

  /** As {@link member}, looked for anew. */
  protected abstract findMember(name: string): JsonSource | undefined;

  /** As {@link children}, gone through anew. */
  protected abstract listChildren(limit: number, except: readonly string[]): JsonChildren;
}

/** A value in a string. */
class TextSource extends JsonSource {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  #value: unknown;
  /** Where the children are, three numbers each. */
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

  /** Visits each child; `nameStart` is -1 for items. Looks for them once, unless there are too many to remember. */
  #walk(visit: (nameStart: number, start: number, end: number) => void): void {
    if (this.#places) {
      for (let at = 0; at < this.#places.length; at += 3) {
        visit(this.#places[at]!, this.#places[at + 1]!, this.#places[at + 2]!);
      }
      return;
    }
    const places: number[] = [];
    this.#scan((nameStart, start, end) => {
      if (places.length < 3 * REMEMBERED) places.push(nameStart, start, end);
      visit(nameStart, start, end);
    });
    if (places.length < 3 * REMEMBERED) this.#places = places;
  }

  /** The text is known to be JSON, so every end is there. */
  #scan(visit: (nameStart: number, start: number, end: number) => void): void {
    const named = this.kind === 'object';
    if (!named && this.kind !== 'array') return;
    const text = this.#text;
    let at = skipSpace(text, this.#start + 1);
    while (at < this.#end - 1) {
      const nameStart = named ? at : -1;
      const start = named ? skipSpace(text, skipSpace(text, stringEnd(text, at)) + 1) : at;
      const end = valueEnd(text, start);
      visit(nameStart, start, end);
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
  }
}
