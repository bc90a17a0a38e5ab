import { toBase64 } from '@/lib/recording/base64';
import { RecordingError } from '@/lib/recording/read-header';
import { formatBytes } from '@/lib/wire/format-bytes';
import { LIMITS } from '@/lib/wire/limits';

type Bytes = Uint8Array<ArrayBuffer>;

/** Chunks, gzipped, as they come. */
export function gzipped(chunks: AsyncIterable<Bytes>): ReadableStream<Bytes> {
  return streamOf(chunks).pipeThrough(new CompressionStream('gzip')) as ReadableStream<Bytes>;
}

/** Chunks as a stream, which asks for the next one when there is room. */
export function streamOf(chunks: AsyncIterable<Bytes>): ReadableStream<Bytes> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Bytes>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** The bytes of a stream, in base64. Rejects with a RecordingError `page-too-large` beyond `LIMITS.pagePackedBytes`. */
export async function streamBase64(stream: ReadableStream<Bytes>): Promise<string> {
  const blob = await new Response(stream).blob();
  if (blob.size > LIMITS.pagePackedBytes) throw TOO_LARGE;
  return toBase64(new Uint8Array(await blob.arrayBuffer()));
}

const TOO_LARGE = new RecordingError(
  'page-too-large',
  `This recording has more than ${formatBytes(LIMITS.pagePackedBytes)}, packed: no browser opens such a page.`,
  'Choose fewer frames, or share a file.',
);
