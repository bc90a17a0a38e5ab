import type { IndexChunk } from '@/lib/recording/index-chunk';
import type { RandomAccess } from '@/lib/recording/random-access';
import type { ReadFrame } from '@/lib/recording/recording-reader';
import { isSkimOf, Skimmer } from '@/lib/recording/skimmer';
import { BATCH_ENTRY_BYTES, PART } from '@/lib/wire/batch';
import { CHANNELS, DIRECTIONS, type Frame } from '@/lib/wire/frame';
import { isAt } from '@/lib/wire/json-bytes';
import { LIMITS } from '@/lib/wire/limits';
import type { BatchSource } from './batch-cutter';
import { FileBlobs } from './file-blobs';
import { FrameLog, type FrameLogOptions } from './frame-log';
import { LinePlaces } from './line-places';
import { CHANGED, type ReadFile, readLines } from './read-lines';
import { Segment } from './segment';

/** A frame as the log has it, and what a batch says of it. */
interface Held {
  readonly frame: Frame;
  readonly isSkim: boolean;
}

/** What a recording is read from. */
export interface SkimmedFile extends Pick<ReadFile, 'reader'> {
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
  readonly #of: Omit<ReadFile, 'places'> | undefined;
  readonly #isLarge: boolean;
  readonly #places = new LinePlaces();
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
  take(frame: ReadFrame): void {
    const skim = this.#of && this.#skimmer.skim(frame, frame.isJson);
    this.#add(frame, this.#isLeftOut(frame) ? skim : undefined);
  }

  /** Takes the next frame as it is. */
  takeWhole(frame: ReadFrame): void {
    this.#add(frame, undefined);
  }

  /** All of the file is here: where that is so to the byte, it is of no more use. */
  async filled(): Promise<void> {
    if (this.#skims === 0) await this.#of?.file.close();
  }

  /** Takes what an index tells of the next frames. Rejects with a ConnectionError where the file has not what it says. */
  async takeChunk({ count, at, lengths, blobsAt, away, stored }: IndexChunk): Promise<void> {
    const first = this.last + 1;
    for (let index = 0; index < count; index++) {
      this.#places.push(at[index]!, lengths[index]!, blobsAt.get(index));
    }
    this.#skims += count;
    const table = new DataView(stored.buffer, stored.byteOffset, count * BATCH_ENTRY_BYTES);
    if (away.length === 0) {
      this.adopt(count, stored, table.getFloat64((count - 1) * BATCH_ENTRY_BYTES, true));
      return;
    }
    const indexed = Segment.restore(first, count, stored);
    const isAway = new Set(away);
    for (let index = 0; index < count; index++) {
      const { time, direction, channel, flags, bytes } = indexed.frame(index);
      if (this.bytes > LIMITS.recordingBytes) throw CHANGED;
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
        isAt(held.bytes, 0, held.bytes.length, skim ?? bytes);
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
    return this.#isLarge || (blobsAt.length > 0 && this.#expanded > LIMITS.expandedBytes);
  }

  #add(frame: ReadFrame, skim: Uint8Array | undefined): void {
    const { channel, direction, flags, time, bytes, at, blobsAt } = frame;
    this.#places.push(at, bytes.length, blobsAt);
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
    const fits = (next: number) => places.has(next) === inFile && size + places.length(next) < LIMITS.batchBytes;
    while (to < most && fits(to + 1)) size += places.length(++to) + 1;
    const segment = Segment.empty(seq, size);
    const lines = inFile ? await this.#lines(seq, to) : [];
    for (let next = seq; next <= to; next++) {
      const { frame, isSkim } = await this.#held(next);
      const { time, direction, channel, flags } = frame;
      const line = lines[next - seq]?.bytes ?? frame.bytes;
      // Of what rows and state are made of, nothing may have become another.
      if (isSkim && !isSkimOf(frame.bytes, line)) throw CHANGED;
      const bytes = isSkim ? line : frame.bytes;
      segment.append(time, DIRECTIONS.indexOf(direction), CHANNELS.indexOf(channel), flags, bytes, 0, bytes.length);
    }
    this.#read = segment;
    return segment;
  }

  #lines(from: number, to: number) {
    return readLines({ ...this.#of!, places: this.#places }, from, to);
  }

  async #held(seq: number): Promise<Held> {
    const found = super.segmentOf(seq);
    const segment = found instanceof Promise ? await found : found;
    const index = seq - segment.first;
    const isSkim = segment.table.getUint8(index * BATCH_ENTRY_BYTES + 15) === PART.skim;
    return { frame: segment.frame(index), isSkim };
  }
}
