import { BYTE, byteStringEnd, spaceEnd } from '@/lib/json/scan';
import { LIMITS } from '@/lib/wire/limits';

/** Bounds of blobs. An object, so that tests can make them small: what happens in megabytes happens in a few characters too. */
export const BLOB_LIMITS = {
  /** Bytes from which on a string becomes a blob. */
  minBytes: 64 * 1024,
  /** Strings of one frame that may become blobs, the first ones. */
  perFrame: 32,
  /** Newest blobs that a frame may refer to, and their bytes together. */
  window: 64,
  windowBytes: 64 * 1024 * 1024,
  /** Bytes of the longest frame that is written as text; a longer one is written in base64. */
  textBytes: 64 * 1024 * 1024,
};

interface KeptBlob<T> {
  readonly name: string;
  readonly length: number;
  readonly value: T;
}

/**
 * The blobs that a frame may refer to: the newest before it, `BLOB_LIMITS.window` of them and `BLOB_LIMITS.windowBytes` together. Writers
 * and readers have the same, so that a stream is written and read in bounded memory.
 */
export class BlobWindow<T> {
  /** Oldest first. */
  #kept: KeptBlob<T>[] = [];
  #bytes = 0;

  /** The next blob, of `length` bytes. */
  add(name: string, length: number, value: T): void {
    this.#kept.push({ name, length, value });
    this.#bytes += length;
    while (this.#kept.length > BLOB_LIMITS.window || this.#bytes > BLOB_LIMITS.windowBytes) {
      this.#bytes -= this.#kept.shift()!.length;
    }
  }

  /** The newest of this name. */
  get(name: string): T | undefined {
    return this.#kept.findLast((kept) => kept.name === name)?.value;
  }

  /** The name of this value, if it is still here when `count` more have come, of `bytes` together. */
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

/** A string in the bytes of a JSON text: what is between its quotes. */
export interface StringSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * The strings of `BLOB_LIMITS.minBytes` and more, the first `BLOB_LIMITS.perFrame` of them, names of members left out. What is no
 * JSON has some as well, or none: whoever asks has to look.
 */
export function findLargeStrings(text: Uint8Array): readonly StringSpan[] {
  const found: StringSpan[] = [];
  if (!mayHaveOne(text)) return found;
  for (let at = 0; at < text.length && found.length < BLOB_LIMITS.perFrame; at++) {
    if (text[at] !== BYTE.quote) continue;
    const from = at + 1;
    const to = byteStringEnd(text, at) - 1;
    if (text[to] !== BYTE.quote) break;
    if (to - from >= BLOB_LIMITS.minBytes && text[spaceEnd(text, to + 1)] !== BYTE.colon) found.push({ from, to });
    at = to;
  }
  return found;
}

/**
 * A string that is long enough has all of a stretch of half its length that begins at a multiple of that, and in it no quote but
 * behind a backslash: of most messages without such a string a few bytes of each stretch tell so.
 */
function mayHaveOne(text: Uint8Array): boolean {
  const stretch = BLOB_LIMITS.minBytes >> 1;
  for (let start = 0; start + stretch <= text.length; start += stretch) {
    let quote = text.indexOf(BYTE.quote, start);
    while (quote > 0 && quote < start + stretch && text[quote - 1] === BYTE.backslash)
      quote = text.indexOf(BYTE.quote, quote + 1);
    if (quote < 0 || quote >= start + stretch) return true;
  }
  return false;
}

/** The text without these. */
export function removeStrings(text: Uint8Array, places: readonly StringSpan[]): Uint8Array {
  const shorter = new Uint8Array(places.reduce((length, { from, to }) => length - (to - from), text.length));
  let [read, written] = [0, 0];
  for (const { from, to } of [...places, { from: text.length, to: text.length }]) {
    shorter.set(text.subarray(read, from), written);
    written += from - read;
    read = to;
  }
  return shorter;
}

/** A blob as a reader keeps it. */
export interface RecordedBlob {
  /** What was between the quotes, as it stands in the file. */
  readonly bytes: Uint8Array;
  /** In how many places of it something was taken out. */
  readonly masked: number;
}

/** Where a frame's blobs are looked for: a window, or a file in which they can be found. */
export interface BlobLookup {
  get(name: string): RecordedBlob | undefined;
}

/** A text that is whole again, with what its blobs count. */
export interface RestoredText {
  readonly bytes: Uint8Array;
  readonly masked: number;
}

/**
 * How many bytes of blobs may have been put back, where a file has come to so many bytes: a writer that comes to more writes a string
 * again. So a small file can't keep a reader busy for ever, and none that was written so is read only in part.
 */
export function mostRestoredBytes(fileBytes: number): number {
  return LIMITS.recordingBytes + LIMITS.putBackTimes * fileBytes;
}

/**
 * Puts blobs back to where a frame's `blobs` says they were. `no-blob`: one of them is not there. undefined for places that are
 * none, or more than a frame may have, and for what would be longer than any writer cuts.
 */
export function restoreBlobs(
  text: Uint8Array,
  places: unknown,
  blobs: BlobLookup,
): RestoredText | 'no-blob' | undefined {
  if (!Array.isArray(places) || places.length > BLOB_LIMITS.window) return undefined;
  const found: { readonly at: number; readonly blob: RecordedBlob }[] = [];
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
    found.push({ at, blob });
  }
  const bytes = new Uint8Array(length);
  let [read, written] = [0, 0];
  for (const { at, blob } of found) {
    bytes.set(text.subarray(read, at), written);
    written += at - read;
    bytes.set(blob.bytes, written);
    written += blob.bytes.length;
    read = at;
  }
  bytes.set(text.subarray(read), written);
  return { bytes, masked };
}

/** Between two quotes: JSON stays JSON, whatever string is put there. */
function isEmptyString(text: Uint8Array, at: unknown): at is number {
  return Number.isSafeInteger(at) && text[(at as number) - 1] === BYTE.quote && text[at as number] === BYTE.quote;
}
