import { bytesOfText, byteTextOf, lengthAt, readableText } from './byte-text';
import type { RuleId } from './rules';

/** A removed value and its rule. Byte text. */
export interface KnownValue {
  readonly rule: RuleId;
  readonly value: string;
}

/** Every form has at least this many characters. */
export const LEAST_FORM_CHARS = 6;
/** How many characters of a long value are encoded to search for it. */
const FORMED_CHARS = 16_384;
const GOES_ON = /[A-Za-z0-9+/=_.%~-]*/y;
/** Characters that can follow base64 of a value: the rest of a group or of a longer encoded text. */
const BASE64_GOES_ON = /[A-Za-z0-9+/_-]*(?:=|%3[dD]){0,2}/y;

/** Returns all texts to look for to find a value. Some may be the same. */
export function formsOf({ value }: KnownValue, rare: boolean): readonly string[] {
  if (value.length > FORMED_CHARS) return [value, ...writtenForms(value.slice(0, FORMED_CHARS), false).slice(1)];
  return writtenForms(value, rare).filter((form) => form.length >= LEAST_FORM_CHARS);
}

/** Returns where a value ends if this many characters of its form stand at `at`. The rest of a token belongs to it. */
export function endOfForm(form: string, value: string, length: number, text: string, at: number): number {
  const to = at + length;
  if (length === form.length && (form === value || !isBase64(form))) return to;
  return to + lengthAt(length === form.length ? BASE64_GOES_ON : GOES_ON, text, to);
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
export function writtenForms(value: string, rare: boolean): readonly string[] {
  const bytes = bytesOfText(value);
  const text = readableText(value);
  const json = JSON.stringify(text).slice(1, -1);
  const uri = encodeURIComponent(text.toWellFormed());
  const hex = joinedBytes(bytes, 16, '');
  return [
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
