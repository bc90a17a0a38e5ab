import { decodePart, type JsonOutline, stringBreak } from './outline';
import { joinBytes } from './typed-arrays';

/** Bytes of a string decoded before yielding. They take under a millisecond. */
const DECODED_BYTES = 64 * 1024;

/** Returns the decoded text of a string. Yields in between. */
export function* stringText(outline: JsonOutline, node: number): Generator<undefined, string> {
  let text = '';
  for (const part of stringParts(outline, node)) {
    text += part;
    yield;
  }
  return text;
}

/** Returns the decoded text of a string as UTF-8, to read JSON within JSON. Yields in between. */
export function* stringBytes(outline: JsonOutline, node: number): Generator<undefined, Uint8Array> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let left = '';
  for (const part of stringParts(outline, node)) {
    const text = left + part;
    // A surrogate pair can be two escapes, split between two parts.
    const whole = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    left = text.slice(whole);
    parts.push(encoder.encode(text.slice(0, whole)));
    yield;
  }
  parts.push(encoder.encode(left));
  return joinBytes(parts);
}

function* stringParts(outline: JsonOutline, node: number): Generator<string> {
  const end = outline.end(node) - 1;
  for (let at = outline.start(node) + 1; at < end; ) {
    const to = end - at <= DECODED_BYTES ? end : stringBreak(outline.bytes, at, at + DECODED_BYTES);
    yield decodePart(outline.bytes, at, to);
    at = to;
  }
}

/** Bytes searched before yielding. They take under a millisecond. */
const SEARCHED_BYTES = 32 * 1024;
/** Bytes of the longest spelling of one UTF-16 unit: an escape. */
const UNIT_BYTES = 6;

/**
 * Finds the values with `query` in their name, and the strings, numbers and words that contain it. Strings are decoded;
 * case is ignored. Yields in between and stops at `most`.
 */
export function* searchOutline(
  outline: JsonOutline,
  query: string,
  most: number,
): Generator<undefined, readonly number[]> {
  const found: number[] = [];
  const { bytes } = outline;
  const matches = matcher(bytes, query.toLowerCase());
  // Portions overlap, so that a match across their border is found.
  const overlap = query.length * UNIT_BYTES;
  const portion = Math.max(SEARCHED_BYTES, 2 * overlap);
  function* holds(start: number, end: number): Generator<undefined, boolean> {
    let from = start;
    while (end - from > portion) {
      const to = stringBreak(bytes, from, from + portion);
      if (matches(from, to)) return true;
      from = stringBreak(bytes, from, to - overlap);
      yield;
    }
    return matches(from, end);
  }
  let looked = 0;
  for (let node = 0; node < outline.size && found.length < most; node++) {
    let hit = false;
    const name = outline.nameStart(node);
    if (name !== undefined) {
      const end = outline.nameEnd(node);
      looked += end - name;
      hit = end - name > portion ? yield* holds(name + 1, end) : matches(name + 1, end);
    }
    if (!hit && !outline.isBranch(node)) {
      const quote = outline.kind(node) === 'string' ? 1 : 0;
      const [from, end] = [outline.start(node) + quote, outline.end(node) - quote];
      looked += end - from;
      hit = end - from > portion ? yield* holds(from, end) : matches(from, end);
    }
    if (hit) found.push(node);
    looked += 8;
    if (looked < SEARCHED_BYTES) continue;
    looked = 0;
    yield;
  }
  return found;
}

/** Returns a function that tells whether a range of a string's bytes contains `query`, which is in lower case. */
function matcher(bytes: Uint8Array, query: string): (from: number, to: number) => boolean {
  const needle = new TextEncoder().encode(query);
  const ascii = needle.length === query.length;
  const decoded = (from: number, to: number) => decodePart(bytes, from, to).toLowerCase().includes(query);
  return (from, to) => {
    for (let at = from; at < to; at++) {
      const byte = lower(bytes[at]!);
      // Escapes, and letters beyond ASCII, need decoding.
      if (byte >= 0x80 || byte === 0x5c) return decoded(from, to);
      if (!ascii || byte !== needle[0] || at + needle.length > to) continue;
      let length = 1;
      while (length < needle.length && lower(bytes[at + length]!) === needle[length]) length++;
      if (length === needle.length) return true;
    }
    return false;
  };
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}
