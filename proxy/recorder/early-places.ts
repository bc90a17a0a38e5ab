import { closeSync, openSync, readSync } from 'node:fs';
import { RecordingReader } from '@/lib/recording/recording-reader';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { LIMITS } from '@/lib/wire/limits';
import type { EarlyPlace } from '@/lib/wire/recording-facts';

/** Bytes of the largest recording that is read again, which takes less than a second. */
const READ_AGAIN_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Returns the places in a recording where a secret stands that got its name only later: `Copy it now: kf83…`, and then
 * `{"api_token":"kf83…"}`. Reads what was written, and nothing if that is too large or can't be read.
 */
export function earlyPlaces(path: string, redactor: CaptureRedactor): readonly EarlyPlace[] {
  if (!redactor.hasFound) return [];
  const places: EarlyPlace[] = [];
  const reader = new RecordingReader();
  try {
    for (const chunk of chunksOf(path)) {
      for (const { seq, bytes } of reader.read(chunk)) {
        for (const { from, to } of redactor.placesIn(bytes)) {
          if (places.push([seq, from, to]) >= LIMITS.earlyPlaces) return places;
        }
      }
    }
  } catch {
    // The recording is as it was without this.
  }
  return places;
}

function* chunksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < READ_AGAIN_BYTES; ) {
      // A new one, because the reader may keep it.
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const read = readSync(file, chunk, 0, CHUNK_BYTES, at);
      if (read === 0) return;
      yield chunk.subarray(0, read);
      at += read;
    }
  } finally {
    closeSync(file);
  }
}
