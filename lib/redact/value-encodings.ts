export function joinedBytes(bytes: Uint8Array, base: 10 | 16, between: string): string {
  const words = base === 16 ? HEX : DECIMAL;
  let joined = '';
  for (let at = 0; at < bytes.length; at++) joined += at === 0 ? words[bytes[at]!] : between + words[bytes[at]!]!;
  return joined;
}

const DECIMAL = Array.from({ length: 256 }, (_, byte) => String(byte));
const HEX = DECIMAL.map((_, byte) => byte.toString(16).padStart(2, '0'));

/** Little-endian, as PowerShell has it. */
export function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (text.charCodeAt(at >> 1) >> (at % 2 ? 8 : 0)) & 0xff;
  return bytes;
}

export function asciiJson(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function lowerEscapes(uri: string): string {
  return uri.replace(/%[0-9A-F]{2}/g, (encoded) => encoded.toLowerCase());
}

/** Encodes as `application/x-www-form-urlencoded`. */
export function formEncoded(uri: string): string {
  return uri.replaceAll('%20', '+').replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the base64 characters that depend on these bytes alone, at each of the three alignments in a longer text, in
 * both alphabets.
 */
export function base64Forms(bytes: Uint8Array): ReadonlySet<string> {
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
