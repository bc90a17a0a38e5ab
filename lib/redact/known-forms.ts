import { bytesOfText, byteTextOf, readableText } from './byte-text';
import type { RuleId } from './rules';

/** A removed value and its rule. Byte text. */
export interface KnownValue {
  readonly rule: RuleId;
  readonly value: string;
}

/**
 * If this many characters of a form match, the text counts as the value, even if it is cut or changed after them. The
 * rest of the token then belongs to the value.
 */
const COMPARED_CHARS = 128;
/** Every form has at least this many characters. */
export const HEAD_CHARS = 6;
const GOES_ON = /[A-Za-z0-9+/=_.%~-]*/y;
/** Characters that can follow base64 of a value: the rest of a group or of a longer encoded text. */
const BASE64_GOES_ON = /[A-Za-z0-9+/_-]*(?:=|%3[dD]){0,2}/y;
/** How many characters of a long value are encoded to search for it. */
const FORMED_CHARS = 16_384;

/** Characters between the starts of two parts. A long value is also looked for by its parts. */
const PART_STEP_CHARS = 32;
/** Characters of one part. */
const PART_CHARS = 24;
/**
 * A part counts as the value, perhaps wrapped or cut, if at least this many characters match, those around the part
 * included.
 */
const LEAST_PART_CHARS = 32;
/** Most parts looked for per value. */
const MOST_PARTS = 128;
const IN_ONE_PIECE = /^[A-Za-z0-9+/=_.~%-]{48,}$/;

/** One way to write a value, or a part of it. */
export interface ValueForm {
  readonly text: string;
  readonly known: KnownValue;
  /** Set for a part: its offset in the value. */
  readonly part?: number;
}

/** A text to look for, and the forms with this text, at least one. Parts come before whole values. */
export interface SharedForm {
  readonly text: string;
  readonly forms: ValueForm[];
}

/** A place of a known value. */
export interface KnownPlace {
  readonly from: number;
  readonly to: number;
  readonly known: KnownValue;
  /** Set if only a part was found: the text that would follow it. */
  readonly rest?: string;
}

/** Returns all texts to look for to find a value, each once. */
export function formsOf(known: KnownValue, rare = true): readonly ValueForm[] {
  const { value } = known;
  const head = value.length > FORMED_CHARS ? value.slice(0, FORMED_CHARS) : value;
  const forms = new Map<string, ValueForm>();
  for (const form of writtenForms(head, rare)) {
    const text = form === head ? value : form;
    if (text.length >= HEAD_CHARS) forms.set(text, { text, known });
  }
  const last = IN_ONE_PIECE.test(head) ? Math.min(head.length - PART_CHARS, MOST_PARTS * PART_STEP_CHARS) : -1;
  for (let part = 0; part <= last; part += PART_STEP_CHARS) {
    const text = head.slice(part, part + PART_CHARS);
    if (!forms.has(text)) forms.set(text, { text, known, part });
  }
  return [...forms.values()];
}

