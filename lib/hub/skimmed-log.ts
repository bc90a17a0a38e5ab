import { equalsAt } from '@/lib/json/scan';
import { type BlobLookup, BlobWindow, type RecordedBlob } from '@/lib/recording/blobs';
import { decodeLine } from '@/lib/recording/decode-line';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import type { FrameNumbers } from '@/lib/recording/frame-numbers';
import type { IndexChunk } from '@/lib/recording/large/indexes';
import { type RandomAccess, readFrom } from '@/lib/recording/large/random-access';
import { isSkimOf, Skimmer } from '@/lib/recording/large/skims';
import { LineSplitter } from '@/lib/recording/line-splitter';
import { NO_LINE, type ReadFrame, type RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import { BATCH_ENTRY_BYTES, PART } from '@/lib/wire/batch';
import { CHANNELS, DIRECTIONS, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { FrameLog, type FrameLogOptions, Segment } from './frame-log';
import type { BatchSource } from './viewer';
import { BATCH_BYTES } from './viewer';

/** Bytes of messages with blobs put back that are in the log of a recording which is smaller than a page holds; beyond it they are skims. */
export const EXPANDED_BYTES = 32 * 1024 * 1024;

/** A frame as the log has it, and what a batch says of it. */
interface Held {
  readonly frame: Frame;
  readonly isSkim: boolean;
}

/** What a recording is read from. */
export interface SkimmedFile extends Pick<IndexedFile, 'reader'> {
  /** Absent: no part of it can be read later, and the log has all of it. */
  readonly file?: RandomAccess;
  /** It is too large to be held. */
  readonly isLarge: boolean;
}

/**
 * The log of a recording. Of a large one it has skims in the place of messages, and knows where in the file their lines are, which are
 * read anew when somebody wants the whole; of a smaller one only where blobs that are put back into messages would make it large.
 */
export class SkimmedLog extends FrameLog implements BatchSource {
  readonly #of: Omit<IndexedFile, 'places'> | undefined;
  readonly #isLarge: boolean;
  readonly #places = new LineOffsets();
  /** Goes through the lines once, be it to fill the log or to check it. */
  readonly #skimmer = new Skimmer();
  /** Read last: of a frame that is larger than a batch there are several. */
  #read: Segment | undefined;

  #sentAt = 0;
  /** Bytes of messages that blobs were put back into. */
  #expanded = 0;
  #skims = 0;

  constructor({ file, reader, isLarge }: SkimmedFile, options: FrameLogOptions) {
    super(options);
    this.#of = file && { file, reader, blobs: new FileBlobs(file) };
    this.#isLarge = isLarge;
  }

  /** How many frames of it are in the file. */
  get inFile(): number {
    return this.#places.inFile;
  }

  /** Where in the file the line of its last frame begins. */
  get lastPlace(): number {
    return this.#places.at(this.#places.count);
  }

  /** When frames of it were asked for last, to be sent, on the clock of `performance`. */
  get sentAt(): number {
    return this.#sentAt;
  }

  override segmentOf(seq: number): Segment | Promise<Segment> {
    this.#sentAt = performance.now();
    return super.segmentOf(seq);
  }

  /** Takes the next frame of the file. */
  addFrame(frame: ReadFrame): void {
    const skim = this.#of && this.#skimmer.skim(frame, frame.isJson);
    this.#add(frame, this.#isLeftOut(frame) ? skim : undefined);
  }

  /** Takes the next frame as it is. */
  addWholeFrame(frame: ReadFrame): void {
    this.#add(frame, undefined);
  }

  /** All of the file is here: where that is so to the byte, it is of no more use. */
  async closeFileIfComplete(): Promise<void> {
    if (this.#skims === 0) await this.#of?.file.close();
  }

  /** Takes what an index tells of the next frames. Rejects with a ConnectionError where the file has not what it says. */
  async addIndexChunk({ count, at, lengths, blobsAt, away, stored }: IndexChunk): Promise<void> {
    const first = this.last + 1;
    for (let index = 0; index < count; index++) {
      this.#places.addLine(at[index]!, lengths[index]!, blobsAt.get(index));
    }
    this.#skims += count;
    const table = new DataView(stored.buffer, stored.byteOffset, count * BATCH_ENTRY_BYTES);
    if (away.length === 0) {
      this.adoptBatch(count, stored, table.getFloat64((count - 1) * BATCH_ENTRY_BYTES, true));
      return;
    }
    const indexed = Segment.restore(first, count, stored);
    const isAway = new Set(away);
    for (let index = 0; index < count; index++) {
      const { time, direction, channel, flags, bytes } = indexed.frame(index);
      if (this.bytes > LIMITS.recordingBytes) throw FILE_CHANGED;
      const [line] = isAway.has(index) ? await this.#lines(first + index, first + index) : [];
      const part = line ? PART.none : table.getUint8(index * BATCH_ENTRY_BYTES + 15);
      const entry = line?.bytes ?? bytes;
      this.append(channel, direction, flags, time, entry, 0, entry.length, part);
    }
  }

  /** Whether the next frames of the file are those that are in the log already, every frame handed over once. */
  async holds(frames: readonly ReadFrame[]): Promise<boolean> {
    for (const frame of frames) {
      const { seq, time, direction, channel, flags, bytes, at, blobsAt } = frame;
      if (!this.#places.has(seq)) return false;
      const { frame: held, isSkim } = await this.#held(seq);
      const skim = this.#skimmer.skim(frame, frame.isJson);
      const isSame =
        held.time === time &&
        held.direction === direction &&
        held.channel === channel &&
        held.flags === flags &&
        this.#places.at(seq) === at &&
        this.#places.length(seq) === bytes.length &&
        this.#places.blobs(seq).join() === blobsAt.join() &&
        // What was said afterwards is held whole, though it may have a skim.
        isSkim === (skim !== undefined) &&
        equalsAt(held.bytes, 0, held.bytes.length, skim ?? bytes);
      if (!isSame) return false;
    }
    return true;
  }

  wholeOf(seq: number, until: number): Segment | Promise<Segment> {
    // What was said since is not in the file as it was opened.
    if (seq > this.#places.count || this.#skims === 0) return super.segmentOf(seq);
    const known = this.#read;
    const isKnown = known !== undefined && seq >= known.first && seq < known.first + known.count;
    return isKnown ? known : this.#readFrom(seq, until);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#of?.file.close();
  }

  #isLeftOut({ blobsAt, bytes }: ReadFrame): boolean {
    if (blobsAt.length > 0) this.#expanded += bytes.length;
    return this.#isLarge || (blobsAt.length > 0 && this.#expanded > EXPANDED_BYTES);
  }

  #add(frame: ReadFrame, skim: Uint8Array | undefined): void {
    const { channel, direction, flags, time, bytes, at, blobsAt } = frame;
    this.#places.addLine(at, bytes.length, blobsAt);
    if (skim) this.#skims++;
    const entry = skim ?? bytes;
    this.append(channel, direction, flags, time, entry, 0, entry.length, skim ? PART.skim : PART.none);
  }

  /** Reads as many frames as fit into a batch, but one at least: such that have lines, or such that have none. */
  async #readFrom(seq: number, until: number): Promise<Segment> {
    const places = this.#places;
    const inFile = places.has(seq);
    const most = Math.min(until, places.count, seq + LIMITS.batchFrames - 1);
    let to = seq;
    let size = places.length(seq) + 1;
    const fits = (next: number) => places.has(next) === inFile && size + places.length(next) < BATCH_BYTES;
    while (to < most && fits(to + 1)) size += places.length(++to) + 1;
    const segment = Segment.empty(seq, size);
    const lines = inFile ? await this.#lines(seq, to) : [];
    for (let next = seq; next <= to; next++) {
      const { frame, isSkim } = await this.#held(next);
      const { time, direction, channel, flags } = frame;
      const line = lines[next - seq]?.bytes ?? frame.bytes;
      // Of what rows and state are made of, nothing may have become another.
      if (isSkim && !isSkimOf(frame.bytes, line)) throw FILE_CHANGED;
      const bytes = isSkim ? line : frame.bytes;
      segment.append(time, DIRECTIONS.indexOf(direction), CHANNELS.indexOf(channel), flags, bytes, 0, bytes.length);
    }
    this.#read = segment;
    return segment;
  }

  #lines(from: number, to: number) {
    return readFramesOf({ ...this.#of!, places: this.#places }, from, to);
  }

  async #held(seq: number): Promise<Held> {
    const found = super.segmentOf(seq);
    const segment = found instanceof Promise ? await found : found;
    const index = seq - segment.first;
    const isSkim = segment.table.getUint8(index * BATCH_ENTRY_BYTES + 15) === PART.skim;
    return { frame: segment.frame(index), isSkim };
  }
}

/** A recording's file, of which is known what is where. */
export interface IndexedFile {
  readonly file: RandomAccess;
  readonly blobs: FileBlobs;
  /** What knows its version, and which numbers the frames have in it. */
  readonly reader: Pick<RecordingReader, 'header'> & { readonly numbers: Pick<FrameNumbers, 'numberOf'> };
  readonly places: LineOffsets;
}

/** Bytes read at a time, at least: the end of the last line is not known. */
const LEAST_READ_BYTES = 16 * 1024;
const MOST_READ_BYTES = 1024 * 1024;

/**
 * Reads the frames `from` … `to` of a file anew, each from where its line begins. Rejects with a ConnectionError if another line stands
 * there.
 */
async function readFramesOf(of: IndexedFile, from: number, to: number): Promise<readonly FrameToRecord[]> {
  const { file, reader, places } = of;
  const { header, numbers } = reader;
  const frames: FrameToRecord[] = [];
  const start = places.at(from);
  const portion = Math.min(MOST_READ_BYTES, places.at(to) - start + places.length(to) + LEAST_READ_BYTES);
  const cutter = new LineSplitter(LIMITS.recordedLineBytes);
  for await (const chunk of readFrom(file, start, portion)) {
    for (const line of cutter.splitChunk(chunk)) {
      const seq = from + frames.length;
      const at = start + cutter.lineStart;
      // Blobs and indexes, and what was no frame when it was read first.
      if (at < places.at(seq)) continue;
      const decoded = line && at === places.at(seq) && decodeLine(line, header!.version, await blobsOf(of, seq));
      const isSame = decoded && decoded.is === 'frame' && decoded.n === numbers.numberOf(seq);
      if (!isSame || !(isLifecycle(decoded.frame) || decoded.frame.bytes.length === places.length(seq)))
        throw FILE_CHANGED;
      frames.push(decoded.frame);
      if (seq === to) return frames;
    }
    if (cutter.pendingBytes >= LIMITS.recordedLineBytes) break;
  }
  throw FILE_CHANGED;
}

/** Where frames are missing, a note names another than in the file, by a number of another length perhaps. */
function isLifecycle({ channel }: FrameToRecord): boolean {
  return channel === 'lifecycle';
}

/** What a frame refers to, which stands further up. */
async function blobsOf({ blobs, reader, places }: IndexedFile, seq: number): Promise<BlobLookup> {
  const found = new Map<string, RecordedBlob>();
  for (const at of places.blobs(seq)) {
    const blob = await blobs.at(at, reader.header!.version);
    if (!blob) throw FILE_CHANGED;
    found.set(blob.name, blob);
  }
  return found;
}

/** Of a file that has become another. */
const FILE_CHANGED = new ConnectionError({
  code: 'recording-changed',
  message: 'The recording’s file is not what it was when it was opened.',
  advice: 'Open it again.',
});

const CHUNK_BITS = 12;
const CHUNK_LINES = 1 << CHUNK_BITS;
const MASK = CHUNK_LINES - 1;

const NONE: readonly number[] = [];

/** Where in a file the lines of a log's frames begin, and how long the frames are: twelve bytes each. Numbered as frames are, from 1. */
export class LineOffsets {
  readonly #at: Float64Array[] = [];
  readonly #lengths: Uint32Array[] = [];
  readonly #blobs = new Map<number, readonly number[]>();
  #count = 0;
  #inFile = 0;

  get count(): number {
    return this.#count;
  }

  /** How many of them have a line. */
  get inFile(): number {
    return this.#inFile;
  }

  /** Of the next frame, and where the lines of the blobs begin that it refers to. */
  addLine(at: number, length: number, blobs: readonly number[] = NONE): void {
    const index = this.#count++;
    if (blobs.length > 0) this.#blobs.set(index + 1, blobs);
    if (at !== NO_LINE) this.#inFile++;
    if ((index & MASK) === 0) {
      this.#at.push(new Float64Array(CHUNK_LINES));
      this.#lengths.push(new Uint32Array(CHUNK_LINES));
    }
    this.#at[index >>> CHUNK_BITS]![index & MASK] = at;
    this.#lengths[index >>> CHUNK_BITS]![index & MASK] = length;
  }

  /** Where the line of frame `seq` begins; NOWHERE if it has none. */
  at(seq: number): number {
    return this.#at[(seq - 1) >>> CHUNK_BITS]![(seq - 1) & MASK]!;
  }

  /** Whether frame `seq` has a line. */
  has(seq: number): boolean {
    return seq <= this.#count && this.at(seq) !== NO_LINE;
  }

  /** Where the lines of the blobs begin that it refers to. */
  blobs(seq: number): readonly number[] {
    return this.#blobs.get(seq) ?? NONE;
  }

  /** Bytes of frame `seq`. */
  length(seq: number): number {
    return this.#lengths[(seq - 1) >>> CHUNK_BITS]![(seq - 1) & MASK]!;
  }
}

/** A blob with the name that it has in the file. */
export type NamedBlob = RecordedBlob & { readonly name: string };

/** Bytes read at first, which is all of a short one, and then at a time. */
const FIRST_BLOB_READ_BYTES = 16 * 1024;
const NEXT_BLOB_READ_BYTES = 256 * 1024;

/** The blobs of a recording's file, by where their lines begin. Those read last stay: messages refer to the same ones again and again. */
export class FileBlobs {
  readonly #file: RandomAccess;
  readonly #kept = new BlobWindow<NamedBlob>();

  constructor(file: RandomAccess) {
    this.#file = file;
  }

  /** The blob whose line begins there, in a recording of this version; undefined if there is none. */
  async at(place: number, version: number): Promise<NamedBlob | undefined> {
    const kept = this.#kept.get(String(place));
    if (kept) return kept;
    const line = await this.#lineAt(place);
    const blob = line && decodeLine(line, version);
    if (blob?.is !== 'blob') return undefined;
    this.#kept.add(String(place), blob.bytes.length, blob);
    return blob;
  }

  async #lineAt(place: number): Promise<Uint8Array | undefined> {
    const { size } = this.#file;
    const cutter = new LineSplitter(LIMITS.recordedLineBytes);
    for (let at = place, end = at + FIRST_BLOB_READ_BYTES; at < size; at = end, end += NEXT_BLOB_READ_BYTES) {
      for (const line of cutter.splitChunk(await this.#file.read(at, Math.min(size, end)))) return line;
      if (cutter.pendingBytes >= LIMITS.recordedLineBytes) return undefined;
    }
    return undefined;
  }
}
