import { RecordingReader } from '@/lib/recording/recording-reader';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { LIMITS } from '@/lib/wire/limits';
import type { EarlyPlace } from '@/lib/wire/recording-facts';
import { readNow } from '@/proxy/files/existing-files';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Returns the places in a recording where a secret stands that got its name only later: `Copy it now: kf83…`, and then
 * `{"api_token":"kf83…"}`. Reads what was written, and nothing if that is too large or can't be read.
 */
export function earlyPlaces(path: string, redactor: CaptureRedactor): readonly EarlyPlace[] {
  if (!redactor.hasFound) return [];
  const reader = new RecordingReader();
  const places: EarlyPlace[] = [];
  try {
    readNow(path, ({ read }) => {
      for (let at = 0; at < LIMITS.earlyBytes && places.length < LIMITS.earlyPlaces; at += CHUNK_BYTES) {
        const chunk = read(at, CHUNK_BYTES);
        if (chunk.length === 0) return;
        for (const { seq, bytes } of reader.read(chunk)) {
          for (const { from, to } of redactor.placesIn(bytes)) places.push([seq, from, to]);
        }
      }
    });
  } catch {
    // The recording is as it was without this.
  }
  return places.slice(0, LIMITS.earlyPlaces);
}
