import { LIMITS } from '@/lib/wire/limits';
import { bytesOfText } from './byte-text';
import type { RuleId } from './rules';
import { valueForms } from './value-forms';

/** A value that was taken out somewhere, and as what. Byte text. */
export interface KnownValue {
  readonly rule: RuleId;
  readonly value: string;
}

/** Characters of a form that are compared; where they stand, what a token can go on with belongs to it. */
const COMPARED = 128;
const HEAD = 8;
const GOES_ON = /[A-Za-z0-9+/=_.%~-]*/y;

interface Form {
  readonly text: string;
  /** All of it. */
  readonly whole: string;
  readonly known: KnownValue;
}

/**
 * Values to be found again wherever they stand, in whatever form. Looking for a thousand takes one pass over the text: four
 * characters say whether it is worth comparing, and what begins alike lies sorted side by side. Beyond its bounds the one that
 * was added longest ago is forgotten, unless it was given.
 */
export class KnownValues {
  readonly #values = new Map<string, KnownValue>();
  /** How many forms begin so. */
  readonly #heads = new Uint32Array(1 << 16);
  readonly #forms = new Map<string, Form[]>();

  readonly #most: number;
  readonly #mostCharacters: number;
  #characters = 0;

  /** Bounds: how many values, and of how many characters together. */
  constructor(most: number = LIMITS.redactedValues, mostCharacters: number = LIMITS.redactedValueChars) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
  }

  /** Those that are not forgotten, the newest last. */
  values(): Iterable<KnownValue> {
    return this.#values.values();
  }

  /** Adds a value of `LIMITS.secretChars` and more; one that is known becomes the newest. */
  add(known: KnownValue): void {
    const { value } = known;
    if (value.length < LIMITS.secretChars) return;
    const same = this.#values.get(value);
    this.#values.delete(value);
    this.#values.set(value, same ?? known);
    if (same) return;
    this.#characters += value.length;
    for (const form of valueForms(value)) this.#addForm(form, known);
    if (this.#values.size > this.#most || this.#characters > this.#mostCharacters) this.#forget(known);
  }

  /** Forgets what is oldest until the bounds are kept, but what was given and the newest. */
  #forget(newest: KnownValue): void {
    for (const known of this.#values.values()) {
      if (this.#values.size <= this.#most && this.#characters <= this.#mostCharacters) return;
      if (known.rule === 'given' || known === newest) continue;
      this.#values.delete(known.value);
      this.#characters -= known.value.length;
      for (const form of valueForms(known.value)) this.#removeForm(form, known);
    }
  }

  #addForm(form: string, known: KnownValue): void {
    if (form.length < HEAD) return;
    const text = form.slice(0, COMPARED);
    const head = text.slice(0, HEAD);
    const forms = this.#forms.get(head) ?? [];
    if (forms.length === 0) this.#forms.set(head, forms);
    const at = forms.findIndex((other) => other.text >= text);
    if (at >= 0 && forms[at]!.text === text) return;
    forms.splice(at < 0 ? forms.length : at, 0, { text, whole: form, known });
    this.#count(text, 1);
  }

  #removeForm(form: string, known: KnownValue): void {
    const text = form.slice(0, COMPARED);
    const head = text.slice(0, HEAD);
    const forms = this.#forms.get(head);
    const at = forms?.findIndex((other) => other.text === text && other.known === known) ?? -1;
    if (!forms || at < 0) return;
    forms.splice(at, 1);
    if (forms.length === 0) this.#forms.delete(head);
    this.#count(text, -1);
  }

  #count(text: string, change: 1 | -1): void {
    this.#heads[hash(pack(text, 0) | (text.charCodeAt(3) << 24))]! += change;
    // A character of byte text need not have the number of its byte.
    const [a, b, c, d] = bytesOfText(text.slice(0, 4)) as unknown as readonly [number, number, number, number];
    this.#heads[hash(a | (b << 8) | (c << 16) | (d << 24))]! += change;
  }

  /** False if there is none of them in these bytes; true if there may be. */
  mayBeIn(bytes: Uint8Array): boolean {
    if (this.#values.size === 0) return false;
    const heads = this.#heads;
    let packed = 0;
    for (let at = 0; at < bytes.length; at++) {
      packed = (packed >>> 8) | (bytes[at]! << 24);
      if (heads[hash(packed)] !== 0) return true;
    }
    return false;
  }

  /** Each place of one of them, from left to right, the longest of what begins there. */
  *find(text: string): Generator<{ readonly from: number; readonly to: number; readonly known: KnownValue }> {
    if (this.#values.size === 0) return;
    for (let found = this.#next(text, 0); found; found = this.#next(text, found.to)) yield found;
  }

  #next(text: string, from: number) {
    const heads = this.#heads;
    const last = text.length - HEAD;
    let packed = pack(text, from) << 8;
    for (let at = from; at <= last; at++) {
      packed = (packed >>> 8) | (text.charCodeAt(at + 3) << 24);
      if (heads[hash(packed)] === 0) continue;
      const forms = this.#forms.get(text.slice(at, at + HEAD));
      const form = forms && longestAt(forms, text, at);
      if (form) return { from: at, to: endOf(form, text, at), known: form.known };
    }
    return undefined;
  }
}

/** Four characters in one number, the first one lowest; the last of them is left to the one who goes on from there. */
function pack(text: string, at: number): number {
  return (
    (text.charCodeAt(at) & 0xff) | ((text.charCodeAt(at + 1) & 0xff) << 8) | ((text.charCodeAt(at + 2) & 0xff) << 16)
  );
}

function hash(packed: number): number {
  return Math.imul(packed, 0x9e3779b1) >>> 16;
}

/** The forms are sorted and have their first characters in common with the text: each further one narrows down which it can be. */
function longestAt(forms: readonly Form[], text: string, at: number): Form | undefined {
  let low = 0;
  let high = forms.length;
  let best: Form | undefined;
  for (let depth = HEAD; low < high; depth++) {
    // A form that ends here sorts before those that go on.
    if (forms[low]!.text.length === depth) {
      best = forms[low]!;
      low++;
    }
    const code = text.charCodeAt(at + depth);
    if (Number.isNaN(code)) break;
    low = firstWith(forms, low, high, depth, code);
    high = firstWith(forms, low, high, depth, code + 1);
  }
  return best;
}

function firstWith(forms: readonly Form[], from: number, to: number, depth: number, code: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (forms[middle]!.text.charCodeAt(depth) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}

function endOf({ text: form, whole }: Form, text: string, at: number): number {
  if (text.startsWith(whole, at)) return at + whole.length;
  const end = at + form.length;
  GOES_ON.lastIndex = end;
  return end + GOES_ON.exec(text)![0].length;
}
