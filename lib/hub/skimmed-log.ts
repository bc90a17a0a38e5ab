import { equalsAt } from '@/lib/json/scan';
import { type BlobLookup, BlobWindow, type RecordedBlob } from '@/lib/recording/blobs';
import { decodeLine } from '@/lib/recording/decode-line';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import type { FrameNumbers } from '@/lib/recording/frame-numbers';
import { type IndexChunk, type IndexedRecording, type Inflate, readIndexChunks } from '@/lib/recording/large/indexes';
import { readLaterNotes } from '@/lib/recording/large/later-notes';
import { LineOffsets } from '@/lib/recording/large/line-offsets';
import { type RandomAccess, readFrom } from '@/lib/recording/large/random-access';
import { isSkimOf, Skimmer } from '@/lib/recording/large/skims';
import { LineSplitter } from '@/lib/recording/line-splitter';
import type { ReadFrame, RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { ConnectionError } from '@/lib/transports/transport';
import { BATCH_ENTRY_BYTES, channelCode, entryBytes, entryLength, PART } from '@/lib/wire/batch';
import { DIRECTIONS, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { FrameLog, type FrameLogOptions, Segment } from './frame-log';
import { BATCH_BYTES, type BatchSource } from './viewer';

/** Most bytes of messages with blobs in the log of a small file. Further messages with blobs are skims. */
const EXPANDED_BYTES = 32 * 1024 * 1024;

/** A frame of the log, and whether it is a skim. */
interface Held {
  readonly frame: Frame;
  readonly isSkim: boolean;
}

/** The file that a log is filled from. */
interface SkimmedFile extends Pick<IndexedFile, 'reader'> {
  /** Absent: the file can't be read again, so the log holds all of it. */
  readonly file?: RandomAccess;
  /** True if the file is too large for its log to hold every message. */
  readonly isLarge: boolean;
  /** Absent: {@link EXPANDED_BYTES}. */
  readonly expandedBytes?: number | undefined;
}

/**
 * The log of a recording. For a large file it holds skims: messages shortened to what rows and state need
 * (lib/recording/large/skims.ts). The log also holds the offsets of their lines, and reads a line again when a viewer
 * wants the whole message. For a small file, it holds skims only where blobs would make it large.
 */
export class SkimmedLog extends FrameLog implements BatchSource {
  readonly #source: Omit<IndexedFile, 'offsets'> | undefined;
  readonly #isLarge: boolean;
  readonly #expandedBytes: number;
  readonly #offsets = new LineOffsets();
  /** Makes skims of the lines, to fill the log or to check it. */
  readonly #skimmer = new Skimmer();
  /** The segment read last, since a frame larger than a batch is sent in several parts. */
  #read: Segment | undefined;
  #sentAt = 0;
  /** Bytes of messages with blobs so far. */
  #expanded = 0;
  #skims = 0;

  constructor({ file, reader, isLarge, expandedBytes = EXPANDED_BYTES }: SkimmedFile, options: FrameLogOptions) {
    super(options);
    this.#source = file && { file, reader, blobs: new FileBlobs(file) };
    this.#isLarge = isLarge;
    this.#expandedBytes = expandedBytes;
  }

  /** Number of frames that are in the file. */
  get inFile(): number {
    return this.#offsets.inFile;
  }

  /** Offset of the last frame's line in the file. */
  get lastOffset(): number {
    return this.#offsets.at(this.#offsets.count);
  }

  /** When frames were last requested, in ms of `performance.now()`. */
  get sentAt(): number {
    return this.#sentAt;
  }

  override segmentOf(seq: number): Segment | Promise<Segment> {
    this.#sentAt = performance.now();
    return super.segmentOf(seq);
  }

  /** Adds the next frame of the file, as a skim if the log would get too large. */
  addFrame(frame: ReadFrame): void {
    const skim = this.#source && this.#skimmer.skim(frame, frame.isJson);
    this.#add(frame, this.#isSkimmed(frame) ? skim : undefined);
  }

  /** Adds the next frame of the file unchanged. */
  addWholeFrame(frame: ReadFrame): void {
    this.#add(frame, undefined);
  }

  /** Closes the file if the log holds all of it. */
  async closeFileIfComplete(): Promise<void> {
    if (this.#skims === 0) await this.#source?.file.close();
  }

  /** Adds frames from an index. Rejects with a ConnectionError if the file doesn't match the index. */
  async addIndexChunk({ count, at, lengths, blobsAt, notStored, stored }: IndexChunk): Promise<void> {
    const first = this.last + 1;
    for (let index = 0; index < count; index++) {
      this.#offsets.addLine(at[index]!, lengths[index]!, blobsAt.get(index));
    }
    this.#skims += count;
    const table = new DataView(stored.buffer, stored.byteOffset, count * BATCH_ENTRY_BYTES);
    if (notStored.length === 0) {
      this.adoptBatch(count, stored, table.getFloat64((count - 1) * BATCH_ENTRY_BYTES, true));
      return;
    }
    const indexed = Segment.restore(first, count, stored);
    const readFromLine = new Set(notStored);
    for (let index = 0; index < count; index++) {
      if (this.bytes > LIMITS.recordingBytes) throw FILE_CHANGED;
      const [line] = readFromLine.has(index) ? await this.#lines(first + index, first + index) : [];
      const { time, direction, channel, flags, bytes } = line ?? indexed.frame(index);
      const part = line ? PART.none : table.getUint8(index * BATCH_ENTRY_BYTES + 15);
      this.append(channel, direction, flags, time, bytes, 0, bytes.length, part);
    }
  }

  /** Compares the file's next frames with the log's. Call it with each frame of the file once, in order. */
  async matches(frames: readonly ReadFrame[]): Promise<boolean> {
    for (const frame of frames) {
      const { seq, time, direction, channel, flags, bytes, at, blobsAt } = frame;
      if (!this.#offsets.has(seq)) return false;
      const { frame: held, isSkim } = await this.#held(seq);
      const skim = this.#skimmer.skim(frame, frame.isJson);
      const isSame =
        held.time === time &&
        held.direction === direction &&
        held.channel === channel &&
        held.flags === flags &&
        this.#offsets.at(seq) === at &&
        this.#offsets.length(seq) === entryLength(frame) &&
        this.#offsets.blobs(seq).join() === blobsAt.join() &&
        // Notes are held whole although they may have a skim.
        isSkim === (skim !== undefined) &&
        equalsAt(held.bytes, 0, held.bytes.length, skim ?? bytes);
      if (!isSame) return false;
    }
    return true;
  }

  wholeOf(seq: number, until: number): Segment | Promise<Segment> {
    // Frames added later are not in the file as it was opened.
    if (seq > this.#offsets.count || this.#skims === 0) return super.segmentOf(seq);
    const known = this.#read;
    const isKnown = known !== undefined && seq >= known.first && seq < known.first + known.count;
    return isKnown ? known : this.#readFrom(seq, until);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#source?.file.close();
  }

  #isSkimmed({ blobsAt, bytes }: ReadFrame): boolean {
    if (blobsAt.length > 0) this.#expanded += bytes.length;
    return this.#isLarge || (blobsAt.length > 0 && this.#expanded > this.#expandedBytes);
  }

  #add(frame: ReadFrame, skim: Uint8Array | undefined): void {
    const { channel, direction, flags, time, bytes, at, blobsAt } = frame;
    this.#offsets.addLine(at, entryLength(frame), blobsAt);
    if (skim) this.#skims++;
    const entry = skim ?? bytes;
    this.append(channel, direction, flags, time, entry, 0, entry.length, skim ? PART.skim : PART.none);
  }

  /** Reads the frames that fit into a batch, at least one. All of them are in the file, or none. */
  async #readFrom(seq: number, until: number): Promise<Segment> {
    const offsets = this.#offsets;
    const inFile = offsets.has(seq);
    const most = Math.min(until, offsets.count, seq + LIMITS.batchFrames - 1);
    let to = seq;
    let size = offsets.length(seq) + 1;
    const fits = (next: number) => offsets.has(next) === inFile && size + offsets.length(next) < BATCH_BYTES;
    while (to < most && fits(to + 1)) size += offsets.length(++to) + 1;
    const segment = Segment.empty(seq, size);
    const lines = inFile ? await this.#lines(seq, to) : [];
    for (let next = seq; next <= to; next++) {
      const { frame, isSkim } = await this.#held(next);
      const { time, direction, channel, flags } = frame;
      const line = lines[next - seq]?.bytes ?? frame.bytes;
      // Rows and state were made from the skim, so the message has to match it.
      if (isSkim && !isSkimOf(frame.bytes, line)) throw FILE_CHANGED;
      const entry = entryBytes({ channel, bytes: isSkim ? line : frame.bytes });
      segment.append(time, DIRECTIONS.indexOf(direction), channelCode(channel), flags, entry, 0, entry.length);
    }
    this.#read = segment;
    return segment;
  }

  #lines(from: number, to: number) {
    return readFramesOf({ ...this.#source!, offsets: this.#offsets }, from, to);
  }

  async #held(seq: number): Promise<Held> {
    const found = super.segmentOf(seq);
    const segment = found instanceof Promise ? await found : found;
    const index = seq - segment.first;
    const isSkim = segment.table.getUint8(index * BATCH_ENTRY_BYTES + 15) === PART.skim;
    return { frame: segment.frame(index), isSkim };
  }
}

/** Bytes read at a time while an index is checked: few, since the check shares its thread with open connections. */
const INDEX_CHECK_BYTES = 256 * 1024;

/** A log to fill from an index. */
interface Filling {
  readonly log: SkimmedLog;
  readonly file: RandomAccess;
  /** Returns true once the recording was closed. */
  readonly stopped: () => boolean;
  /** Unpacks indexes. Absent: `DecompressionStream` does. */
  readonly inflate?: Inflate | undefined;
  /** Resolves when this many bytes of an index may be read. Absent: at once. */
  readonly mayRead?: ((bytes: number) => Promise<void>) | undefined;
}

/**
 * Fills an empty log from the file's index and from notes added after it. Calls `onAdded` with the first seq of each
 * portion. Resolves to false if the index is wrong: the log is then useless.
 */
export async function fillByIndex(
  { log, file, stopped, inflate, mayRead }: Filling,
  indexed: IndexedRecording,
  onAdded: (from: number) => Promise<void>,
): Promise<boolean> {
  for await (const chunk of readIndexChunks(file, indexed, inflate, mayRead)) {
    if (stopped()) return true;
    const from = log.last + 1;
    if (!chunk || !(await succeeds(log.addIndexChunk(chunk)))) return false;
    await onAdded(from);
  }
  const from = log.last + 1;
  const isSound = await addLaterNotes(log, file, indexed.header.version);
  if (isSound && log.last >= from) await onAdded(from);
  return isSound;
}

/**
 * Reads the whole file, with pauses, and compares its frames with the log's. Waits until no frames were sent for
 * `quietMs`. Resolves to the reader of the file, or to undefined if the index is wrong or the recording was closed.
 */
export async function checkIndex(
  { log, file, stopped }: Filling,
  reader: RecordingReader,
  quietMs: number,
): Promise<TolerantReader | undefined> {
  const recorded = new TolerantReader(reader);
  const quiet = async () => {
    for (let left = log.sentAt + quietMs - performance.now(); left > 0 && !stopped(); ) {
      await sleep(left);
      left = log.sentAt + quietMs - performance.now();
    }
  };
  await sleep(quietMs);
  for await (const frames of recorded.portions(withPauses(readFrom(file, 0, INDEX_CHECK_BYTES), quiet))) {
    if (stopped() || !(await log.matches(frames))) return undefined;
  }
  return recorded.report?.frames === log.inFile ? recorded : undefined;
}

/** Passes portions on, waits for `quiet` before each, and pauses after each for as long as it took. */
async function* withPauses<T>(portions: AsyncIterable<T>, quiet: () => Promise<void>): AsyncGenerator<T> {
  for await (const portion of portions) {
    await quiet();
    const began = performance.now();
    yield portion;
    await sleep(performance.now() - began);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function succeeds(adding: Promise<void>): Promise<boolean> {
  return adding.then(
    () => true,
    () => false,
  );
}

/** Adds the notes after the index to the log. Returns false if anything else follows the index. */
async function addLaterNotes(log: SkimmedLog, file: RandomAccess, version: number): Promise<boolean> {
  for await (const note of readLaterNotes(file, log.lastOffset, { n: log.last, time: log.lastTime }, version)) {
    if (!note) return false;
    log.addWholeFrame(note);
  }
  return true;
}

/** A recording's file with the offsets of its lines. */
interface IndexedFile {
  readonly file: RandomAccess;
  readonly blobs: FileBlobs;
  /** Knows the file's version and the frames' numbers in it. */
  readonly reader: Pick<RecordingReader, 'header'> & { readonly numbers: Pick<FrameNumbers, 'numberOf'> };
  readonly offsets: LineOffsets;
}

/** Bytes read from the start of the last line, whose end is not known. */
const LEAST_READ_BYTES = 16 * 1024;
/** Most bytes read at a time. */
const MOST_READ_BYTES = 1024 * 1024;

/** Reads the frames `from` … `to` again from their lines. Rejects with a ConnectionError if the lines have changed. */
async function readFramesOf(source: IndexedFile, from: number, to: number): Promise<readonly FrameToRecord[]> {
  const { file, reader, offsets } = source;
  const { header, numbers } = reader;
  const frames: FrameToRecord[] = [];
  const start = offsets.at(from);
  const portion = Math.min(MOST_READ_BYTES, offsets.at(to) - start + offsets.length(to) + LEAST_READ_BYTES);
  const splitter = new LineSplitter(LIMITS.recordedLineBytes);
  for await (const chunk of readFrom(file, start, portion)) {
    for (const line of splitter.splitChunk(chunk)) {
      const seq = from + frames.length;
      const at = start + splitter.lineStart;
      // Skip blobs, indexes, and lines that were not frames the first time either.
      if (at < offsets.at(seq)) continue;
      const decoded = line && at === offsets.at(seq) && decodeLine(line, header!.version, await blobsOf(source, seq));
      const isSame = decoded && decoded.is === 'frame' && decoded.n === numbers.numberOf(seq);
      if (!isSame || !(isLifecycle(decoded.frame) || entryLength(decoded.frame) === offsets.length(seq)))
        throw FILE_CHANGED;
      frames.push(decoded.frame);
      if (seq === to) return frames;
    }
    if (splitter.pendingBytes >= LIMITS.recordedLineBytes) break;
  }
  throw FILE_CHANGED;
}

/** The length of a lifecycle frame is not compared: renumbering may change the length of a note. */
function isLifecycle({ channel }: FrameToRecord): boolean {
  return channel === 'lifecycle';
}

/** Reads the blobs that a frame refers to, which are further up in the file. */
async function blobsOf({ blobs, reader, offsets }: IndexedFile, seq: number): Promise<BlobLookup> {
  const found = new Map<string, RecordedBlob>();
  for (const at of offsets.blobs(seq)) {
    const blob = await blobs.at(at, reader.header!.version);
    if (!blob) throw FILE_CHANGED;
    found.set(blob.name, blob);
  }
  return found;
}

const FILE_CHANGED = new ConnectionError({
  code: 'recording-changed',
  message: 'The recording’s file has changed since it was opened.',
  advice: 'Open it again.',
});

/** A blob with its name in the file. */
type NamedBlob = RecordedBlob & { readonly name: string };

/** Bytes of the first read of a blob, which is all of a short blob. */
const FIRST_BLOB_READ_BYTES = 16 * 1024;
/** Bytes of each further read. */
const NEXT_BLOB_READ_BYTES = 256 * 1024;

/** The blobs of a recording's file, by the offsets of their lines. Caches the latest, since messages share them. */
class FileBlobs {
  readonly #file: RandomAccess;
  readonly #kept = new BlobWindow<NamedBlob>();

  constructor(file: RandomAccess) {
    this.#file = file;
  }

  /** Returns the blob whose line begins at an offset, in a recording of this version. */
  async at(offset: number, version: number): Promise<NamedBlob | undefined> {
    const kept = this.#kept.get(String(offset));
    if (kept) return kept;
    const line = await this.#lineAt(offset);
    const blob = line && decodeLine(line, version);
    if (blob?.is !== 'blob') return undefined;
    this.#kept.add(String(offset), blob.bytes.length, blob);
    return blob;
  }

  async #lineAt(offset: number): Promise<Uint8Array | undefined> {
    const { size } = this.#file;
    const splitter = new LineSplitter(LIMITS.recordedLineBytes);
    for (let at = offset, end = at + FIRST_BLOB_READ_BYTES; at < size; at = end, end += NEXT_BLOB_READ_BYTES) {
      for (const line of splitter.splitChunk(await this.#file.read(at, Math.min(size, end)))) return line;
      if (splitter.pendingBytes >= LIMITS.recordedLineBytes) return undefined;
    }
    return undefined;
  }
}
