import { createHash } from 'node:crypto';
import type { ContentDigest } from '@/lib/recording/content-digest';
import type { RunningDigest } from '@/lib/recording/running-digest';

/** The system's SHA-256, several times as fast as the one for browsers. */
export const sha256Of: ContentDigest = (bytes) => createHash('sha256').update(bytes).digest('base64');

/** The same of bytes that come one after the other. */
export function runningSha256(): RunningDigest {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.copy().digest('hex') };
}
