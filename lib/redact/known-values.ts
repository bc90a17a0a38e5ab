import { LIMITS } from '@/lib/wire/limits';
import { byteOf } from './byte-text';
import { endOfForm, formsOf, type KnownValue, LEAST_FORM_CHARS } from './known-forms';
import { hashOfThree, OTHER, type OtherTexts } from './literal-finder';
import { FRAME_STARTS } from './scan-text';

/** A place of a known value. */
export interface KnownPlace {
  readonly from: number;
  readonly to: number;
  readonly known: KnownValue;
}

/** A text to look for, and the value that it stands for. */
interface Form {
  readonly text: string;
  readonly known: KnownValue;
}

/** Forms whose first four bytes have the same hash. */
interface Bucket {
  readonly forms: Form[];
  isSorted: boolean;
}

/** Characters of all known values together, if their number is limited. */
const MOST_CHARS = 2_000_000;
/** The first values are also looked for in rare forms, which are many. */
const RARELY_WRITTEN = 2000;
const NONE: ReadonlySet<string> = new Set();
/** The bits of no hash, until there is a value: a tap has many redactors, and most of them never know one. */
const NO_HEADS = new Uint32Array(0);

/**
 * Finds known values wherever they are repeated, in any form. A search for a thousand values takes one pass: one bit
 * for a hash of four bytes tells whether to compare, and forms with the same hash are sorted when they are first
 * needed. At its bounds it forgets the older half of the values that are not given.
 */
export class KnownValues implements OtherTexts {
  #starts = FRAME_STARTS;
  readonly #values = new Map<string, KnownValue>();
  readonly #buckets = new Map<number, Bucket>();
  /** One bit for each hash. */
  #heads = NO_HEADS;
  readonly #most: number;
  #characters = 0;
  #forgotten = 0;
  #version = 0;

  /** `most`: number of values. Without it, there is no bound. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get starts(): Uint8Array {
    return this.#starts;
  }

  values(): Iterable<KnownValue> {
    return this.#values.values();
  }

  /** Grows with each value that is added. */
  get version(): number {
    return this.#version;
  }

