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
const GOES_ON = /[A-Za-z0-9+/=_.%~-]{0,16384}/y;

interface Form {
  readonly text: string;
  readonly cut: boolean;
  readonly known: KnownValue;
}

/**
 * Values to be found again wherever they stand, in whatever form. Looking for a thousand takes one pass over the text: four
 * characters say whether it is worth comparing, and what begins alike lies sorted side by side.
 */
export class KnownValues {
  readonly #values = new Map<string, KnownValue>();
  readonly #heads = new Uint8Array(1 << 16);
  readonly #forms = new Map<string, Form[]>();

  get size(): number {
    return this.#values.size;
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }

  /** Adds a value of `LIMITS.secretChars` and more. Beyond `LIMITS.redactedValues` no more are taken: false. */
  add(known: KnownValue): boolean {
    const { value } = known;
    if (value.length < LIMITS.secretChars || this.#values.has(value)) return true;
    if (this.#values.size >= LIMITS.redactedValues) return false;
    this.#values.set(value, known);
    for (const form of valueForms(value)) this.#addForm(form, known);
    return true;
  }

  #addForm(form: string, known: KnownValue): void {
    if (form.length < HEAD) return;
    const text = form.slice(0, COMPARED);
    const head = text.slice(0, HEAD);
    const forms = this.#forms.get(head);
    this.#heads[hash(pack(text, 0) | (text.charCodeAt(3) << 24))] = 1;
    // A character of byte text need not have the number of its byte.
    const [a, b, c, d] = bytesOfText(text.slice(0, 4)) as unknown as readonly [number, number, number, number];
    this.#heads[hash(a | (b << 8) | (c << 16) | (d << 24))] = 1;
    const added = { text, cut: form.length > COMPARED, known };
    if (!forms) {
      this.#forms.set(head, [added]);
      return;
    }
    const at = forms.findIndex((other) => other.text >= text);
    if (at >= 0 && forms[at]!.text === text) return;
    forms.splice(at < 0 ? forms.length : at, 0, added);
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

function endOf({ text: form, cut }: Form, text: string, at: number): number {
  const end = at + form.length;
  if (!cut) return end;
  GOES_ON.lastIndex = end;
  return end + GOES_ON.exec(text)![0].length;
}
