import { createHash } from 'node:crypto';
import { inflateRaw } from 'node:zlib';
import type { ContentDigest, RunningDigest } from '@/lib/recording/digests';
import type { Inflate } from '@/lib/recording/large/indexes';

/** Node's SHA-256, several times as fast as the JavaScript one that browsers use. */
export const sha256Of: ContentDigest = (bytes) => createHash('sha256').update(bytes).digest('base64');

/** Returns a SHA-256 that is fed piece by piece. */
export function runningSha256(): RunningDigest {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.copy().digest('hex') };
}

/** Bytes unpacked at a time. An index takes a few such chunks. */
const CHUNK_BYTES = 256 * 1024;

/** Inflates on another thread, in larger and so fewer chunks than `DecompressionStream` does. */
export const inflateOnThread: Inflate = (deflated, most) =>
  new Promise((resolve, reject) => {
    inflateRaw(deflated, { chunkSize: CHUNK_BYTES, maxOutputLength: most }, (error, bytes) => {
      if (error) reject(error);
      else resolve(bytes);
    });
  });
