import { BYTE } from '@/lib/wire/json-bytes';
import { LIMITS } from '@/lib/wire/limits';

/** A blob as a reader keeps it. */
export interface Blob {
  /** What was between the quotes, as it stands in the file. */
  readonly bytes: Uint8Array;
  /** In how many places of it something was taken out. */
  readonly masked: number;
}

/** Where a frame's blobs are looked for: a window, or a file in which they can be found. */
export interface Blobs {
  get(name: string): Blob | undefined;
}

/** A text that is whole again, with what its blobs count. */
export interface PutBack {
  readonly bytes: Uint8Array;
  readonly masked: number;
}

/**
 * How many bytes of blobs may have been put back, where a file has come to so many bytes: a writer that comes to more writes a string
 * again. So a small file can't keep a reader busy for ever, and none that was written so is read only in part.
 */
export function mostPutBack(fileBytes: number): number {
  return LIMITS.recordingBytes + LIMITS.putBackTimes * fileBytes;
}

/**
 * Puts blobs back to where a frame's `blobs` says they were. `no-blob`: one of them is not there. undefined for places that are
 * none, or more than a frame may have, and for what would be longer than any writer cuts.
 */
export function putBack(text: Uint8Array, places: unknown, blobs: Blobs): PutBack | 'no-blob' | undefined {
  if (!Array.isArray(places) || places.length > LIMITS.blobs) return undefined;
  const found: { readonly at: number; readonly blob: Blob }[] = [];
  let [length, masked, before] = [text.length, 0, 0];
  for (const place of places as readonly unknown[]) {
    const [at, name] = Array.isArray(place) ? (place as readonly unknown[]) : [];
    if (!isEmptyString(text, at) || at <= before || typeof name !== 'string') return undefined;
    const blob = blobs.get(name);
    if (!blob) return 'no-blob';
    before = at;
    length += blob.bytes.length;
    masked += blob.masked;
    if (length > LIMITS.recordedTextBytes) return undefined;
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
