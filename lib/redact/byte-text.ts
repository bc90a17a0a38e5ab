/**
 * Byte text holds one character per byte, so that regular expressions work on any bytes and offsets in the text are
 * offsets in the bytes. It is windows-1252, the only such decoding in browsers.
 */

const decoder = new TextDecoder('latin1');
const encoder = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function byteText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Returns a string's UTF-8 as byte text. Lone surrogates become U+FFFD. */
export function byteTextOf(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : decoder.decode(encoder.encode(text));
}

/** The character of each byte. */
const CHARACTERS = Array.from(decoder.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)));

/** The byte of each character code that byte text can have. */
const BYTE_OF_CODE = new Uint8Array(Math.max(...CHARACTERS.map((character) => character.charCodeAt(0))) + 1);
for (const [byte, character] of CHARACTERS.entries()) BYTE_OF_CODE[character.charCodeAt(0)] = byte;

/** Returns the byte of a character code of byte text; 0 for any other code. */
export function byteOf(code: number): number {
  return code < 0x80 ? code : (BYTE_OF_CODE[code] ?? 0);
}

/** Returns the bytes of byte text. */
export function bytesOfText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = byteOf(text.charCodeAt(at));
  return bytes;
}

/** Decodes byte text as UTF-8, for people. */
export function readableText(text: string): string {
  return utf8.decode(bytesOfText(text));
}

/** Decodes percent-encoding; anything else stays as it is. */
export function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => CHARACTERS[Number.parseInt(hex, 16)]!);
}

/** Returns what a sticky pattern matches at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Trims spaces, tabs and line breaks off a span of byte text. Other white space may be a byte of a character. */
export function trimmedSpan(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  let [begin, end] = [from, to];
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end--;
  while (begin < end && isBlank(text.charCodeAt(begin))) begin++;
  return { from: begin, to: end };
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

const BASE64_RUN = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,65536}={0,2}/g;
/** Decoded characters that are checked to tell text from other data. */
const CHECKED_CHARS = 48;
const PRINTABLE = /^[\t\n\r\x20-\x7e]*$/;

/** Finds each run of base64 in byte text that decodes to text. */
export function* findBase64Texts(
  text: string,
): Generator<{ readonly from: number; readonly to: number; readonly decodedText: string }> {
  for (const { 0: run, index } of text.matchAll(BASE64_RUN)) {
    const decodedText = decodeBase64Text(run);
    if (decodedText !== undefined) yield { from: index, to: index + run.length, decodedText };
  }
}

/** Decodes base64 to byte text; undefined if it is not text. */
export function decodeBase64Text(run: string): string | undefined {
  const decodedText = PRINTABLE.test(decoded(run.slice(0, CHECKED_CHARS)) ?? '\0') ? decoded(run) : undefined;
  return decodedText !== undefined && PRINTABLE.test(decodedText) ? decodedText : undefined;
}

function decoded(run: string): string | undefined {
  try {
    const binary = atob(run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'));
    return byteText(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
