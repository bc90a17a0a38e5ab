import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, type Zlib } from 'node:zlib';
import { ConnectionError } from '@/lib/transports/transport';

/** The encodings that can be decoded, as sent in `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/**
 * Bytes decoded in one step on another thread. A few bytes can expand to a body of the largest size, which takes four
 * thousand steps of Node's own size, and seconds on a busy machine.
 */
const DECODED_AT_ONCE_BYTES = 256 * 1024;

/** Decodes each piece as soon as it arrives, as event streams need. The end has to be that of the compressed data. */
const ZLIB = { flush: constants.Z_SYNC_FLUSH, chunkSize: DECODED_AT_ONCE_BYTES };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, chunkSize: DECODED_AT_ONCE_BYTES };

type Decoder = Transform & Pick<Zlib, 'flush'>;

const DECODERS: ReadonlyMap<string, () => Decoder> = new Map<string, () => Decoder>([
  ['gzip', () => createGunzip(ZLIB)],
  ['x-gzip', () => createGunzip(ZLIB)],
  ['deflate', () => createInflate(ZLIB)],
  ['br', () => createBrotliDecompress(BROTLI)],
]);

/**
 * Decodes a body by its `Content-Encoding`. Throws ConnectionError `encoding-unknown`, and while reading `body-broken`
 * if the body ends before the compressed data does.
 */
export function decoded(body: Readable, encoding: string | undefined): AsyncIterable<Uint8Array> {
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
  const bytes = wanted.reduce<AsyncIterable<Uint8Array>>(
    (source, name) => decodedBy(source, name, DECODERS.get(name)!()),
    body,
  );
  return wanted.length === 0 ? bytes : closing(bytes, body);
}

/** Passes on everything that could be decoded before it fails at an early end, so that no event of a stream is lost. */
async function* decodedBy(source: AsyncIterable<Uint8Array>, name: string, decoder: Decoder) {
  let isEmpty = true;
  let isFlushed = false;
  let onRead = (): void => {};
  const held = async function* () {
    for await (const chunk of source) {
      isEmpty = false;
      yield chunk;
    }
    await new Promise<void>((resolve) => decoder.flush(() => resolve()));
    isFlushed = true;
    // A decoder that fails drops what was not read yet.
    if (decoder.readableLength > 0) await new Promise<void>((resolve) => (onRead = resolve));
  };
  pipeline(held, decoder, () => {});
  try {
    for await (const chunk of decoder) {
      yield chunk as Buffer;
      if (isFlushed && decoder.readableLength === 0) onRead();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR') throw error;
    // Servers send the header with an empty body too.
    if (!isEmpty) throw endedEarly(name);
  }
}

/** Destroys the body when its decoded bytes are no longer read. */
async function* closing(bytes: AsyncIterable<Uint8Array>, body: Readable) {
  try {
    yield* bytes;
  } finally {
    body.destroy();
  }
}

function endedEarly(name: string): ConnectionError {
  return new ConnectionError({
    code: 'body-broken',
    message: `The server’s ${name}-compressed response ends too early.`,
    advice: 'Check the program that compresses it, such as a proxy in front of the server.',
  });
}
