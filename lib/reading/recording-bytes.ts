import { readHar } from '@/lib/har/read-har';
import { plainBytes } from '@/lib/recording/plain-bytes';
import { RecordingError } from '@/lib/recording/read-header';
import { formatBytes } from '@/lib/wire/format-bytes';
import { LIMITS } from '@/lib/wire/limits';

/** Of the beginning of a file, to tell what it is. */
const LOOKED_AT = 512;

/**
 * The bytes of a recording, whatever it came as: plain, gzipped, or an HTTP Archive of an MCP session, from which one is made.
 * Throws {@link RecordingError} as {@link plainBytes} and {@link readHar} do, and `har-too-large`.
 */
export async function* recordingBytes(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  mostBytes?: number,
): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] | undefined;
  let held = 0;
  let told = false;
  for await (const chunk of plainBytes(source, mostBytes)) {
    if (!told) {
      told = true;
      if (isHar(chunk)) pieces = [];
    }
    if (!pieces) yield chunk;
    else {
      held += chunk.length;
      if (held > LIMITS.harBytes) throw TOO_LARGE;
      pieces.push(chunk);
    }
  }
  if (pieces) yield* readHar(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).text());
}

/** Whether bytes are the beginning of an HTTP Archive: `{`, then `"log"` as the first key. */
export function isHar(chunk: Uint8Array): boolean {
  return /^\uFEFF?\s*\{\s*"log"\s*:/.test(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(0, LOOKED_AT)),
  );
}

const TOO_LARGE = new RecordingError(
  'har-too-large',
  `This HTTP Archive is larger than ${formatBytes(LIMITS.harBytes)}.`,
  'Export the MCP requests alone.',
);
