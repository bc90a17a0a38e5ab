import { equalsAt } from '@/lib/json/scan';
import { BATCH_ENTRY_BYTES, channelCode, entryBytes, entryLength, PART, writeBatchEntry } from '@/lib/wire/batch';
import { CHANNELS, DIRECTIONS, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { BlobLookup, RecordedBlob } from '../blobs';
import { decodeLine } from '../decode-line';
import { RECORDING_VERSION } from '../format';
import { CHUNK_HEAD_BYTES, CHUNK_PLACE_BYTES, NOT_STORED } from './indexes';
import { Skimmer } from './skims';

/** The line of a blob. */
interface BlobLine {
  readonly at: number;
  /** Bytes without the line feed. */
  readonly length: number;
}

/** The lines of a frame that is too long to be read again. */
export interface LongFrame extends Pick<Frame, 'time' | 'channel' | 'direction' | 'flags'> {
  /** Offset of the first line, which may be that of a blob. */
  readonly from: number;
  /** Offset of the frame's line, and of the next one. */
  readonly at: number;
  readonly to: number;
  /** Length of the frame in bytes, as `entryLength` counts. */
  readonly length: number;
  /** Offsets of all blobs that it refers to. */
  readonly blobsAt: readonly number[];
  /** The blobs among the lines, by name. */
  readonly blobs: readonly (readonly [string, BlobLine])[];
}

/** Index of consecutive frames, not compressed yet. */
export interface MadeIndex {
  /** Number of its first frame. */
  readonly n: number;
  readonly frames: number;
  readonly chunk: Uint8Array<ArrayBuffer>;
}

/**
 * Makes the indexes of a recording from its lines, a few thousand frames each. Expects lines of our own writer, and
 * throws for anything else.
 */
export class IndexMaker {
  readonly #framesEach: number;
  readonly #readLine: (at: number, length: number) => Uint8Array;
  readonly #skimmer = new Skimmer();
  readonly #chunk: ChunkWriter;
  /** By name. */
  readonly #blobs = new Map<string, BlobLine>();
  #next = 1;

  /** `readLine` reads an earlier line again, without its line feed. */
  constructor(framesEach: number, readLine: (at: number, length: number) => Uint8Array) {
    this.#framesEach = framesEach;
    this.#readLine = readLine;
    this.#chunk = new ChunkWriter(framesEach);
  }

  /**
   * Adds the next line, `bytes[from, to)`, whose offset in the file is `at`. Returns an index once it is full. Keeps no
   * view of the bytes.
   */
  addLine(bytes: Uint8Array, from: number, to: number, at: number): MadeIndex | undefined {
    const plain = readPlainLine(bytes, from, to);
    if (plain) return this.#addFrame(plain, true, at, NO_BLOBS);
    const named: number[] = [];
    const decoded = decodeLine(bytes.subarray(from, to), RECORDING_VERSION, this.#lookup(named));
    if (decoded.is === 'blob') this.#blobs.set(decoded.name, { at, length: to - from });
    if (decoded.is === 'frame') return this.#addFrame(decoded.frame, decoded.isJson, at, named);
    if (decoded.is === 'damaged' && at > 0) throw new Error('not a line of a recording');
    return undefined;
  }

  /** Adds the next frame without reading its lines. It has no skim. */
  addLongFrame(frame: LongFrame): MadeIndex | undefined {
    for (const [name, line] of frame.blobs) this.#blobs.set(name, line);
    this.#chunk.add(frame, frame.at, frame.blobsAt, frame.length, 0, NOT_STORED);
    return this.#fullIndex();
  }

  /** Returns the index of the last frames; undefined if there are none, or if no index was made before. */
  end(): MadeIndex | undefined {
    return this.#next > 1 && this.#chunk.frames > 0 ? this.#takeIndex() : undefined;
  }

  #addFrame(frame: Omit<Frame, 'seq'>, isJson: boolean, at: number, blobsAt: readonly number[]): MadeIndex | undefined {
    this.#chunk.addFrame(frame, isJson, at, blobsAt, this.#skimmer);
    return this.#fullIndex();
  }

  #fullIndex(): MadeIndex | undefined {
    return this.#chunk.frames === this.#framesEach ? this.#takeIndex() : undefined;
  }

  #takeIndex(): MadeIndex {
    const { frames } = this.#chunk;
    const made = { n: this.#next, frames, chunk: this.#chunk.take() };
    this.#next += frames;
    return made;
  }

  /** Reads blobs from their lines again. `named` gets the offset of each. */
  #lookup(named: number[]): BlobLookup {
    const found = new Map<string, RecordedBlob>();
    return {
      get: (name) => {
        const place = this.#blobs.get(name);
        const known = found.get(name);
        if (known || !place) return known;
        const blob = decodeLine(this.#readLine(place.at, place.length), RECORDING_VERSION);
        if (blob.is !== 'blob') return undefined;
        named.push(place.at);
        found.set(name, blob);
        return blob;
      },
    };
  }
}

const NO_BLOBS: readonly number[] = [];
/** Bytes of a chunk's entries at first. */
const FIRST_DATA_BYTES = 512 * 1024;

