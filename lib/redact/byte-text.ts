/**
 * Bytes as a text of one character a byte, so that regular expressions can look at anything, UTF-8 or not, and places in the
 * text are places in the bytes. (It is windows-1252, the only such decoding that browsers have.)
 */

const decoder = new TextDecoder('latin1');
const encoder = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function byteText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The UTF-8 of a string, as such a text. Lone surrogates become U+FFFD. */
export function byteTextOf(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : decoder.decode(encoder.encode(text));
}

/** The character of each byte. */
const CHARACTERS = Array.from(decoder.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)));
const BYTES: ReadonlyMap<string, number> = new Map(CHARACTERS.map((character, byte) => [character, byte]));

/** The bytes again. */
export function bytesOfText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = BYTES.get(text[at]!)!;
  return bytes;
}

/** What such a text says to people. */
export function readableText(text: string): string {
  return utf8.decode(bytesOfText(text));
}

/** Percent-encoding read; what is none stays. */
export function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => CHARACTERS[Number.parseInt(hex, 16)]!);
}
