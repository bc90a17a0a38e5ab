import { inflateRaw } from 'node:zlib';
import type { Inflate } from '@/lib/recording/index-line';

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