/** Writes one chunk after another, as docs/recording-format.md describes. In a flood, it gets a million frames. */
class ChunkWriter {
  frames = 0;
  #firstAt = 0;
  #lastAt = 0;
  readonly #places: DataView;
  readonly #rows: DataView;
  #data = new Uint8Array(FIRST_DATA_BYTES);
  #dataBytes = 0;
  #blobs: (readonly number[])[] = [];

  constructor(mostFrames: number) {
    this.#places = new DataView(new ArrayBuffer(mostFrames * CHUNK_PLACE_BYTES));
    this.#rows = new DataView(new ArrayBuffer(mostFrames * BATCH_ENTRY_BYTES));
  }

  /** Adds a frame whose line is at `at`: its skim, the whole frame if it is short, or neither. */
  addFrame(frame: Omit<Frame, 'seq'>, isJson: boolean, at: number, blobsAt: readonly number[], skimmer: Skimmer): void {
    this.#makeRoom(LIMITS.skimBytes);
    const length = entryLength(frame);
    const end = skimmer.writeSkim(frame, isJson, this.#data, this.#dataBytes);
    if (end >= 0) this.add(frame, at, blobsAt, length, end - this.#dataBytes, PART.skim);
    else if (length > LIMITS.indexedBytes) this.add(frame, at, blobsAt, length, 0, NOT_STORED);
    else {
      this.#makeRoom(length);
      this.#data.set(entryBytes(frame), this.#dataBytes);
      this.add(frame, at, blobsAt, length, length, PART.none);
    }
  }

  /** Adds a frame whose entry, of `size` bytes, was written already. `part` as in a batch. */
  add(
    { time, direction, channel, flags }: Pick<Frame, 'time' | 'direction' | 'channel' | 'flags'>,
    at: number,
    blobsAt: readonly number[],
    length: number,
    size: number,
    part: number,
  ): void {
    const index = this.frames++;
    if (index === 0) this.#firstAt = at;
    this.#places.setUint32(index * CHUNK_PLACE_BYTES, index === 0 ? 0 : at - this.#lastAt, true);
    this.#places.setUint32(index * CHUNK_PLACE_BYTES + 4, length, true);
    this.#lastAt = at;
    if (blobsAt.length > 0) this.#blobs.push([index, ...blobsAt]);
    const to = DIRECTIONS.indexOf(direction);
    writeBatchEntry(this.#rows, index * BATCH_ENTRY_BYTES, time, size, to, channelCode(channel), flags, part);
    this.#makeRoom(size);
    this.#data[this.#dataBytes + size] = LINE_FEED;
    this.#dataBytes += size + 1;
  }

  /** Returns the chunk and starts the next one. */
  take(): Uint8Array<ArrayBuffer> {
    const { frames } = this;
    const list = encoder.encode(JSON.stringify(this.#blobs));
    const places = new Uint8Array(this.#places.buffer, 0, frames * CHUNK_PLACE_BYTES);
    const rows = new Uint8Array(this.#rows.buffer, 0, frames * BATCH_ENTRY_BYTES);
    const parts = [places, list, rows, this.#data.subarray(0, this.#dataBytes)];
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, CHUNK_HEAD_BYTES));
    const head = new DataView(bytes.buffer);
    head.setUint32(0, frames, true);
    head.setUint32(4, list.length, true);
    head.setFloat64(8, this.#firstAt, true);
    let at = CHUNK_HEAD_BYTES;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    this.frames = 0;
    this.#dataBytes = 0;
    this.#blobs = [];
    return bytes;
  }

  /** Makes room for an entry of `size` bytes and a line feed, and keeps an entry that was written already. */
  #makeRoom(size: number): void {
    if (this.#dataBytes + size < this.#data.length) return;
    const larger = new Uint8Array(2 * this.#data.length + size);
    larger.set(this.#data);
    this.#data = larger;
  }
}

const LINE_FEED = 10;

const encoder = new TextEncoder();
const N = encoder.encode('{"n":');
const T = encoder.encode(',"t":');
/** The text between time and message, for each channel and direction. */
const MIDDLES = CHANNELS.flatMap((channel) =>
  DIRECTIONS.map((direction) => ({
    channel,
    direction,
    text: encoder.encode(`,"c":"${channel}","d":"${direction === 'to-server' ? '>' : '<'}","m":`),
  })),
);

/** Reads the line of a message without flags and blobs, the most frequent kind. Returns undefined for other lines. */
function readPlainLine(bytes: Uint8Array, start: number, to: number): Omit<Frame, 'seq'> | undefined {
  if (!equalsAt(bytes, start, start + N.length, N)) return undefined;
  const nEnd = digitsEnd(bytes, start + N.length);
  const timeAt = nEnd + T.length;
  if (!equalsAt(bytes, nEnd, timeAt, T)) return undefined;
  const timeEnd = digitsEnd(bytes, timeAt);
  for (const { channel, direction, text } of MIDDLES) {
    const from = timeEnd + text.length;
    if (!equalsAt(bytes, timeEnd, from, text)) continue;
    let time = 0;
    for (let at = timeAt; at < timeEnd; at++) time = time * 10 + bytes[at]! - ZERO;
    return { time, channel, direction, flags: 0, bytes: bytes.subarray(from, to - 1) };
  }
  return undefined;
}

const ZERO = 0x30;
const NINE = 0x39;

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}
