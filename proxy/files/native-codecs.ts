import { createHash } from 'node:crypto';
import { inflateRaw } from 'node:zlib';
import type { ContentDigest, RunningDigest } from '@/lib/recording/digests';
import type { Inflate } from '@/lib/recording/large/indexes';

/** The system's SHA-256, several times as fast as the one for browsers. */
export const sha256Of: ContentDigest = (bytes) => createHash('sha256').update(bytes).digest('base64');

/** The same of bytes that come one after the other. */
export function runningSha256(): RunningDigest {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.copy().digest('hex') };
}

/** Bytes unpacked at a time: an index comes to a few of these. */
const CHUNK_BYTES = 256 * 1024;

/** On another thread, and in fewer pieces than `DecompressionStream` makes, each of which costs more than its bytes. */
export const inflateOnThread: Inflate = (deflated, most) =>
  new Promise((resolve, reject) => {
    inflateRaw(deflated, { chunkSize: CHUNK_BYTES, maxOutputLength: most }, (error, bytes) => {
      if (error) reject(error);
      else resolve(bytes);
    });
  });
