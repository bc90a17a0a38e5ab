import { bytesOfText, byteTextOf, readableText } from './byte-text';

/**
 * What a value may look like where somebody repeats it, as byte text: as it is, in JSON (with what writers of it escape or
 * not), in URLs and forms, in base64 of itself or of a longer text (three ways, by where it begins), and in hex.
 */
export function valueForms(value: string): ReadonlySet<string> {
  const bytes = bytesOfText(value);
  const text = readableText(value);
  const json = JSON.stringify(text).slice(1, -1);
  const uri = encodeURIComponent(text.toWellFormed());
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return new Set(
    [
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
      ...[0, 1, 2].flatMap((before) => base64At(bytes, before)),
    ].filter((form) => form.length > 0),
  );
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
 * The characters of base64 that only these bytes decide, if `before` bytes (0 to 2) of a longer text stand before them in
 * their first group of three; in both alphabets.
 */
function base64At(bytes: Uint8Array, before: number): readonly string[] {
  const binary = '\0'.repeat(before) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const first = Math.ceil((before * 8) / 6);
  const last = Math.floor((binary.length * 8) / 6);
  const standard = btoa(binary).slice(first, last);
  return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')];
}
