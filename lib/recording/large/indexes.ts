import { joinBytes } from '@/lib/json/typed-arrays';
import { isObject, own } from '@/lib/json/value';
import { BLOB_LIMITS } from '@/lib/recording/blobs';
import { BATCH_ENTRY_BYTES, batchEntryLength, OTHER_CHANNEL, PART, readOtherEntry } from '@/lib/wire/batch';
import { CHANNELS, DIRECTIONS } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { fromBase64, toBase64 } from '../base64';
import { decodeLine } from '../decode-line';
import { hasCurrentLines, type IndexPlace, type RecordingIndex } from '../format';
import { type HeaderFacts, readHeader } from '../read-header';
import type { RandomAccess } from './random-access';

/** Largest unpacked index, in bytes. */
const INDEX_LINE_BYTES = 32 * 1024 * 1024;

/** A recording whose end line gives the places of its indexes. */
export interface IndexedRecording {
  readonly header: HeaderFacts;
  readonly places: readonly IndexPlace[];
  /** The digest in the end line, of the bytes before that line. */
  readonly sha256: string | undefined;
  /** Offset of the end line. */
  readonly endAt: number;
  /** Number of frames that the end line declares. */
  readonly frames: number;
}

/** Bytes read at each end of a file, to find its first and its last line. */
const ENDS_READ_BYTES = 128 * 1024;
const LINE_FEED = 10;
/** How many indexes are unpacked ahead while the current one is used. */
const CHUNKS_AHEAD = 2;
/** Longest index line, in bytes. Base64 lengthens the data by a third, and deflating may not shorten it. */
const MOST_LINE_BYTES = 2 * INDEX_LINE_BYTES;

/**
 * Finds the indexes of a recording by reading both ends of its file. Returns undefined if the file has to be read line
 * by line. Rejects if it cannot be read.
 */
export async function findIndexes(file: RandomAccess): Promise<IndexedRecording | undefined> {
  const head = await file.read(0, Math.min(ENDS_READ_BYTES, file.size));
  const tail = await file.read(Math.max(0, file.size - ENDS_READ_BYTES), file.size);
  const header = headerIn(head.subarray(0, Math.max(0, head.indexOf(LINE_FEED))));
  const last = tail.at(-1) === LINE_FEED ? tail.subarray(0, -1) : undefined;
  if (!header || !hasCurrentLines(header.version) || !last) return undefined;
  const end = decodeLine(last.subarray(last.lastIndexOf(LINE_FEED) + 1), header.version);
  if (end.is !== 'end') return undefined;
  const { index: places, sha256, frames } = end;
  const endAt = file.size - (last.length - last.lastIndexOf(LINE_FEED));
  return places && areIn(places, file.size) ? { header, places, sha256, endAt, frames } : undefined;
}

/**
 * Reads a recording's frames from its indexes. At an index that is invalid or does not continue the one before, it
 * yields undefined and stops. Waits for `mayRead` before each index. Rejects if the file cannot be read.
 */
