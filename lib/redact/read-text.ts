import { bytesOfText } from './byte-text';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UNREADABLE = 0xfffd;

/** Characters of a text, and the bytes that they are. */
export interface Stretch {
  readonly text: string;
  /** Bytes of the character that begins at a place. */
  bytesAt(place: number): number;
}

/** What bytes, as a byte text, say: UTF-8 read; a byte that belongs to no character is one by itself, which nothing can be said of. */
export function readText(bytes: string): Stretch {
  if (/^[\0-\x7f]*$/.test(bytes)) return { text: bytes, bytesAt: () => 1 };
  const raw = bytesOfText(bytes);
  try {
    const text = strict.decode(raw);
    return { text, bytesAt: (place) => lengthOf(text.codePointAt(place)!) };
  } catch {
    return readDamaged(raw);
  }
}

/** Character by character, and without an error for each that is none: there may be millions. */
function readDamaged(raw: Uint8Array): Stretch {
  let text = '';
  /** Places of unreadable bytes, to tell them from a U+FFFD that was sent. */
  const unreadable = new Set<number>();
  for (let at = 0; at < raw.length; ) {
    const point = pointAt(raw, at);
    if (point === undefined) unreadable.add(text.length);
    text += String.fromCodePoint(point ?? UNREADABLE);
    at += point === undefined ? 1 : lengthOf(point);
  }
  return { text, bytesAt: (place) => (unreadable.has(place) ? 1 : lengthOf(text.codePointAt(place)!)) };
}

/** The code point whose UTF-8 begins here; undefined if none does. */
function pointAt(raw: Uint8Array, at: number): number | undefined {
  const first = raw[at]!;
  if (first < 0x80) return first;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc0 || first > 0xf7 || at + length > raw.length) return undefined;
  let point = first & (0x7f >> length);
  for (let next = at + 1; next < at + length; next++) {
    if ((raw[next]! & 0xc0) !== 0x80) return undefined;
    point = (point << 6) | (raw[next]! & 0x3f);
  }
  const isSurrogate = point >= 0xd800 && point < 0xe000;
  return point > 0x10ffff || isSurrogate || lengthOf(point) !== length ? undefined : point;
}

/** In UTF-8, of a code point. */
function lengthOf(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
