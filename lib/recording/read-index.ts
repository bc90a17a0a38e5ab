import { LIMITS } from '@/lib/wire/limits';
import { decodeLine } from './decode-line';
import { type IndexPlace, RECORDING_VERSION } from './format';
import type { IndexChunk } from './index-chunk';
import { decodeIndexLine, type Inflate, inflateAnywhere } from './index-line';
import type { RandomAccess } from './random-access';
import { type HeaderFacts, readHeader } from './read-header';

/** A recording that says where its indexes are. */
export interface IndexedRecording {
  readonly header: HeaderFacts;
  readonly places: readonly IndexPlace[];
}

/** Of a file's beginning and its end, where the first and the last line are looked for. */
const GLANCE_BYTES = 128 * 1024;
const LINE_FEED = 10;
/** Indexes that are unpacked at a time: one is, while what was in another is taken. */
const AHEAD = 2;
/** A line's data is base64, and of what is deflated no shorter than it was. */
const MOST_LINE_BYTES = 2 * LIMITS.indexLineBytes;

/** Looks at the two ends of a file. undefined: it has to be read line by line. Rejects if it can't be read. */
export async function findIndexes(file: RandomAccess): Promise<IndexedRecording | undefined> {
  const head = await file.read(0, Math.min(GLANCE_BYTES, file.size));
  const tail = await file.read(Math.max(0, file.size - GLANCE_BYTES), file.size);
  const header = headerIn(head.subarray(0, Math.max(0, head.indexOf(LINE_FEED))));
  const last = tail.at(-1) === LINE_FEED ? tail.subarray(0, -1) : undefined;
  if (header?.version !== RECORDING_VERSION || !last) return undefined;
  const end = decodeLine(last.subarray(last.lastIndexOf(LINE_FEED) + 1), RECORDING_VERSION);
  const places = end.is === 'end' ? end.index : undefined;
  return places && areIn(places, file.size) ? { header, places } : undefined;
}

/**
 * The frames of a recording by its indexes, from the first on; undefined in the place of what does not go on with those before it, and then
 * no more. Rejects if the file can't be read.
 */
export async function* indexChunks(
  file: RandomAccess,
  { places }: IndexedRecording,
  inflate: Inflate = inflateAnywhere,
): AsyncGenerator<IndexChunk | undefined> {
  let [n, before, bytes] = [1, 0, 0];
  const decoded = async ([at, length]: IndexPlace) =>
    decodeIndexLine((await file.read(at, at + length)).subarray(0, -1), inflate);
  const ahead: ReturnType<typeof decoded>[] = [];
  for (const [index, place] of places.entries()) {
    for (let next = index + ahead.length; next < Math.min(places.length, index + AHEAD); next++) {
      const line = decoded(places[next]!);
      // Nobody may come to await it.
      line.catch(() => {});
      ahead.push(line);
    }
    const line = await ahead.shift()!;
    const chunk = line?.n === n ? line.chunk : undefined;
    bytes += chunk?.stored.length ?? 0;
    const goesOn = chunk && chunk.at[0]! > before && chunk.at.at(-1)! < place[0];
    // What a line is about is not longer than the line, by and large.
    if (!goesOn || bytes > 2 * file.size) {
      yield undefined;
      return;
    }
    n += chunk.count;
    before = chunk.at.at(-1)!;
    yield chunk;
  }
}

function headerIn(line: Uint8Array): HeaderFacts | undefined {
  try {
    return readHeader(line);
  } catch {
    return undefined;
  }
}

/** One after the other, and within the file. */
function areIn(places: readonly IndexPlace[], size: number): boolean {
  let end = 0;
  for (const [at, length] of places) {
    if (at < end || length === 0 || length > MOST_LINE_BYTES || at + length > size) return false;
    end = at + length;
  }
  return true;
}