/** Returns the first index in sorted forms whose text is not before this one. */
export function firstNotBefore(forms: readonly SharedForm[], text: string): number {
  let low = 0;
  let high = forms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (forms[middle]!.text < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the longest form that stands at `at`, or else a cut form if enough of it matches. The forms are sorted and
 * share the first characters with the text; each further character narrows them down. `after`: where the last match
 * ended.
 */
export function matchFormAt(
  forms: readonly SharedForm[],
  text: string,
  at: number,
  after: number,
): KnownPlace | undefined {
  let low = 0;
  let high = forms.length;
  let whole: ValueForm | undefined;
  let part: ValueForm | undefined;
  let depth = HEAD_CHARS;
  for (; low < high; depth++) {
    // A form that ends here sorts before longer ones.
    if (forms[low]!.text.length === depth) {
      const form = forms[low++]!.forms.at(-1)!;
      if (form.part === undefined) whole = form;
      else part = form;
    }
    const code = text.charCodeAt(at + depth);
    const from = firstWith(forms, low, high, depth, code);
    const to = firstWith(forms, from, high, depth, code + 1);
    if (from >= to) break;
    [low, high] = [from, to];
  }
  if (depth >= COMPARED_CHARS && low < high && (whole?.text.length ?? 0) < COMPARED_CHARS)
    return placeOf(forms[low]!.forms.at(-1)!, depth, text, at);
  const ofPart = part && part.text.length > (whole?.text.length ?? 0) ? placeOfPart(part, text, at, after) : undefined;
  return ofPart ?? (whole && placeOf(whole, whole.text.length, text, at));
}

function firstWith(forms: readonly SharedForm[], from: number, to: number, depth: number, code: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (forms[middle]!.text.charCodeAt(depth) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns undefined if the match is too short to be certain. */
function placeOfPart(
  { text: form, known, part = 0 }: ValueForm,
  text: string,
  at: number,
  after: number,
): KnownPlace | undefined {
  const whole = known.value;
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
  return end - begin < LEAST_PART_CHARS ? undefined : { from, to, known, rest: whole.slice(end) };
}

/** Returns the place of this many characters of a form. */
function placeOf({ text: form, known }: ValueForm, length: number, text: string, at: number): KnownPlace {
  const to = at + length;
  const isWhole = length === form.length;
  if (isWhole && form === known.value) return { from: at, to, known };
  const goesOn = isWhole ? (isBase64(form) ? BASE64_GOES_ON : undefined) : GOES_ON;
  if (!goesOn) return { from: at, to, known };
  goesOn.lastIndex = to;
  return { from: at, to: to + goesOn.exec(text)![0].length, known };
}

function isBase64(form: string): boolean {
  return /^[A-Za-z0-9+/_-]+$/.test(form) && !/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(form);
}

/** Longest value, in characters, that is looked for in rare forms. Those are several times as long as the value. */
const RARE_CHARS = 512;

/**
 * Returns the ways in which a value may be repeated, as byte text: plain, in JSON (with and without optional escapes),
 * in URLs and forms, in base64 of itself or of a longer text (three alignments), and in hex. For shorter values also
 * what programs produce by accident: percent-encoding of every byte or twice, base64 of base64 or of UTF-16, bytes as
 * numbers, and as quoted by shells, Python and HTML.
 */
export function writtenForms(value: string, rare = true): ReadonlySet<string> {
  const bytes = bytesOfText(value);
  const text = readableText(value);
  const json = JSON.stringify(text).slice(1, -1);
  const uri = encodeURIComponent(text.toWellFormed());
  const hex = joinedBytes(bytes, 16, '');
  const forms = [
    value,
    byteTextOf(json),
    byteTextOf(json.replaceAll('/', '\\/')),
    asciiJson(json),
    asciiJson(json).replaceAll('/', '\\/'),
    uri,
    lowerEscapes(uri),
    formEncoded(uri),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
    ...(rare && value.length <= RARE_CHARS ? rareForms(bytes, text, json, uri) : []),
  ];
  return new Set(forms.filter((form) => form.length > 0));
}

function rareForms(bytes: Uint8Array, text: string, json: string, uri: string): readonly string[] {
  const percent = `%${joinedBytes(bytes, 16, '%')}`;
  const twice = encodeURIComponent(uri);
  const spaced = [':', ' '].map((between) => joinedBytes(bytes, 16, between));
  return [
    ...[percent, percent.toUpperCase()].flatMap((form) => [form, form.replaceAll('%', '%25')]),
    ...[twice, lowerEscapes(twice), encodeURIComponent(formEncoded(uri))],
    ...[...base64Forms(bytes)].flatMap((form) => [...base64Forms(bytesOfText(form))]),
    ...base64Forms(utf16(text)),
    ...(json === text ? [] : base64Forms(bytesOfText(byteTextOf(json)))),
    ...spaced.flatMap((form) => [form, form.toUpperCase()]),
    `\\x${joinedBytes(bytes, 16, '\\x')}`,
    ...[', ', ',', ' '].map((between) => joinedBytes(bytes, 10, between)),
    ...(/['"\\&<>]/.test(text) ? quotedForms(text).map(byteTextOf) : []),
  ];
}

function quotedForms(text: string): readonly string[] {
  const slashed = text.replaceAll('\\', '\\\\');
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    ...[slashed, slashed.replaceAll("'", "\\'"), text.replaceAll("'", `'\\''`), text.replaceAll("'", `'"'"'`)],
    ...[
      html,
      html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
      html.replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
    ],
  ];
}

function joinedBytes(bytes: Uint8Array, base: 10 | 16, between: string): string {
  const words = base === 16 ? HEX : DECIMAL;
  let joined = '';
  for (let at = 0; at < bytes.length; at++) joined += at === 0 ? words[bytes[at]!] : between + words[bytes[at]!]!;
  return joined;
}

const DECIMAL = Array.from({ length: 256 }, (_, byte) => String(byte));
const HEX = DECIMAL.map((_, byte) => byte.toString(16).padStart(2, '0'));

/** Little-endian, as PowerShell has it. */
function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (text.charCodeAt(at >> 1) >> (at % 2 ? 8 : 0)) & 0xff;
  return bytes;
}

function asciiJson(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function lowerEscapes(uri: string): string {
  return uri.replace(/%[0-9A-F]{2}/g, (encoded) => encoded.toLowerCase());
}

/** Encodes as `application/x-www-form-urlencoded`. */
function formEncoded(uri: string): string {
  return uri.replaceAll('%20', '+').replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the base64 characters that depend on these bytes alone, at each of the three alignments in a longer text, in
 * both alphabets.
 */
function base64Forms(bytes: Uint8Array): ReadonlySet<string> {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  const forms = new Set<string>();
  for (const before of [0, 1, 2]) {
    const binary = '\0'.repeat(before) + text;
    const standard = btoa(binary).slice(Math.ceil((before * 8) / 6), Math.floor((binary.length * 8) / 6));
    forms.add(standard);
    if (/[+/]/.test(standard)) forms.add(standard.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}
