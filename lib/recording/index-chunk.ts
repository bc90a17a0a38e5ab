import { BATCH_ENTRY_BYTES, batchEntryLength, PART, writeBatchEntry } from '@/lib/wire/batch';
import { CHANNELS, DIRECTIONS, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';

/** What an index knows of one frame. */
export interface IndexedFrame extends Omit<Frame, 'seq' | 'bytes' | 'skimOf'> {
  /** Where its line begins. */
  readonly at: number;
  /** The same of the blobs that it refers to. */
  readonly blobsAt: readonly number[];
  /** How many bytes the frame has. */
  readonly length: number;
  /** The frame as a batch has it: whole, or its skim. undefined: it stands in its line alone. */
  readonly entry: Uint8Array | undefined;
  readonly isSkim: boolean;
}

/** Frames behind each other in a file, as a batch has them, with where they are. */
export interface IndexChunk {
  readonly count: number;
  /** By frame. */
  readonly at: Float64Array;
  readonly lengths: Uint32Array;
  readonly blobsAt: ReadonlyMap<number, readonly number[]>;
  /** The places of those that have to be read from their lines. */
  readonly away: readonly number[];
  /** The table of a batch, and behind it the bytes of all entries, each with one more. */
  readonly stored: Uint8Array<ArrayBuffer>;
}

/** Bytes of what stands first: how many frames there are, how long the list of blobs is, and where the first line begins. */
const HEAD_BYTES = 16;
/** For each frame: how far its line is from the one before, and how many bytes it has. */
const PLACE_BYTES = 8;
/** In the table, for frames that stand in their lines alone. */
const AWAY = 3;
const LINE_FEED = 10;

/** The frames as bytes: see docs/recording-format.md. */
export function encodeChunk(frames: readonly IndexedFrame[]): Uint8Array<ArrayBuffer> {
  const blobs = frames.flatMap(({ blobsAt }, index) => (blobsAt.length > 0 ? [[index, ...blobsAt]] : []));
  const list = new TextEncoder().encode(JSON.stringify(blobs));
  const table = HEAD_BYTES + frames.length * PLACE_BYTES + list.length;
  const data = table + frames.length * BATCH_ENTRY_BYTES;
  const bytes = new Uint8Array(frames.reduce((sum, { entry }) => sum + (entry?.length ?? 0) + 1, data));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, frames.length, true);
  view.setUint32(4, list.length, true);
  view.setFloat64(8, frames[0]?.at ?? 0, true);
  bytes.set(list, table - list.length);
  let at = data;
  frames.forEach((frame, index) => {
    const { entry, isSkim, time, direction, channel, flags } = frame;
    const place = HEAD_BYTES + index * PLACE_BYTES;
    view.setUint32(place, frame.at - frames[Math.max(0, index - 1)]!.at, true);
    view.setUint32(place + 4, frame.length, true);
    const part = entry === undefined ? AWAY : isSkim ? PART.skim : PART.none;
    const row = table + index * BATCH_ENTRY_BYTES;
    const [to, on] = [DIRECTIONS.indexOf(direction), CHANNELS.indexOf(channel)];
    writeBatchEntry(view, row, time, entry?.length ?? 0, to, on, flags, part);
    if (entry) bytes.set(entry, at);
    at += entry?.length ?? 0;
    bytes[at++] = LINE_FEED;
  });
  return bytes;
}

/** The frames again, of which everything was looked at that others rely on; undefined for what is no such thing. */
export function decodeChunk(bytes: Uint8Array<ArrayBuffer>): IndexChunk | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [count, listBytes] = [view.getUint32(0, true), view.getUint32(4, true)];
  const table = HEAD_BYTES + count * PLACE_BYTES + listBytes;
  if (count === 0 || table + count * (BATCH_ENTRY_BYTES + 1) > bytes.length) return undefined;
  const blobsAt = blobsIn(bytes.subarray(table - listBytes, table), count);
  const stored = bytes.subarray(table);
  const rows = new DataView(stored.buffer, stored.byteOffset, count * BATCH_ENTRY_BYTES);
  const [at, lengths, away] = [new Float64Array(count), new Uint32Array(count), [] as number[]];
  let [place, time, entry] = [view.getFloat64(8, true), 0, count * BATCH_ENTRY_BYTES];
  if (!blobsAt || !Number.isSafeInteger(place) || place < 0) return undefined;
  for (let index = 0; index < count; index++) {
    const row = index * BATCH_ENTRY_BYTES;
    const gap = view.getUint32(HEAD_BYTES + index * PLACE_BYTES, true);
    const length = view.getUint32(HEAD_BYTES + index * PLACE_BYTES + 4, true);
    const size = batchEntryLength(rows, row);
    const isKnown = rows.getUint8(row + 12) < DIRECTIONS.length && rows.getUint8(row + 13) < CHANNELS.length;
    const now = rows.getFloat64(row, true);
    if (!isKnown || !Number.isSafeInteger(now) || now < time || (gap === 0) !== (index === 0)) return undefined;
    const part = rows.getUint8(row + 15);
    if (part === AWAY) away.push(index);
    if (!fits(stored, entry, size, length, part)) return undefined;
    [place, time] = [place + gap, now];
    at[index] = place;
    lengths[index] = length;
    entry += size + 1;
  }
  return entry === stored.length ? { count, at, lengths, blobsAt, away, stored } : undefined;
}

/** Whether an entry can be that of a frame of this length. */
function fits(bytes: Uint8Array, at: number, size: number, length: number, part: number): boolean {
  if (at + size + 1 > bytes.length || bytes[at + size] !== LINE_FEED || length > LIMITS.frameBytes) return false;
  if (part === AWAY) return size === 0;
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
      if (index === undefined || index >= count || places.length > LIMITS.blobs) return undefined;
      blobs.set(index, places);
    }
    return blobs;
  } catch {
    return undefined;
  }
}
