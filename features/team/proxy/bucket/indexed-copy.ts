import { isObject, own } from '@/lib/json/value';
import type { IndexPlace } from '@/lib/recording/format';
import { LIMITS } from '@/lib/wire/limits';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { IndexReader } from '@/proxy/recorder/index-reader';

/** Bytes from which a copy gets indexes. A shorter one is read whole, in one request. */
export const INDEX_FROM_BYTES = 2 * 1024 * 1024;

const LINE_FEED = 10;

/** The last frames get an index only after others: a few large frames are halved. */
function framesEach(frames: unknown): number {
  const half = typeof frames === 'number' ? Math.ceil(frames / 2) : LIMITS.indexedFrames;
  return Math.max(1, Math.min(LIMITS.indexedFrames, half));
}

/**
 * Adds indexes to a copy that is being written to `path`, before its end line, so that a part of it can be read. Each
 * chunk has whole lines and is in the file before the next one is asked for. A short copy stays as it is.
 */
export async function* withIndexes(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  fromBytes: number = INDEX_FROM_BYTES,
): AsyncGenerator<Uint8Array> {
  const digest = runningSha256();
  let length = 0;
  let end = new Uint8Array();
  const passed = (bytes: Uint8Array): Uint8Array => {
    digest.update(bytes);
    length += bytes.length;
    return bytes;
  };
  for await (const chunk of chunks) {
    if (end.length > 0) yield passed(end);
    const last = chunk.lastIndexOf(LINE_FEED, -2) + 1;
    if (last > 0) yield passed(chunk.subarray(0, last));
    end = chunk.slice(last);
  }
  if (length < fromBytes) {
    yield end;
    return;
  }
  const facts: unknown = JSON.parse(Buffer.from(end).toString());
  if (!isObject(facts)) throw new Error('not an end line');
  const places: IndexPlace[] = [];
  const reader = new IndexReader(path, framesEach(own(facts, 'frames')));
  try {
    const lines = [...reader.readUpTo({ to: length, long: [] }), ...reader.end()];
    // Indexes have to be complete, or there are none.
    for (const line of lines.length <= LIMITS.indexes ? lines : []) {
      places.push([length, line.length]);
      yield passed(line);
    }
  } finally {
    reader.close();
  }
  const more = { sha256: digest.hex(), ...(places.length > 0 && { index: places }) };
  yield Buffer.from(`${JSON.stringify({ ...facts, ...more })}\n`);
}
