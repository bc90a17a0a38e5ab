/** Finds where tokens of JSON end, in strings and in UTF-8 bytes alike. Nothing is parsed, copied or validated. */

/** JSON as UTF-16 code units or as UTF-8 bytes. */
type JsonText = string | Uint8Array;

/** The characters that JSON is made of. Their codes are the same in UTF-16 and UTF-8. */
export const BYTE = {
  lineFeed: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  letterN: 0x6e,
  letterU: 0x75,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Bytes searched one by one before `indexOf` is called. For most strings, the call would cost more than the search. */
const SHORT_STRING = 32;

/** Returns the index of the first character at or after `from` that is not white space, or the length of the text. */
export function skipSpace(text: JsonText, from: number): number {
  let at = from;
  if (typeof text === 'string') while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  else while (at < text.length && isSpace(text[at]!)) at++;
  return at;
}

/** Returns the index after the closing quote of the string at `start`; -1 if none starts there, or it is not closed. */
export function stringEnd(text: JsonText, start: number): number {
  // One loop per type, so that engines compile each for that type alone. Most of the time is spent here.
  return typeof text === 'string' ? textStringEnd(text, start) : byteStringEnd(text, start);
}

function textStringEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== BYTE.quote) return -1;
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? -1 : at + 1;
}

function byteStringEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== BYTE.quote) return -1;
  const near = Math.min(bytes.length, start + SHORT_STRING);
  for (let at = start + 1; at < near; at++) {
    if (bytes[at] === BYTE.backslash) at++;
    else if (bytes[at] === BYTE.quote) return at + 1;
  }
  let at = bytes.indexOf(BYTE.quote, near);
  while (at >= 0 && isEscaped(bytes, at)) at = bytes.indexOf(BYTE.quote, at + 1);
  return at < 0 ? -1 : at + 1;
}

/**
 * Returns the index after the value at `start`; -1 if it has no end. A number or word ends before a comma, a bracket or
 * white space, so at the very end of the text it counts as unfinished.
 */
export function valueEnd(text: JsonText, start: number): number {
  // One loop per type here too.
  return typeof text === 'string' ? textValueEnd(text, start) : byteValueEnd(text, start);
}

function textValueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BYTE.quote) {
      const end = textStringEnd(text, at);
      if (end < 0 || depth === 0) return end;
      at = end - 1;
    } else if (code === BYTE.openObject || code === BYTE.openArray) depth++;
    else if (code === BYTE.closeObject || code === BYTE.closeArray) {
      if (depth === 0) return at > start ? at : -1;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === BYTE.comma || code === BYTE.colon || isSpace(code))) {
      return at > start && code !== BYTE.colon ? at : -1;
    }
  }
  return -1;
}

function byteValueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const code = bytes[at]!;
    if (code === BYTE.quote) {
      const end = byteStringEnd(bytes, at);
      if (end < 0 || depth === 0) return end;
      at = end - 1;
    } else if (code === BYTE.openObject || code === BYTE.openArray) depth++;
    else if (code === BYTE.closeObject || code === BYTE.closeArray) {
      if (depth === 0) return at > start ? at : -1;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === BYTE.comma || code === BYTE.colon || isSpace(code))) {
      return at > start && code !== BYTE.colon ? at : -1;
    }
  }
  return -1;
}

/**
 * Visits the members or items of the object or array at `start`, in order. The text must be valid JSON. Names are given
 * with their quotes; for items, `nameStart` and `nameEnd` are -1. Other values have no children.
 */
export function visitChildren(
  text: JsonText,
  start: number,
  visit: (start: number, end: number, nameStart: number, nameEnd: number) => void,
): void {
  const isNamed = codeAt(text, start) === BYTE.openObject;
  if (!isNamed && codeAt(text, start) !== BYTE.openArray) return;
  let at = skipSpace(text, start + 1);
  while (codeAt(text, at) !== BYTE.closeObject && codeAt(text, at) !== BYTE.closeArray) {
    const nameEnd = isNamed ? stringEnd(text, at) : -1;
    const from = isNamed ? skipSpace(text, skipSpace(text, nameEnd) + 1) : at;
    const end = valueEnd(text, from);
    visit(from, end, isNamed ? at : -1, nameEnd);
    at = skipSpace(text, end);
    if (codeAt(text, at) === BYTE.comma) at = skipSpace(text, at + 1);
  }
}

/** Returns true for the four characters that JSON takes as white space. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Returns true if `bytes[start, end)` are `wanted`. */
export function equalsAt(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false;
  for (let at = 0; at < wanted.length; at++) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

function codeAt(text: JsonText, at: number): number {
  return typeof text === 'string' ? text.charCodeAt(at) : text[at]!;
}

/** An odd number of backslashes before a quote escapes it. */
function isEscaped(text: JsonText, quote: number): boolean {
  let slashes = 0;
  while (codeAt(text, quote - 1 - slashes) === BYTE.backslash) slashes++;
  return slashes % 2 === 1;
}