export async function* readIndexChunks(
  file: RandomAccess,
  { places }: IndexedRecording,
  inflate: Inflate = inflateByStream,
  mayRead?: (bytes: number) => Promise<void>,
): AsyncGenerator<IndexChunk | undefined> {
  let [n, before, bytes] = [1, 0, 0];
  const decoded = async ([at, length]: IndexPlace) => {
    await mayRead?.(length);
    return decodeIndexLine((await file.read(at, at + length)).subarray(0, -1), inflate);
  };
  const ahead: ReturnType<typeof decoded>[] = [];
  for (const [index, place] of places.entries()) {
    for (let next = index + ahead.length; next < Math.min(places.length, index + CHUNKS_AHEAD); next++) {
      const line = decoded(places[next]!);
      // If the caller stops early, nothing awaits this promise, and its rejection would be unhandled.
      line.catch(() => {});
      ahead.push(line);
    }
    const line = await ahead.shift()!;
    const chunk = line?.n === n ? line.chunk : undefined;
    bytes += chunk?.stored.length ?? 0;
    const continues = chunk && chunk.at[0]! > before && chunk.at.at(-1)! < place[0];
    // A valid index is not much larger than the lines that it covers.
    if (!continues || bytes > 2 * file.size) {
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

/** Returns true for places in ascending order within the file. */
function areIn(places: readonly IndexPlace[], size: number): boolean {
  let end = 0;
  for (const [at, length] of places) {
    if (at < end || length === 0 || length > MOST_LINE_BYTES || at + length > size) return false;
    end = at + length;
  }
  return true;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Encodes an index line, with its line feed. `n` is the number of its first frame, `deflated` the raw-deflated chunk.
 */
export function encodeIndexLine(n: number, frames: number, deflated: Uint8Array): Uint8Array {
  const line: RecordingIndex = { k: 'index', v: INDEX_VERSION, n, frames, data: toBase64(deflated) };
  return encoder.encode(`${JSON.stringify(line)}\n`);
}

/** Version of our index encoding. Indexes of other versions are ignored. */
const INDEX_VERSION = 1;

/** Inflates raw-deflated bytes. Rejects for invalid data and beyond `most` bytes. */
export type Inflate = (deflated: Uint8Array<ArrayBuffer>, most: number) => Promise<Uint8Array<ArrayBuffer>>;

/** A decoded index line. */
interface DecodedIndex {
  /** Number of its first frame. */
  readonly n: number;
  readonly chunk: IndexChunk;
}

/** Decodes an index line; undefined for an invalid one. Never rejects. */
async function decodeIndexLine(line: Uint8Array, inflate: Inflate): Promise<DecodedIndex | undefined> {
  try {
    const index: unknown = JSON.parse(decoder.decode(line));
    const data = isObject(index) ? own(index, 'data') : undefined;
    if (!isObject(index) || own(index, 'k') !== 'index' || own(index, 'v') !== INDEX_VERSION) return undefined;
    const n = own(index, 'n');
    if (typeof n !== 'number' || typeof data !== 'string') return undefined;
    const bytes = await inflate(fromBase64(data) as Uint8Array<ArrayBuffer>, INDEX_LINE_BYTES);
    const chunk = decodeIndexChunk(bytes);
    return chunk && chunk.count === own(index, 'frames') ? { n, chunk } : undefined;
  } catch {
    return undefined;
  }
}

/** Inflates with the streams that every platform has. */
export const inflateByStream: Inflate = async (deflated, most) => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError(`unpacks to more than ${most} bytes`);
    }
    pieces.push(next.value);
  }
  return joinBytes(pieces);
};

/** Consecutive frames of a file, as a batch holds them, with the offsets of their lines. */
export interface IndexChunk {
  readonly count: number;
  /** Offset of each frame's line, and length of each frame, in bytes. */
  readonly at: Float64Array;
  readonly lengths: Uint32Array;
  /** Offsets of the blobs that a frame refers to, by its position in the chunk. */
  readonly blobsAt: ReadonlyMap<number, readonly number[]>;
  /** Positions of frames that `stored` lacks, because they are long and have no skim. Read them from their lines. */
  readonly notStored: readonly number[];
  /** A batch's table, followed by the bytes of all entries, with a line feed after each. */
  readonly stored: Uint8Array<ArrayBuffer>;
}

/** Bytes before the table: number of frames, length of the blob list, offset of the first line. */
export const CHUNK_HEAD_BYTES = 16;
/** Bytes per frame: distance of its line from the line before, and the frame's length. */
export const CHUNK_PLACE_BYTES = 8;
/** Marks table rows of frames that have to be read from their lines. */
export const NOT_STORED = 3;

/** Decodes frames and checks everything that others rely on. Returns undefined or throws for invalid data. */
function decodeIndexChunk(bytes: Uint8Array<ArrayBuffer>): IndexChunk | undefined {
  if (bytes.length < CHUNK_HEAD_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [count, listBytes] = [view.getUint32(0, true), view.getUint32(4, true)];
  const table = CHUNK_HEAD_BYTES + count * CHUNK_PLACE_BYTES + listBytes;
  if (count === 0 || table + count * (BATCH_ENTRY_BYTES + 1) > bytes.length) return undefined;
  const blobsAt = blobsIn(bytes.subarray(table - listBytes, table), count);
  const stored = bytes.subarray(table);
  const rows = new DataView(stored.buffer, stored.byteOffset, count * BATCH_ENTRY_BYTES);
  const [at, lengths, notStored] = [new Float64Array(count), new Uint32Array(count), [] as number[]];
  let [place, time, entry] = [view.getFloat64(8, true), 0, count * BATCH_ENTRY_BYTES];
  if (!blobsAt || !Number.isSafeInteger(place) || place < 0) return undefined;
  for (let index = 0; index < count; index++) {
    const row = index * BATCH_ENTRY_BYTES;
    const gap = view.getUint32(CHUNK_HEAD_BYTES + index * CHUNK_PLACE_BYTES, true);
    const length = view.getUint32(CHUNK_HEAD_BYTES + index * CHUNK_PLACE_BYTES + 4, true);
    const size = batchEntryLength(rows, row);
    const channel = rows.getUint8(row + 13);
    const isOther = channel === OTHER_CHANNEL;
    const isKnown = rows.getUint8(row + 12) < DIRECTIONS.length && (channel < CHANNELS.length || isOther);
    const now = rows.getFloat64(row, true);
    if (!isKnown || !Number.isSafeInteger(now) || now < time || (gap === 0) !== (index === 0)) return undefined;
    const part = rows.getUint8(row + 15);
    if (part === NOT_STORED) notStored.push(index);
    if (!fits(stored, entry, size, length, part)) return undefined;
    if (isOther && part !== NOT_STORED) {
      if (part !== PART.none) return undefined;
      readOtherEntry(stored.subarray(entry, entry + size));
    }
    [place, time] = [place + gap, now];
    at[index] = place;
    lengths[index] = length;
    entry += size + 1;
  }
  return entry === stored.length ? { count, at, lengths, blobsAt, notStored, stored } : undefined;
}

/** Returns true if an entry fits a frame of this length. */
function fits(bytes: Uint8Array, at: number, size: number, length: number, part: number): boolean {
  if (at + size + 1 > bytes.length || bytes[at + size] !== LINE_FEED || length > LIMITS.frameBytes) return false;
  if (part === NOT_STORED) return size === 0;
  if (part === PART.none) return size === length && size <= LIMITS.indexedBytes;
  const head = `[${length},{`;
  if (part !== PART.skim || size < head.length + 2 || size > LIMITS.skimBytes + head.length) return false;
  for (let place = 0; place < head.length; place++) if (bytes[at + place] !== head.charCodeAt(place)) return false;
  return bytes[at + size - 2] === 0x7d && bytes[at + size - 1] === 0x5d;
}

function blobsIn(bytes: Uint8Array, count: number): ReadonlyMap<number, readonly number[]> | undefined {
  try {
    const list: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (!Array.isArray(list)) return undefined;
    const blobs = new Map<number, readonly number[]>();
    for (const one of list as readonly unknown[]) {
      if (!Array.isArray(one) || !one.every((number) => Number.isSafeInteger(number) && number >= 0)) return undefined;
      const [index, ...places] = one as number[];
      if (index === undefined || index >= count || places.length > BLOB_LIMITS.window) return undefined;
      blobs.set(index, places);
    }
    return blobs;
  } catch {
    return undefined;
  }
}
