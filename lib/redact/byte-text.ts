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
export function percentDecoded(text: string): string {
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

/** Characters of the shortest run that may be a token. */
const LEAST_RUN_CHARS = 12;
const [DIGIT, LETTER, SIGN] = [1, 2, 4];
/** For each ASCII code: whether tokens have the character, and its kind. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /\d/.test(character) ? DIGIT : /[A-Za-z]/.test(character) ? LETTER : /[_+/.~=-]/.test(character) ? SIGN : 0;
});

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds the longest runs of letters, digits and `_+/.~=-`, if they are long and have both a letter and a digit. */
export function tokenRuns(text: string): readonly Span[] {
  return runsOf(text, LEAST_RUN_CHARS, DIGIT | LETTER);
}

function runsOf(text: string, least: number, needed: number): readonly Span[] {
  const runs: Span[] = [];
  let [from, seen] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 0x80 ? KINDS[code]! : 0;
    if (kind === 0) {
      if (at - from >= least && (seen & needed) === needed) runs.push({ from, to: at });
      [from, seen] = [at + 1, 0];
    } else seen |= kind;
  }
  return runs;
}

const LEAST_BASE64_CHARS = 24;
const BASE64_RUN = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,65536}={0,2}/g;
const PRINTABLE = /^[\t\n\r\x20-\x7e]*$/;

/** Finds each run of base64 in byte text that decodes to text. */
export function* findBase64Texts(text: string): Generator<Span & { readonly decodedText: string }> {
  for (const { from, to } of runsOf(text, LEAST_BASE64_CHARS, LETTER)) {
    for (const { 0: run, index } of text.slice(from, to).matchAll(BASE64_RUN)) {
      const decodedText = startsPrintable(run) ? printable(run) : undefined;
      if (decodedText) yield { from: from + index, to: from + index + run.length, decodedText };
    }
  }
}

/** The six bits of each character of base64. */
const SIX_BITS = new Map(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (sign, bits) => [sign, bits]),
);

/** Returns false if the first groups decode to other than text. Most runs are words, so it decodes few characters. */
function startsPrintable(run: string): boolean {
  for (let at = 0; at < LEAST_BASE64_CHARS - 3; at += 4) {
    let group = 0;
    for (let place = at; place < at + 4; place++) group = (group << 6) | (SIX_BITS.get(run[place]!) ?? 62);
    if (!PRINTABLE.test(String.fromCharCode(group >> 16, (group >> 8) & 0xff, group & 0xff))) return false;
  }
  return true;
}

/** Decodes base64 to byte text; undefined if it is not text. */
function printable(run: string): string | undefined {
  try {
    const decodedText = atob(run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'));
    return PRINTABLE.test(decodedText) ? decodedText : undefined;
  } catch {
    return undefined;
  }
}
