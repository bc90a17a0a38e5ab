import { runToEnd } from '@/lib/wire/in-slices';

/**
 * Byte text holds one character per byte, so that regular expressions work on any bytes and offsets in the text are
 * offsets in the bytes. It is windows-1252, the only such decoding in browsers.
 */

const decoder = new TextDecoder('latin1');
const encoder = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes decoded at once. Decoding more takes several times as long a byte. */
const PIECE_BYTES = 64 * 1024;

export function byteText(bytes: Uint8Array): string {
  return bytes.length <= PIECE_BYTES ? decoder.decode(bytes) : runToEnd(byteTextSlices(bytes));
}

/** Yields in short steps and returns the byte text of bytes. */
export function* byteTextSlices(bytes: Uint8Array): Generator<void, string> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) yield;
    pieces.push(decoder.decode(bytes.subarray(at, at + PIECE_BYTES)));
  }
  return pieces.join('');
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
export function decodedText(text: string): string {
  return utf8.decode(bytesOfText(text));
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes byte text as UTF-8; undefined if it is something else. */
export function strictlyReadable(text: string): string | undefined {
  try {
    return /^[\0-\x7f]*$/.test(text) ? text : strict.decode(bytesOfText(text));
  } catch {
    return undefined;
  }
}

/** Decodes percent-encoding; anything else stays as it is. */
export function percentDecodedBytes(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => CHARACTERS[Number.parseInt(hex, 16)]!);
}

/** Returns what a sticky pattern matches at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Returns the length of what a sticky pattern matches at a place; 0 for none. */
export function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

/** A run of characters that tokens have. */
export interface Run {
  readonly from: number;
  readonly text: string;
}

/** Returns 1 for each ASCII code whose character the pattern matches. */
export function asciiCodes(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
}

/** Characters of the shortest run that may be a token. */
const LEAST_RUN_CHARS = 12;
const RUN_CODES = asciiCodes(/[\w+/.~=-]/);

function isRunCode(code: number): boolean {
  return code < RUN_CODES.length && RUN_CODES[code] === 1;
}

/** Finds the longest runs of letters, digits and `_+/.~=-`, if they are long. Looks at few other characters. */
export function tokenRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (let at = LEAST_RUN_CHARS - 1; at < text.length; at += LEAST_RUN_CHARS) {
    let from = at;
    while (from >= 0 && isRunCode(text.charCodeAt(from))) from--;
    if (from++ === at) continue;
    while (at < text.length && isRunCode(text.charCodeAt(at))) at++;
    if (at - from >= LEAST_RUN_CHARS) runs.push({ from, text: text.slice(from, at) });
  }
  return runs;
}
