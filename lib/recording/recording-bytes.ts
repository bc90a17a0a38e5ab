import { formatBytes } from '@/lib/wire/format';
import { isGzip } from '@/lib/wire/gzip';
import { LIMITS } from '@/lib/wire/limits';
import { RecordingError } from './errors';
import { readHar } from './har/read-har';

/** Largest HTTP Archive, in bytes. Its MCP traffic is held in memory until it is converted. */
const HAR_BYTES = 512 * 1024 * 1024;

/** Bytes at the start of a file that identify its kind. */
const SNIFFED_BYTES = 512;

const LINE_FEED = 10;

type Bytes = Uint8Array<ArrayBuffer>;

/** How an HTTP Archive is converted. */
export interface ConvertOptions {
  /**
   * Called with the bytes of the source that are read; for an HTTP Archive, with those that are converted, which takes
   * longer.
   */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Ends the reading, which then throws. */
  readonly signal?: AbortSignal | undefined;
}

/** Converts the HTTP Archive in a file to the lines of a recording on another thread. */
export type ConvertElsewhere = (options: ConvertOptions) => AsyncIterable<Uint8Array>;

interface ReadOptions extends ConvertOptions {
  /** Most bytes of the recording, unpacked. */
  readonly mostBytes?: number;
  /** Bytes of the longest line in a gzipped recording. Absent: `LIMITS.recordedLineBytes`. */
  readonly mostLineBytes?: number;
  /** Reads the source again if it is an HTTP Archive. Absent: it is converted here, in slices. */
  readonly convertArchive?: ConvertElsewhere | undefined;
}

/**
 * Returns the lines of a recording from a plain file, a gzipped one, or an HTTP Archive. Throws {@link RecordingError}
 * as {@link decompressedBytes} and {@link readHar} do, `har-too-large`, and `recording-line-too-long`.
 */
export async function* recordingBytes(
  source: ReadableStream<Bytes>,
  { mostBytes, onRead, signal, mostLineBytes = LIMITS.recordedLineBytes, convertArchive }: ReadOptions = {},
): AsyncGenerator<Uint8Array> {
  let read = 0;
  const counted = new TransformStream<Bytes, Bytes>({
    transform(chunk, controller) {
      read += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const chunks = decompressedBytes(source.pipeThrough(counted, signal && { signal }), mostBytes);
  const first = await chunks.next();
  if (first.done) return;
  const whole = startingWith(first.value, chunks);
  if (!isHar(first.value)) {
    let [unpacked, line] = [0, 0];
    for await (const chunk of whole) {
      unpacked += chunk.length;
      const end = chunk.lastIndexOf(LINE_FEED);
      line = end < 0 ? line + chunk.length : chunk.length - end - 1;
      // A plain file can't be larger than it looks, so the lines after a long one are read.
      if (line > mostLineBytes && unpacked > 2 * read) throw LINE_TOO_LONG;
      onRead?.(read);
      yield chunk;
    }
    return;
  }
  if (convertArchive) {
    await chunks.return(undefined);
    return yield* convertArchive({ onRead, signal });
  }
  const archive = atMost(HAR_BYTES, whole, () => onRead?.(Math.floor(read * HAR_READING)));
  const onConverted = (share: number) => onRead?.(Math.floor(read * (HAR_READING + (1 - HAR_READING) * share)));
  yield* readHar(archive, onConverted, signal);
}

/** Share of the time that reading an HTTP Archive takes. The rest is converting it. */
const HAR_READING = 0.5;

async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield first;
    yield* rest;
  } finally {
    // A reader that wants no more after the first chunk has not come to the rest.
    await rest.return(undefined);
  }
}

/** Passes on the chunks of an HTTP Archive. Throws {@link HAR_TOO_LARGE} beyond `most` bytes. */
async function* atMost(
  most: number,
  chunks: AsyncIterable<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > most) throw HAR_TOO_LARGE;
    onChunk();
    yield chunk;
  }
}

/** Returns true if the bytes start like an HTTP Archive: `{`, then `"log"` as the first key. */
export function isHar(chunk: Uint8Array): boolean {
  return /^\uFEFF?\s*\{\s*"log"\s*:/.test(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(0, SNIFFED_BYTES)),
  );
}

/**
 * Returns the bytes of a recording, gunzipped if necessary. Returns as much of truncated gzip as can be read. Throws
 * {@link RecordingError} `recording-too-large` beyond `mostBytes`.
 */
export async function* decompressedBytes(
  source: ReadableStream<Bytes>,
  mostBytes: number = LIMITS.recordingBytes,
): AsyncGenerator<Uint8Array> {
  const reader = source.getReader();
  let left = mostBytes;
  try {
    const first = await reader.read();
    const whole = continued(first, reader);
    for await (const chunk of first.value && isGzip(first.value) ? gunzipped(whole) : chunksOf(whole)) {
      left -= chunk.length;
      if (left < 0) throw RECORDING_TOO_LARGE;
      yield chunk;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Returns the stream including `first`, which was already read. */
function continued(
  first: ReadableStreamReadResult<Bytes>,
  reader: ReadableStreamDefaultReader<Bytes>,
): ReadableStream<Bytes> {
  let next: ReadableStreamReadResult<Bytes> | undefined = first;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = next ?? (await reader.read());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

async function* gunzipped(source: ReadableStream<Bytes>): AsyncGenerator<Bytes> {
  try {
    yield* chunksOf(source.pipeThrough(new DecompressionStream('gzip')));
  } catch {
    // Truncated or damaged gzip. The reader of the lines reports what is missing.
  }
}

/** Not every browser can iterate a stream. */
async function* chunksOf(source: ReadableStream<Bytes>): AsyncGenerator<Bytes> {
  const reader = source.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

const HAR_TOO_LARGE = new RecordingError(
  'har-too-large',
  `This HTTP Archive is larger than ${formatBytes(HAR_BYTES)}.`,
  'Export only the MCP requests.',
);

const LINE_TOO_LONG = new RecordingError(
  'recording-line-too-long',
  'This file unpacks to an endless line, so the rest was skipped.',
  'mcp-inspect does not write such files. Get the recording again from where it was made.',
);

const RECORDING_TOO_LARGE = new RecordingError(
  'recording-too-large',
  `This recording is larger than ${formatBytes(LIMITS.recordingBytes)}, or unpacks to more.`,
  'Split it into files that each start with its first line.',
);
