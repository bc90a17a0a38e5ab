import { BYTE, spaceEnd, stringEnd } from '@/lib/wire/json-bytes';
import { LIMITS } from '@/lib/wire/limits';

/** A string in the bytes of a JSON text: what is between its quotes. */
export interface StringPlace {
  readonly from: number;
  readonly to: number;
}

/**
 * The strings of `LIMITS.blobBytes` and more, the first `LIMITS.blobsPerFrame` of them, names of members left out. What is no
 * JSON has some as well, or none: whoever asks has to look.
 */
export function largeStrings(text: Uint8Array): readonly StringPlace[] {
  const found: StringPlace[] = [];
  if (!mayHaveOne(text)) return found;
  for (let at = 0; at < text.length && found.length < LIMITS.blobsPerFrame; at++) {
    if (text[at] !== BYTE.quote) continue;
    const from = at + 1;
    const to = stringEnd(text, at) - 1;
    if (text[to] !== BYTE.quote) break;
    if (to - from >= LIMITS.blobBytes && text[spaceEnd(text, to + 1)] !== BYTE.colon) found.push({ from, to });
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
    let quote = text.indexOf(BYTE.quote, start);
    while (quote > 0 && quote < start + stretch && text[quote - 1] === BYTE.backslash)
      quote = text.indexOf(BYTE.quote, quote + 1);
    if (quote < 0 || quote >= start + stretch) return true;
  }
  return false;
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
