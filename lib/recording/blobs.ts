import { BYTE, skipSpace, stringEnd } from '@/lib/json/scan';
import type { CutMessage, CutString } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';

/**
 * Bounds of blobs. A blob is a long string that is cut out of messages and stored once, on a line of its own. The
 * bounds are in an object, so that tests can lower them.
 */
export const BLOB_LIMITS = {
  /** Shortest string that becomes a blob, in bytes. */
  minBytes: 64 * 1024,
  /** How many strings of one frame may become blobs. */
  perFrame: 32,
  /** How many of the newest blobs a frame may refer to, and their total bytes. */
  window: 64,
  windowBytes: 64 * 1024 * 1024,
  /** Longest frame written as text, in bytes. Longer ones are base64. */
  textBytes: 64 * 1024 * 1024,
};

/** A string in the bytes of a JSON text, without its quotes. */
interface StringSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the strings that are long enough to become blobs, at most `BLOB_LIMITS.perFrame`. Skips member names. The
 * caller has to check that the text is valid JSON.
 */
function findLargeStrings(text: Uint8Array): readonly StringSpan[] {
  const found: StringSpan[] = [];
  if (!mayHaveLargeString(text)) return found;
  for (let at = 0; at < text.length && found.length < BLOB_LIMITS.perFrame; at++) {
    if (text[at] !== BYTE.quote) continue;
    const from = at + 1;
    const to = stringEnd(text, at) - 1;
    if (text[to] !== BYTE.quote) break;
    if (to - from >= BLOB_LIMITS.minBytes && text[skipSpace(text, to + 1)] !== BYTE.colon) found.push({ from, to });
    at = to;
  }
  return found;
}

/**
 * Quickly returns false for most texts without a long string. Splits the text into stretches of half the minimum
 * length. A long string covers at least one stretch completely, and that stretch has no unescaped quote.
 */
function mayHaveLargeString(text: Uint8Array): boolean {
  const stretch = BLOB_LIMITS.minBytes >> 1;
  for (let start = 0; start + stretch <= text.length; start += stretch) {
    let quote = text.indexOf(BYTE.quote, start);
    while (quote > 0 && quote < start + stretch && text[quote - 1] === BYTE.backslash)
      quote = text.indexOf(BYTE.quote, quote + 1);
    if (quote < 0 || quote >= start + stretch) return true;
  }
  return false;
}

/** Cuts the long strings out of a message. */
export function cutOf(message: Uint8Array): CutMessage {
  const places = findLargeStrings(message);
  const text = new Uint8Array(places.reduce((length, { from, to }) => length - (to - from), message.length));
  const strings: CutString[] = [];
  let [read, written] = [0, 0];
  for (const { from, to } of [...places, { from: message.length, to: message.length }]) {
    text.set(message.subarray(read, from), written);
    written += from - read;
    read = to;
    if (to > from) strings.push({ at: written, bytes: message.subarray(from, to) });
  }
  return { text, strings, length: message.length };
}

interface KeptBlob<T> {
  readonly name: string;
  readonly length: number;
  readonly value: T;
}

/**
 * The blobs that a frame may refer to: the newest ones before it, bounded in number and in bytes. Writers and readers
 * keep the same window, so a stream is written and read in bounded memory.
 */
export class BlobWindow<T> {
  /** Blobs in the window, oldest first. */
  #kept: KeptBlob<T>[] = [];
  #bytes = 0;

  /** Adds the next blob, of `length` bytes. */
  add(name: string, length: number, value: T): void {
    this.#kept.push({ name, length, value });
    this.#bytes += length;
    while (this.#kept.length > BLOB_LIMITS.window || this.#bytes > BLOB_LIMITS.windowBytes) {
      this.#bytes -= this.#kept.shift()!.length;
    }
  }

  /** Returns the newest blob of this name. */
  get(name: string): T | undefined {
    return this.#kept.findLast((kept) => kept.name === name)?.value;
  }

  /**
   * Returns the name of the blob with this value if it would still be in the window after `count` more blobs of `bytes`
   * in total.
   */
  nameIfKept(value: T, count: number, bytes: number): string | undefined {
    let [blobs, sum] = [count, bytes];
    for (let at = this.#kept.length - 1; at >= 0; at--) {
      const kept = this.#kept[at]!;
      sum += kept.length;
      if (++blobs > BLOB_LIMITS.window || sum > BLOB_LIMITS.windowBytes) return undefined;
      if (kept.value === value) return kept.name;
    }
    return undefined;
  }
}

/** A blob as a reader keeps it. */
export interface RecordedBlob {
  /** The characters between the quotes, as in the file. */
  readonly bytes: Uint8Array;
  /** Number of removed values in it. */
  readonly masked: number;
}

/** Finds a frame's blobs, in a window or in a file. */
export interface BlobLookup {
  get(name: string): RecordedBlob | undefined;
}

/** A text with its blobs, and the number of removed values in them. */
interface TextWithBlobs {
  readonly cut: CutMessage;
  readonly masked: number;
}

/**
 * Returns the most bytes that a reader restores from blobs, for a file of this size. The limit stops small hostile
 * files that expand without end. Our writer repeats a string rather than exceed it, so its files are read completely.
 */
export function mostRestoredBytes(fileBytes: number): number {
  return LIMITS.recordingBytes + LIMITS.putBackTimes * fileBytes;
}

/**
 * Finds the blobs of a text. Returns `no-blob` if one is missing; undefined if the places are invalid or too many, or
 * if the whole text is longer than `BLOB_LIMITS.textBytes`.
 */
export function findBlobs(text: Uint8Array, places: unknown, blobs: BlobLookup): TextWithBlobs | 'no-blob' | undefined {
  if (!Array.isArray(places) || places.length > BLOB_LIMITS.window) return undefined;
  const strings: CutString[] = [];
  let [length, masked, before] = [text.length, 0, 0];
  for (const place of places as readonly unknown[]) {
    const [at, name] = Array.isArray(place) ? (place as readonly unknown[]) : [];
    if (!isEmptyString(text, at) || at <= before || typeof name !== 'string') return undefined;
    const blob = blobs.get(name);
    if (!blob) return 'no-blob';
    before = at;
    length += blob.bytes.length;
    masked += blob.masked;
    if (length > BLOB_LIMITS.textBytes) return undefined;
    strings.push({ at, bytes: blob.bytes });
  }
  return { cut: { text, strings, length }, masked };
}

/** Returns true for an offset between two quotes, where any string can be inserted into the JSON. */
function isEmptyString(text: Uint8Array, at: unknown): at is number {
  return Number.isSafeInteger(at) && text[(at as number) - 1] === BYTE.quote && text[at as number] === BYTE.quote;
}
