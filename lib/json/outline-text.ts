import { decodePart, type JsonOutline, stringBreak } from './outline';

/** Bytes of a string decoded before others get a turn. */
const DECODED_BYTES = 64 * 1024;

/** The text that a string stands for, escapes read. Yields now and then. */
export function* stringText(outline: JsonOutline, node: number): Generator<undefined, string> {
  let text = '';
  for (const part of stringParts(outline, node)) {
    text += part;
    yield;
  }
  return text;
}

/** The same as UTF-8: what to read it as JSON by. */
export function* stringBytes(outline: JsonOutline, node: number): Generator<undefined, Uint8Array> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let left = '';
  for (const part of stringParts(outline, node)) {
    const text = left + part;
    // One half of a character may be an escape of its own.
    const whole = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    left = text.slice(whole);
    parts.push(encoder.encode(text.slice(0, whole)));
    yield;
  }
  parts.push(encoder.encode(left));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function* stringParts(outline: JsonOutline, node: number): Generator<string> {
  const end = outline.end(node) - 1;
  for (let at = outline.start(node) + 1; at < end; ) {
    const to = end - at <= DECODED_BYTES ? end : stringBreak(outline.bytes, at, at + DECODED_BYTES);
    yield decodePart(outline.bytes, at, to);
    at = to;
  }
}

/** Bytes looked at before others get a turn. */
const SEARCHED_BYTES = 32 * 1024;
/** Bytes that one UTF-16 unit of a string takes at most, as an escape. */
const UNIT_BYTES = 6;

/**
 * The values of an outline that have `query` in their name or, unless they hold other values, in themselves: strings with
 * their escapes read, letters in either case. Yields now and then; stops at `most`.
 */
export function* searchOutline(
  outline: JsonOutline,
  query: string,
  most: number,
): Generator<undefined, readonly number[]> {
  const found: number[] = [];
  const { bytes } = outline;
  const matches = matcher(bytes, query.toLowerCase());
  // What lies across the end of a portion is found in the next one.
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

/** Says of a range of a string's bytes whether it holds `query`, which is in lower case. */
function matcher(bytes: Uint8Array, query: string): (from: number, to: number) => boolean {
  const needle = new TextEncoder().encode(query);
  const ascii = needle.length === query.length;
  const decoded = (from: number, to: number) => decodePart(bytes, from, to).toLowerCase().includes(query);
  return (from, to) => {
    for (let at = from; at < to; at++) {
      const byte = lower(bytes[at]!);
      // Escapes, and letters that have two cases in more ways than ASCII has.
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
