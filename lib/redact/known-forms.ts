import type { RuleId } from './rules';
import { valueForms } from './value-forms';

/** A value that was taken out somewhere, and as what. Byte text. */
export interface KnownValue {
  readonly rule: RuleId;
  readonly value: string;
}

/** Characters of a form that are compared; where they stand, what a token can go on with belongs to it. */
const COMPARED = 128;
/** Of which all forms that are looked for have as much. */
export const HEAD = 8;
const GOES_ON = /[A-Za-z0-9+/=_.%~-]*/y;
/** Behind base64: what is left of a group, or of a longer text in it. */
const BASE64_GOES_ON = /[A-Za-z0-9+/_-]*(?:=|%3[dD]){0,2}/y;
/** Of longer values forms are made of this much. */
const FORMED = 16_384;

/** Where in a long value a part of it is looked for, and how much of it; where so much of it stands, it is the value, printed in lines or cut. */
const PART_STEP = 32;
const PART = 24;
const PART_LEAST = 32;
const PARTS = 128;
const IN_ONE_PIECE = /^[A-Za-z0-9+/=_.~%-]{48,}$/;

/** Something that a value may be written as, or a part of it. */
export interface Form {
  readonly text: string;
  /** All of it. */
  readonly whole: string;
  readonly known: KnownValue;
  /** It is a part of `whole`, from there. */
  readonly part?: number;
}

/** A place of one of them. */
export interface KnownPlace {
  readonly from: number;
  readonly to: number;
  readonly known: KnownValue;
  /** Where only a part of it stands: what it would go on with. */
  readonly rest?: string;
}

/** Everything that is looked for of a value. */
export function formsOf(known: KnownValue): readonly Form[] {
  const { value } = known;
  const head = value.length > FORMED ? value.slice(0, FORMED) : value;
  const forms: Form[] = [];
  for (const form of valueForms(head)) {
    const whole = form === head ? value : form;
    if (form.length >= HEAD) forms.push({ text: form.slice(0, COMPARED), whole, known });
  }
  if (!IN_ONE_PIECE.test(head)) return forms;
  const last = Math.min(head.length - PART, PARTS * PART_STEP);
  for (let part = 0; part <= last; part += PART_STEP) {
    forms.push({ text: head.slice(part, part + PART), whole: value, known, part });
  }
  return forms;
}

/** Where in sorted forms a text stands, or would. */
export function firstNotBefore(forms: readonly Form[], text: string): number {
  let low = 0;
  let high = forms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (forms[middle]!.text < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The forms are sorted and have their first characters in common with the text: each further one narrows down which it can be. */
export function longestAt(forms: readonly Form[], text: string, at: number): Form | undefined {
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

/** undefined for a part that is too short to tell. */
export function placeOf(
  { text: form, whole, known, part }: Form,
  text: string,
  at: number,
  after: number,
): KnownPlace | undefined {
  if (part === undefined) return { from: at, to: endOf(form, whole, known, text, at), known };
  let [from, begin] = [at, part];
  while (from > after && begin > 0 && text[from - 1] === whole[begin - 1]) {
    from--;
    begin--;
  }
  let [to, end] = [at + form.length, part + form.length];
  while (to < text.length && end < whole.length && text[to] === whole[end]) {
    to++;
    end++;
  }
  return end - begin < PART_LEAST ? undefined : { from, to, known, rest: whole.slice(end) };
}

function endOf(form: string, whole: string, { value }: KnownValue, text: string, at: number): number {
  const is = text.startsWith(whole, at);
  const end = at + (is ? whole.length : form.length);
  if (is && whole === value) return end;
  const goesOn = is ? (isBase64(whole) ? BASE64_GOES_ON : undefined) : GOES_ON;
  if (!goesOn) return end;
  goesOn.lastIndex = end;
  return end + goesOn.exec(text)![0].length;
}

function isBase64(form: string): boolean {
  return /^[A-Za-z0-9+/_-]+$/.test(form) && !/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(form);
}
