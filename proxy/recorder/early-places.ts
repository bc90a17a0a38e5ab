import { RecordingReader } from '@/lib/recording/recording-reader';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { LIMITS } from '@/lib/wire/limits';
import type { EarlyPlace } from '@/lib/wire/recording-facts';
import { readNow } from '@/proxy/files/existing-files';

/** Bytes read at a time, which is at once. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Finds the places in a recording where a secret stands that got its name only later: `Copy it now: kf83…`, and then
 * `{"api_token":"kf83…"}`. Reads the beginning of what was written, and nothing if it can't be read. Yields after each
 * frame, since it can take seconds.
 */
export function* earlyPlaces(path: string, redactor: CaptureRedactor): Generator<void, readonly EarlyPlace[]> {
  if (!redactor.hasFound) return [];
  const reader = new RecordingReader();
  const places: EarlyPlace[] = [];
  try {
    for (let at = 0; at < LIMITS.earlyBytes && places.length < LIMITS.earlyPlaces; at += CHUNK_BYTES) {
      const chunk = readNow(path, ({ read }) => read(at, CHUNK_BYTES));
      if (chunk.length === 0) break;
      for (const { seq, bytes } of reader.read(chunk)) {
        for (const { from, to } of redactor.placesIn(bytes)) places.push([seq, from, to]);
        yield;
      }
    }
  } catch {
    // The recording is as it was without this.
  }
  return places.slice(0, LIMITS.earlyPlaces);
}
