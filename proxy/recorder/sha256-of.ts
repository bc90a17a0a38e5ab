import { createHash } from 'node:crypto';
import type { ContentDigest } from '@/lib/recording/content-digest';

/** The system's SHA-256, several times as fast as the one for browsers. */
export const sha256Of: ContentDigest = (bytes) => createHash('sha256').update(bytes).digest('base64');
