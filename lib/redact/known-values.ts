import { BYTE, equalsAt } from '@/lib/json/scan';
import { LIMITS } from '@/lib/wire/limits';
import { bytesOfText } from './byte-text';
import {
  firstNotBefore,
  formsOf,
  HEAD_CHARS,
  type KnownPlace,
  type KnownValue,
  matchFormAt,
  type SharedForm,
  type ValueForm,
} from './known-forms';

/** Characters of all known values together. Beyond that the oldest are forgotten. */
const REDACTED_VALUE_CHARS = 2_000_000;

/** The first values are also looked for in rare forms, which are many. */
const RARELY_WRITTEN = 2000;

/** A known value and its forms. */
interface Kept {
  readonly known: KnownValue;
  readonly forms: readonly ValueForm[];
}

/**
 * Finds known values wherever they are repeated, in any form. A search for a thousand values takes one pass: a hash of
 * four characters tells whether to compare, and forms with the same beginning are sorted. Beyond its bounds it forgets
 * the oldest value, unless that was given.
 */
export class KnownValues {
  readonly #values = new Map<string, Kept>();
  /** How many forms begin with characters of each hash. */
  readonly #heads = new Uint16Array(1 << HASH_BITS);
  readonly #forms = new Map<string, SharedForm[]>();
  /** The heads of all forms by their first four bytes, each once. */
  readonly #beginnings = new Map<number, Uint8Array[]>();

  readonly #most: number;
  readonly #mostCharacters: number;
  #characters = 0;
  #forgotten = 0;
  #version = 0;

  /** Bounds: number of values, and their characters together. */
  constructor(most: number = LIMITS.redactedValues, mostCharacters: number = REDACTED_VALUE_CHARS) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
  }

  /** The values that are not forgotten, newest last. */
  *values(): Iterable<KnownValue> {
    for (const { known } of this.#values.values()) yield known;
  }

  /** Grows with each value that is added. */
  get version(): number {
    return this.#version;
  }

  /** How many values were forgotten. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Adds a value unless it is too short. A known value becomes the newest. Returns true if it was new. */
  add(known: KnownValue): boolean {
    const { value } = known;
    if (value.length < (/^(?=.*\d)(?=.*[A-Za-z])/.test(value) ? HEAD_CHARS : LIMITS.secretChars)) return false;
    const same = this.#values.get(value);
    if (same) {
      this.#values.delete(value);
      this.#values.set(value, same);
      return false;
    }
    this.#version++;
    const forms = formsOf(known, this.#values.size < RARELY_WRITTEN);
    this.#values.set(value, { known, forms });
    this.#characters += value.length;
    for (const form of forms) this.#addForm(form);
    if (this.#values.size > this.#most || this.#characters > this.#mostCharacters) this.#forget(known);
    return true;
  }

  /** Counts as forgotten a value that is not added, because it would be forgotten at once. */
  countAsForgotten(): void {
    this.#forgotten++;
  }

  /** Forgets the oldest values until the bounds hold, except given ones and the newest. */
  #forget(newest: KnownValue): void {
    for (const { known, forms } of this.#values.values()) {
      if (this.#values.size <= this.#most && this.#characters <= this.#mostCharacters) return;
      if (known.rule === 'given' || known === newest) continue;
      this.#values.delete(known.value);
      this.#forgotten++;
      this.#characters -= known.value.length;
      for (const form of forms) this.#removeForm(form);
    }
  }

  #addForm(form: ValueForm): void {
    const { text } = form;
    const head = text.slice(0, HEAD_CHARS);
    const forms = this.#forms.get(head) ?? [];
    if (forms.length === 0) {
      this.#forms.set(head, forms);
      this.#addHead(bytesOfText(head));
    }
    const at = firstNotBefore(forms, text);
    const same = forms[at]?.text === text ? forms[at].forms : undefined;
    // A part may be too short to be certain; a whole value is not.
    if (same && form.part === undefined) same.push(form);
    else if (same) same.unshift(form);
    else {
      forms.splice(at, 0, { text, forms: [form] });
      this.#count(text, 1);
    }
  }

  #removeForm(form: ValueForm): void {
    const { text } = form;
    const head = text.slice(0, HEAD_CHARS);
    const forms = this.#forms.get(head)!;
    const at = firstNotBefore(forms, text);
    const same = forms[at]!.forms;
    same.splice(same.indexOf(form), 1);
    if (same.length > 0) return;
    forms.splice(at, 1);
    if (forms.length === 0) {
      this.#forms.delete(head);
      this.#removeHead(bytesOfText(head));
    }
    this.#count(text, -1);
  }

  #addHead(head: Uint8Array): void {
    const heads = this.#beginnings.get(word(head, 0));
    if (heads) heads.push(head);
    else this.#beginnings.set(word(head, 0), [head]);
  }

  #removeHead(head: Uint8Array): void {
    const heads = this.#beginnings.get(word(head, 0))!;
    heads.splice(
      heads.findIndex((other) => equalsAt(other, 0, HEAD_CHARS, head)),
      1,
    );
    if (heads.length === 0) this.#beginnings.delete(word(head, 0));
  }

  #count(text: string, change: 1 | -1): void {
    this.#change(hash(pack(text, 0) | (text.charCodeAt(3) << 24)), change);
    // In byte text, a character's code can differ from its byte.
    this.#change(hash(word(bytesOfText(text.slice(0, 4)), 0)), change);
  }

  /** Changes a counter. A full counter stays full, which costs needless comparisons but misses nothing. */
  #change(head: number, change: 1 | -1): void {
    if (this.#heads[head]! < MOST_HEADS) this.#heads[head]! += change;
  }

  /** Returns false if the bytes certainly hold no known value. */
  mayBeIn(bytes: Uint8Array): boolean {
    if (this.#values.size === 0) return false;
    const heads = this.#heads;
    let packed = 0;
    for (let at = 0; at < bytes.length; at++) {
      packed = (packed >>> 8) | (bytes[at]! << 24);
      if (heads[hash(packed)] !== 0 && this.#mayBegin(bytes, at - 3)) return true;
    }
    return false;
  }

  /**
   * Returns true if a head may start here. In a large frame, some bytes have the hash of a head by chance, and few of
   * them continue like it.
   */
  #mayBegin(bytes: Uint8Array, at: number): boolean {
    const heads = this.#beginnings.get(word(bytes, at)) ?? [];
    return heads.length > COMPARED_HEADS || heads.some((head) => mayContinueAs(head, bytes, at));
  }

  /** Finds each place of a known value from left to right, the longest value at each offset. */
  *find(text: string): Generator<KnownPlace> {
    if (this.#values.size === 0) return;
    let from = 0;
    for (let found = this.#next(text, 0, 0); found; found = this.#next(text, from, from)) {
      from = found.to;
      yield found;
    }
  }

  /** `after`: where the last match ended. */
  #next(text: string, from: number, after: number): KnownPlace | undefined {
    const heads = this.#heads;
    const last = text.length - HEAD_CHARS;
    let packed = pack(text, from) << 8;
    for (let at = from; at <= last; at++) {
      packed = (packed >>> 8) | (text.charCodeAt(at + 3) << 24);
      if (heads[hash(packed)] === 0) continue;
      const forms = this.#forms.get(text.slice(at, at + HEAD_CHARS));
      const place = forms && matchFormAt(forms, text, at, after);
      if (place) return place;
    }
    return undefined;
  }
}

