import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ConnectionError } from '@/lib/transports/transport';

/** Said in requests, and all that can be read. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** An event stream must come through as it is sent, not when a block is full; and some servers never end theirs properly. */
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(ZLIB)],
  ['x-gzip', () => createGunzip(ZLIB)],
  ['deflate', () => createInflate(ZLIB)],
  ['br', () => createBrotliDecompress(BROTLI)],
]);

/** The body without its `Content-Encoding`. Throws ConnectionError `encoding-unknown`. */
export function decoded(body: Readable, encoding: string | undefined): Readable {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const wanted = names.filter((name) => name !== '' && name !== 'identity').reverse();
  // Each layer multiplies what a few bytes can become.
  if (wanted.length > 2 || wanted.some((name) => !DECODERS.has(name))) {
    throw new ConnectionError({
      code: 'encoding-unknown',
      message: `The server compressed its answer as ${JSON.stringify(encoding)}, which was not asked for.`,
      advice: `Make it answer in one of ${ACCEPTED_ENCODINGS}, or uncompressed.`,
    });
  }
  return wanted.reduce<Readable>((source, name) => pipeline(source, DECODERS.get(name)!(), () => {}), body);
}
