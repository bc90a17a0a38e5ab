import { toBase64 } from '@/lib/recording/base64';

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

/** The bytes of a stream, in base64. Held in memory: the caller sees to it that they are not too many. */
export async function streamBase64(stream: ReadableStream<Bytes>): Promise<string> {
  return toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}