/** Bits of the hash of four characters. */
const HASH_BITS = 18;
const MOST_HEADS = 0xffff;
/** If more heads share their first four bytes, comparing them all is not worth it. */
const COMPARED_HEADS = 16;

/** Packs three characters into a number, the first one lowest. The caller adds the fourth. */
function pack(text: string, at: number): number {
  return (
    (text.charCodeAt(at) & 0xff) | ((text.charCodeAt(at + 1) & 0xff) << 8) | ((text.charCodeAt(at + 2) & 0xff) << 16)
  );
}

/** Packs four bytes into a number, the first one lowest. Missing bytes are 0. */
function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function hash(packed: number): number {
  return Math.imul(packed, 0x9e3779b1) >>> (32 - HASH_BITS);
}

const PERCENT = 0x25;
const SPACE = 0x20;
const LETTER_U = 0x75;

/**
 * Returns false if the bytes at a place cannot continue as `head`, whose first four bytes match. Returns true if they
 * do or may after decoding: nested JSON escapes, percent-encoding, colours and line breaks.
 */
export function mayContinueAs(head: Uint8Array, bytes: Uint8Array, start: number): boolean {
  let at = start + 4;
  for (let place = 4; place < head.length; place++, at++) {
    const wanted = head[place]!;
    const byte = bytes[at];
    if (byte === undefined) return false;
    if (byte === PERCENT || byte < SPACE) return true;
    if (byte === wanted) continue;
    while (bytes[at] === BYTE.backslash) at++;
    if (byte !== BYTE.backslash) return false;
    // A control character is escaped as a letter.
    if (bytes[at] === LETTER_U || wanted < SPACE) return true;
    if (bytes[at] !== wanted) return false;
  }
  return true;
}
