import { LIMITS } from '@/lib/wire/limits';

/** A string in the bytes of a JSON text: what is between its quotes. */
export interface StringPlace {
  readonly from: number;
  readonly to: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * The strings of `LIMITS.blobBytes` and more, the first `LIMITS.blobsPerFrame` of them, names of members left out. What is no
 * JSON has some as well, or none: whoever asks has to look.
 */
export function largeStrings(text: Uint8Array): readonly StringPlace[] {
  const found: StringPlace[] = [];
  if (!mayHaveOne(text)) return found;
  for (let at = 0; at < text.length && found.length < LIMITS.blobsPerFrame; at++) {
    if (text[at] !== QUOTE) continue;
    const from = at + 1;
    const to = closingQuote(text, from);
    if (to < 0) break;
    if (to - from >= LIMITS.blobBytes && !isName(text, to + 1)) found.push({ from, to });
    at = to;
  }
  return found;
}

/**
 * A string that is long enough has all of a stretch of half its length that begins at a multiple of that, and in it no quote but
 * behind a backslash: of most messages without such a string a few bytes of each stretch tell so.
 */
function mayHaveOne(text: Uint8Array): boolean {
  const stretch = LIMITS.blobBytes >> 1;
  for (let start = 0; start + stretch <= text.length; start += stretch) {
    let quote = text.indexOf(QUOTE, start);
    while (quote > 0 && quote < start + stretch && text[quote - 1] === BACKSLASH)
      quote = text.indexOf(QUOTE, quote + 1);
    if (quote < 0 || quote >= start + stretch) return true;
  }
  return false;
}

/** Most strings end soon: asking the system where costs more than looking at so many bytes. */
const SOON = 64;

/** The first quote from `from` on that no backslash escapes; -1 if there is none. */
function closingQuote(text: Uint8Array, from: number): number {
  let at = from;
  for (const soon = from + SOON; at < soon; at++) {
    if (text[at] === QUOTE) return at;
    if (text[at] === BACKSLASH) at++;
  }
  for (at = text.indexOf(QUOTE, at); at >= 0; at = text.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** Whether what ended before `at` is the name of a member. */
function isName(text: Uint8Array, at: number): boolean {
  let next = at;
  while (SPACE.has(text[next])) next++;
  return text[next] === COLON;
}

/** The text without these. */
export function withoutStrings(text: Uint8Array, places: readonly StringPlace[]): Uint8Array {
  const shorter = new Uint8Array(places.reduce((length, { from, to }) => length - (to - from), text.length));
  let [read, written] = [0, 0];
  for (const { from, to } of [...places, { from: text.length, to: text.length }]) {
    shorter.set(text.subarray(read, from), written);
    written += from - read;
    read = to;
  }
  return shorter;
}
