import { JSON_DEPTH } from './parse';
import { BYTE } from './scan';

/** Names of {@link BYTE} that only this file needs. */
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;

/** For each byte, 1 if it is an ASCII character that may stand in a string as it is. */
const IN_STRING = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 0x20 && code < 0x80 && code !== BYTE.quote && code !== BYTE.backslash ? 1 : 0,
);
const ESCAPES = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));
const WORDS = ['true', 'false', 'null'].map((word) => Array.from(word, (letter) => letter.charCodeAt(0)));

/** 1 for each open object, 0 for each open array. Checks don't overlap, so they share it. */
const isObjectAt = new Uint8Array(JSON_DEPTH + 1);

/**
 * Returns true if these bytes are a JSON object or array in ASCII, on one line, without white space around it, and not
 * nested deeper than `JSON_DEPTH`. False says nothing: the bytes can still be JSON. For short texts, this takes a
 * quarter of the time of decoding and parsing them.
 */
export function isPlainJson(bytes: Uint8Array): boolean {
  const end = bytes.length;
  const first = bytes[0];
  if (first !== BYTE.openObject && first !== BYTE.openArray) return false;
  let depth = 0;
  let at = 0;
  /** After a value: what may follow is a comma or the end of what is open. */
  let isAfterValue = false;
  for (;;) {
    while (at < end && isBlank(bytes[at]!)) at++;
    if (at >= end) return false;
    const code = bytes[at]!;
    if (isAfterValue) {
      if (code === BYTE.comma) {
        at++;
        if (isObjectAt[depth] === 1) {
          at = nameEnd(bytes, at);
          if (at < 0) return false;
        }
        isAfterValue = false;
        continue;
      }
      if (code !== (isObjectAt[depth] === 1 ? BYTE.closeObject : BYTE.closeArray)) return false;
      at++;
      if (--depth === 0) return at === end;
      continue;
    }
    if (code === BYTE.quote) {
      at = stringEnd(bytes, at + 1);
      if (at < 0) return false;
      isAfterValue = true;
    } else if (code === BYTE.openObject || code === BYTE.openArray) {
      if (++depth > JSON_DEPTH) return false;
      const isObject = code === BYTE.openObject;
      isObjectAt[depth] = isObject ? 1 : 0;
      at++;
      while (at < end && isBlank(bytes[at]!)) at++;
      if (bytes[at] === (isObject ? BYTE.closeObject : BYTE.closeArray)) isAfterValue = true;
      else if (isObject) {
        at = nameEnd(bytes, at);
        if (at < 0) return false;
      }
      if (isAfterValue) {
        at++;
        if (--depth === 0) return at === end;
      }
    } else {
      at = code === MINUS || (code >= ZERO && code <= NINE) ? numberEnd(bytes, at) : wordEnd(bytes, at);
      if (at < 0) return false;
      isAfterValue = true;
    }
  }
}

/** Returns true for white space that does not end a line. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns the index after a name and its colon; -1 if there is none. */
function nameEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(bytes[at]!)) at++;
  if (bytes[at] !== BYTE.quote) return -1;
  at = stringEnd(bytes, at + 1);
  if (at < 0) return -1;
  while (isBlank(bytes[at]!)) at++;
  return bytes[at] === BYTE.colon ? at + 1 : -1;
}

/** Returns the index after the closing quote of a valid ASCII string whose content starts at `from`; else -1. */
function stringEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  for (let at = from; at < end; at++) {
    const code = bytes[at]!;
    if (IN_STRING[code] === 1) continue;
    if (code === BYTE.quote) return at + 1;
    if (code !== BYTE.backslash) return -1;
    const escaped = bytes[++at]!;
    if (escaped === BYTE.letterU) {
      for (const last = at + 4; at < last; ) if (!isHexDigit(bytes[++at]!)) return -1;
    } else if (!ESCAPES.has(escaped)) return -1;
  }
  return -1;
}

function isHexDigit(code: number): boolean {
  return (code >= ZERO && code <= NINE) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

function numberEnd(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  const whole = digitsEnd(bytes, at);
  // A zero stands alone.
  if (whole === at || (bytes[at] === ZERO && whole > at + 1)) return -1;
  at = whole;
  if (bytes[at] === POINT) {
    const fraction = digitsEnd(bytes, at + 1);
    if (fraction === at + 1) return -1;
    at = fraction;
  }
  if ((bytes[at]! | 0x20) === 0x65) {
    at++;
    if (bytes[at] === PLUS || bytes[at] === MINUS) at++;
    const exponent = digitsEnd(bytes, at);
    return exponent === at ? -1 : exponent;
  }
  return at;
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}

function wordEnd(bytes: Uint8Array, from: number): number {
  for (const word of WORDS) {
    if (word.every((letter, place) => bytes[from + place] === letter)) return from + word.length;
  }
  return -1;
}
