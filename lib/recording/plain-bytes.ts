import { formatBytes } from '@/lib/wire/format-bytes';
import { LIMITS } from '@/lib/wire/limits';
import { RecordingError } from './read-header';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The bytes of a recording, gunzipped if they are gzip; of gzip that was cut off, what there is. Throws {@link RecordingError}
 * `recording-too-large` beyond `mostBytes`.
 */
export async function* plainBytes(
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
      if (left < 0) throw TOO_LARGE;
      yield chunk;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Whether bytes are the beginning of gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The stream of which `first` was read already. */
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
    // Cut off or damaged: the lines say what is missing.
  }
}

/** Not every browser can iterate a stream. */
async function* chunksOf(source: ReadableStream<Bytes>): AsyncGenerator<Bytes> {
  const reader = source.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

const TOO_LARGE = new RecordingError(
  'recording-too-large',
  `This recording is larger than ${formatBytes(LIMITS.recordingBytes)}, or unpacks to that.`,
  'Split it: every part needs the first line.',
);
