import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ConnectionError } from '@/lib/transports/transport';

/** The encodings that can be decoded, as sent in `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/**
 * Bytes decoded in one step on another thread. A few bytes can expand to a body of the largest size, which takes four
 * thousand steps of Node's own size, and seconds on a busy machine.
 */
const DECODED_AT_ONCE_BYTES = 256 * 1024;

/**
 * Decodes each piece as soon as it arrives, as event streams need. Also accepts compressed data without an end, which
 * some servers send.
 */
const ZLIB = {
  flush: constants.Z_SYNC_FLUSH,
  finishFlush: constants.Z_SYNC_FLUSH,
  chunkSize: DECODED_AT_ONCE_BYTES,
};
const BROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
  chunkSize: DECODED_AT_ONCE_BYTES,
};

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(ZLIB)],
  ['x-gzip', () => createGunzip(ZLIB)],
  ['deflate', () => createInflate(ZLIB)],
  ['br', () => createBrotliDecompress(BROTLI)],
]);

/** Decodes a body by its `Content-Encoding`. Throws ConnectionError `encoding-unknown`. */
export function decoded(body: Readable, encoding: string | undefined): Readable {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const wanted = names.filter((name) => name !== '' && name !== 'identity').reverse();
  // Each layer multiplies the size that a few bytes can expand to.
  if (wanted.length > 2 || wanted.some((name) => !DECODERS.has(name))) {
    throw new ConnectionError({
      code: 'encoding-unknown',
      message: `The server compressed its response as ${JSON.stringify(encoding)}, which mcp-inspect does not accept.`,
      advice: `Make it use one of ${ACCEPTED_ENCODINGS}, or no compression.`,
    });
  }
  return wanted.reduce<Readable>((source, name) => pipeline(source, DECODERS.get(name)!(), () => {}), body);
}