  /** How many values were forgotten. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Adds a value unless it is too short. Returns true if it was new. */
  add(known: KnownValue): boolean {
    const { value } = known;
    if (value.length < (/^(?=.*\d)(?=.*[A-Za-z])/.test(value) ? LEAST_FORM_CHARS : LIMITS.secretChars)) return false;
    if (this.#values.has(value)) return false;
    const isFull = this.#values.size >= this.#most || this.#characters + value.length > MOST_CHARS;
    if (isFull && this.#most < Number.POSITIVE_INFINITY && known.rule !== 'given') this.#forgetOlderHalf();
    this.#values.set(value, known);
    this.#version++;
    this.#characters += value.length;
    for (const text of formsOf(known, this.#values.size <= RARELY_WRITTEN)) this.#addForm({ text, known });
    return true;
  }

  #forgetOlderHalf(): void {
    const given = [...this.#values.values()].filter(({ rule }) => rule === 'given');
    const found = [...this.#values.values()].filter(({ rule }) => rule !== 'given');
    const kept = found.slice(Math.ceil(found.length / 2));
    this.#forgotten += found.length - kept.length;
    this.#characters = 0;
    this.#values.clear();
    this.#buckets.clear();
    this.#heads.fill(0);
    for (const known of [...given, ...kept]) this.add(known);
  }

  #addForm(form: Form): void {
    const { text } = form;
    const head = hashAt(text, 0);
    if (this.#heads === NO_HEADS) {
      this.#starts = Uint8Array.from(FRAME_STARTS);
      this.#heads = new Uint32Array(1 << (HASH_BITS - 5));
    }
    this.#starts[hashOfThree(byteAt(text, 0), byteAt(text, 1), byteAt(text, 2))]! |= OTHER;
    this.#heads[head >>> 5]! |= 1 << (head & 31);
    const bucket = this.#buckets.get(head);
    if (!bucket) this.#buckets.set(head, { forms: [form], isSorted: true });
    else {
      bucket.forms.push(form);
      bucket.isSorted = false;
    }
  }

  /** Returns false if the bytes certainly hold no known value. */
  mayBeIn(bytes: Uint8Array): boolean {
    if (this.#values.size === 0) return false;
    const starts = this.#starts;
    const last = bytes.length - LEAST_FORM_CHARS;
    for (let at = 0; at <= last; at++) {
      const three = hashOfThree(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!);
      if ((starts[three]! & OTHER) !== 0 && this.mayBeginAt(bytes, at)) return true;
    }
    return false;
  }

  /** Returns false if no value starts here. Some bytes have the hash of one by chance, and few continue like it. */
  mayBeginAt(bytes: Uint8Array, at: number): boolean {
    const head = hashOf(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!);
    const forms = this.#buckets.get(head)?.forms ?? [];
    return forms.length > COMPARED_FORMS || forms.some(({ text }) => mayBeFormAt(text, bytes, at));
  }

  /**
   * Finds each place of a known value from left to right, the longest value at each offset. Values in `except` are not
   * looked for.
   */
  *find(text: string, except = NONE): Generator<KnownPlace> {
    if (this.#values.size === 0) return;
    const heads = this.#heads;
    const last = text.length - LEAST_FORM_CHARS;
    let packed = 0;
    for (let [at, read] = [0, 0]; at <= last; at++) {
      for (; read < at + 4; read++) packed = (packed >>> 8) | (byteAt(text, read) << 24);
      const head = Math.imul(packed, FACTOR) >>> (32 - HASH_BITS);
      if (((heads[head >>> 5]! >>> (head & 31)) & 1) === 0) continue;
      const place = this.#placeAt(head, text, at, except);
      if (!place) continue;
      yield place;
      at = place.to - 1;
      read = place.to;
    }
  }

  /** Returns the longest form that stands at `at`. The forms are sorted, and each character narrows them down. */
  #placeAt(head: number, text: string, at: number, except: ReadonlySet<string>): KnownPlace | undefined {
    const bucket = this.#buckets.get(head)!;
    const { forms } = bucket;
    if (!bucket.isSorted) forms.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    bucket.isSorted = true;
    let whole: Form | undefined;
    let [low, high, depth] = [0, forms.length, 0];
    for (; low < high; depth++) {
      // A form that ends here sorts before longer ones.
      for (; low < high && forms[low]!.text.length === depth; low++)
        if (!except.has(forms[low]!.known.value)) whole = forms[low];
      const code = text.charCodeAt(at + depth);
      const from = firstWith(forms, low, high, depth, code);
      const to = firstWith(forms, from, high, depth, code + 1);
      if (from >= to) break;
      [low, high] = [from, to];
    }
    return whole && { from: at, to: endOfForm(whole.text, whole.known.value, text, at), known: whole.known };
  }
}

/** Returns the first index in sorted forms whose character at `depth` is not before this one. */
function firstWith(forms: readonly Form[], from: number, to: number, depth: number, code: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (forms[middle]!.text.charCodeAt(depth) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bits of the hash of four bytes, and the factor that mixes them. */
const HASH_BITS = 18;
const FACTOR = 0x9e3779b1;
/** If more forms have the same hash, comparing them all is not worth it. */
const COMPARED_FORMS = 16;

/** Returns a byte of byte text. In it, a character's code can differ from its byte. */
function byteAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x80 ? code : byteOf(code);
}

/** Returns a hash of four bytes. */
function hashOf(first: number, second: number, third: number, fourth: number): number {
  return Math.imul(first | (second << 8) | (third << 16) | (fourth << 24), FACTOR) >>> (32 - HASH_BITS);
}

function hashAt(text: string, at: number): number {
  return hashOf(byteAt(text, at), byteAt(text, at + 1), byteAt(text, at + 2), byteAt(text, at + 3));
}

/** Returns false if these bytes differ from the first of a form. What follows four of them may be encoded. */
function mayBeFormAt(form: string, bytes: Uint8Array, at: number): boolean {
  for (let place = 0; place < LEAST_FORM_CHARS; place++) {
    const byte = bytes[at + place] ?? 0;
    if (byte !== byteAt(form, place)) return place >= 4 && (byte < 0x20 || byte === 0x25 || byte === 0x5c);
  }
  return true;
}
