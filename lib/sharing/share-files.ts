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

/** Returns a gzipped recording in base64. Rejects with a RecordingError for a page that browsers could not open. */
export async function pageBase64(packed: Blob): Promise<string> {
  if (packed.size > PAGE_PACKED_BYTES) throw PAGE_TOO_LARGE;
  return toBase64(new Uint8Array(await packed.arrayBuffer()));
}

const PAGE_TOO_LARGE = new RecordingError(
  'page-too-large',
  `This recording is larger than ${formatBytes(PAGE_PACKED_BYTES)} compressed, too large for a page.`,
  'Choose fewer frames, or share a file.',
);

/** A font of the page in the template: its path below dist/ui. */
const FONT = /\{\{font:([^{}]+)\}\}/g;

/**
 * Puts the fonts into the viewer from scripts/build-viewer.mjs, which names them: they are in the package already, as
 * the page's own. `readFont` returns the file at a path.
 */
export async function withFonts(template: string, readFont: (path: string) => Promise<Uint8Array>): Promise<string> {
  const fonts = new Map<string, string>();
  for (const [, path = ''] of template.matchAll(FONT)) fonts.set(path, toBase64(await readFont(path)));
  return template.replace(FONT, (_, path: string) => fonts.get(path)!);
}

/** The places to fill in a template. Each occurs once. */
const NAME = '{{name}}';
const RECORDING = '{{recording}}';

/**
 * Returns the viewer with a recording in it, as pieces of one HTML file. `template` comes from {@link withFonts},
 * `name` is the recording's file name, `base64` its gzipped bytes. Base64 cannot end the
 * element that contains it.
 * `panel` is the one to open; absent: that of the frame that a reader wants to see first.
 */
export function htmlPieces(template: string, name: string, base64: string, panel?: string): readonly string[] {
  const [start, rest] = cut(template, NAME);
  const [middle, end] = cut(rest, RECORDING);
  // The name ends inside an attribute, where another one can follow.
  const opened = panel === undefined ? '' : `" data-panel="${attributeText(panel)}`;
  return [start, attributeText(name), opened, middle, base64, end];
}

function cut(text: string, at: string): readonly [string, string] {
  const place = text.indexOf(at);
  if (place < 0) throw new Error(`The viewer’s template has no ${at}.`);
  return [text.slice(0, place), text.slice(place + at.length)];
}

function attributeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
