import { toBase64 } from '@/lib/recording/base64';
import { RecordingError } from '@/lib/recording/errors';
import { formatBytes } from '@/lib/wire/format';

/** Largest gzipped recording in a page, in bytes. The page holds it as one base64 string. */
const PAGE_PACKED_BYTES = 256 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** Gzips chunks as they come. */
export function gzipped(chunks: AsyncIterable<Bytes>): ReadableStream<Bytes> {
  return streamOf(chunks).pipeThrough(new CompressionStream('gzip')) as ReadableStream<Bytes>;
}

/** Turns chunks into a stream, which asks for the next chunk when there is room. */
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

/**
 * Returns the bytes of a stream in base64. Rejects with a RecordingError `page-too-large` for a page that browsers
 * could not open.
 */
export async function streamBase64(stream: ReadableStream<Bytes>): Promise<string> {
  const blob = await new Response(stream).blob();
  if (blob.size > PAGE_PACKED_BYTES) throw PAGE_TOO_LARGE;
  return toBase64(new Uint8Array(await blob.arrayBuffer()));
}

const PAGE_TOO_LARGE = new RecordingError(
  'page-too-large',
  `This recording is larger than ${formatBytes(PAGE_PACKED_BYTES)} compressed, too large for a page.`,
  'Choose fewer frames, or share a file.',
);

/** The places to fill in a template. Each occurs once. */
const NAME = '{{name}}';
const RECORDING = '{{recording}}';

/**
 * Returns the viewer with a recording in it, as pieces of one HTML file. `template` comes from
 * scripts/build-viewer.mjs, `name` is the recording's file name, `base64` its gzipped bytes. Base64 cannot end the
 * element that contains it.
 */
export function htmlPieces(template: string, name: string, base64: string): readonly string[] {
  const [start, rest] = cut(template, NAME);
  const [middle, end] = cut(rest, RECORDING);
  return [start, attributeText(name), middle, base64, end];
}

function cut(text: string, at: string): readonly [string, string] {
  const place = text.indexOf(at);
  if (place < 0) throw new Error(`The viewer’s template has no ${at}.`);
  return [text.slice(0, place), text.slice(place + at.length)];
}

function attributeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
