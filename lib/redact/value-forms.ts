import { bytesOfText, byteTextOf, readableText } from './byte-text';

/** Longer values are not repeated in rare forms, which have several times their length. */
const RARE_CHARS = 512;

/**
 * What a value may look like where somebody repeats it, as byte text: as it is, in JSON (with what writers of it escape or
 * not), in URLs and forms, in base64 of itself or of a longer text (three ways, by where it begins), and in hex. Of all but long ones also
 * what programs make of values without wanting to: percent-encoded byte by byte or twice, base64 of base64 or of UTF-16, bytes as numbers,
 * quotes of shells, Python and HTML.
 */
export function valueForms(value: string): ReadonlySet<string> {
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
    ...(value.length <= RARE_CHARS ? rareForms(bytes, text, json, uri) : []),
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

/** `application/x-www-form-urlencoded`. */
function formEncoded(uri: string): string {
  return uri.replaceAll('%20', '+').replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * The characters of base64 that only these bytes decide, wherever they begin in a group of three of a longer text; in both alphabets.
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
