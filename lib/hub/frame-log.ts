import { bytesView, joinBytes } from '@/lib/json/typed-arrays';
import { ConnectionError } from '@/lib/transports/transport';
import {
  BATCH_ENTRY_BYTES,
  type Batch,
  type BatchMemory,
  batchEntryLength,
  channelCode,
  entryBytes,
  entryLength,
  OTHER_CHANNEL,
  readOtherEntry,
  writeBatchEntry,
} from '@/lib/wire/batch';
import { CHANNELS, type Channel, DIRECTIONS, type Direction, type Frame } from '@/lib/wire/frame';
import type { FrameNote, LifecycleEvent } from '@/lib/wire/lifecycle';

/**
 * Bytes of one connection’s log in memory. Older bytes move to the spill, which costs less than new memory in a flood.
 */
const LOG_MEMORY_BYTES = 8 * 1024 * 1024;
/** Frames that a reader takes from a log at a time, so that no turn blocks the process for long. */
const FRAMES_AT_ONCE = 256;

/** A segment whose bytes are in the spill. */
interface Spilled {
  readonly first: number;
  readonly count: number;
  readonly at: number;
  readonly bytes: number;
}

/** Storage for the older bytes of a log: a file, where there are files. */
export interface Spill {
  /** Appends the pieces and resolves with the offset of the first. */
  append(pieces: readonly Uint8Array[]): Promise<number>;
  read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads while everything else waits. Absent: it can't. */
  readNow?(at: number, length: number): Uint8Array<ArrayBuffer>;
  /** Frees the space. Never rejects. */
  close(): Promise<void>;
}

export interface FrameLogOptions {
  /** Bytes kept in memory. Older bytes move to the spill, if there is one. */
  readonly memoryBytes?: number;
  /** Absent: the whole log stays in memory. */
  readonly openSpill?: () => Spill;
  /** Called once when the spill fails. From then on the log stays in memory. */
  readonly onSpillFailed?: (error: Error) => void;
}

/**
 * The append-only log of one connection, with every frame's exact bytes. The log is also every viewer's queue: a viewer
 * holds only the seq that it has reached, so a slow viewer costs the log nothing.
 */
export class FrameLog {
  readonly #memoryBytes: number;
  readonly #openSpill: (() => Spill) | undefined;
  readonly #onSpillFailed: (error: Error) => void;
  /** Segments, oldest first: spilled segments, then those in memory. New frames go into the last one. */
  readonly #segments: (Segment | Spilled)[] = [];
  /** Index of the oldest segment in memory. */
  #oldestInMemory = 0;
  #bytesInMemory = 0;
  #current: Segment | undefined;
  #last = 0;
  #lastTime = 0;
  #bytes = 0;
  /** The channel appended to last and its code, which is then not looked up for each frame of a flood. */
  #channel: Channel = CHANNELS[0];
  #channelCode = channelCode(CHANNELS[0]);
  #spill: Spill | undefined;
  #spilling: Promise<void> | undefined;
  #spillFailed = false;
  /** Memory of spilled segments, for new ones. */
  readonly #spare: SegmentMemory[] = [];
  /** The spilled segment read last, since readers go through a segment batch by batch. */
  #restored: { spilled: Spilled; segment: Promise<Segment> } | undefined;
  #restoredNow: { spilled: Spilled; segment: Segment } | undefined;

  constructor(options: FrameLogOptions = {}) {
    this.#memoryBytes = options.memoryBytes ?? LOG_MEMORY_BYTES;
    this.#openSpill = options.openSpill;
    this.#onSpillFailed = options.onSpillFailed ?? (() => {});
  }

  /** seq of the newest frame, 0 for an empty log. */
  get last(): number {
    return this.#last;
  }

  /** Time of the newest frame in µs. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** Bytes of all frames. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds `source[start, end)` as the next frame and returns its seq. `time` is in µs, `part` as in a batch. Don't write
   * to `source` before {@link FrameLog.settle}. The log keeps the memory of a `source` that is only a large frame and
   * one more byte, so never write to it.
   */
  append(
    channel: Channel,
    direction: Direction,
    flags: number,
    time: number,
    source: Uint8Array,
    start: number,
    end: number,
    part?: number,
  ): number {
    if (channel !== this.#channel) {
      this.#channel = channel;
      this.#channelCode = channelCode(channel);
    }
    const on = this.#channelCode;
    const named = on === OTHER_CHANNEL ? entryBytes({ channel, bytes: source.subarray(start, end) }) : undefined;
    const size = named ? named.length : end - start;
    const kept = !named && isOnlyLargeFrame(source, start, end);
    if (kept || !this.#current?.hasRoom(size)) this.#startSegment(size, kept ? source : undefined);
    const to = DIRECTIONS.indexOf(direction);
    if (named) this.#current!.append(time, to, on, flags, named, 0, size, part);
    else this.#current!.append(time, to, on, flags, source, start, end, part);
    this.#bytes += size;
    this.#lastTime = time;
    return ++this.#last;
  }

  /**
   * Adds each line of `source[start, end)` as a frame, without its line feed, with which the last one ends too. The
   * same as {@link FrameLog.append} for each line, for floods. `time` is in µs.
   */
  appendLines(
    channel: Channel,
    direction: Direction,
    time: number,
    source: Uint8Array,
    start: number,
    end: number,
  ): void {
    const [to, on] = [DIRECTIONS.indexOf(direction), channelCode(channel)];
    for (let at = start; at < end; ) {
      const before = this.#current?.count ?? 0;
      const next = on === OTHER_CHANNEL ? at : (this.#current?.appendLines(time, to, on, source, at, end) ?? at);
      if (next > at) {
        const frames = this.#current!.count - before;
        this.#bytes += next - at - frames;
        this.#last += frames;
        this.#lastTime = time;
        at = next;
      } else {
        // The next line needs a new segment.
        const lineEnd = source.indexOf(LINE_FEED, at);
        this.append(channel, direction, 0, time, source, at, lineEnd);
        at = lineEnd + 1;
      }
    }
  }

  /**
   * Adds the next frames in the format of a batch: their table, then their bytes. `time` is that of the last frame, in
   * µs.
   */
  protected adoptBatch(count: number, stored: Uint8Array<ArrayBuffer>, time: number): void {
    this.#current = Segment.restore(this.#last + 1, count, stored);
    this.#keep(this.#current);
    this.#bytes += this.#current.size - count;
    this.#last += count;
    this.#lastTime = time;
  }

  /**
   * Returns the segment with frame `seq` (1 … last), synchronously if it is in memory. Rejects if the spill can't be
   * read.
   */
  segmentOf(seq: number): Segment | Promise<Segment> {
    const segment = this.#segments[this.#indexOf(seq)]!;
    return segment instanceof Segment ? segment : this.#restore(segment);
  }

  /**
   * Returns frame `seq` (1 … last) while everything else waits. Its bytes are a view. Throws if the spill can't be read
   * like that.
   */
  frameNow(seq: number): Frame {
    const segment = this.#segments[this.#indexOf(seq)]!;
    const whole = segment instanceof Segment ? segment : this.#restoreNow(segment);
    return whole.frame(seq - whole.first);
  }

  /** Copies everything that was appended, so that the log needs no `source` any more. */
  settle(): void {
    this.#current?.settle();
  }

  /** Resolves when no bytes are on their way to the spill. */
  async settled(): Promise<void> {
    while (this.#spilling) await this.#spilling;
  }

  /** Drops the spilled bytes. */
  async close(): Promise<void> {
    await this.settled();
    this.#spillFailed = true;
    this.#spare.length = 0;
    await this.#spill?.close();
  }

  /** Starts a segment for a frame of `bytes`, in the memory of `kept` if the frame is there. */
  #startSegment(bytes: number, kept?: Uint8Array<ArrayBuffer>): void {
    this.settle();
    const spare = bytes < SEGMENT_BYTES ? this.#spare.pop() : undefined;
    this.#current = Segment.empty(this.#last + 1, bytes, spare ?? (kept && memoryIn(kept)));
    this.#keep(this.#current);
  }

  #keep(segment: Segment): void {
    this.#segments.push(segment);
    this.#bytesInMemory += segment.data.length;
    if (this.#bytesInMemory > this.#memoryBytes && this.#openSpill && !this.#spillFailed) {
      this.#spilling ??= this.#spillOldest(this.#openSpill).finally(() => {
        this.#spilling = undefined;
      });
    }
  }

  async #spillOldest(openSpill: () => Spill): Promise<void> {
    try {
      this.#spill ??= openSpill();
      while (this.#bytesInMemory > this.#memoryBytes) {
        const segment = this.#segments[this.#oldestInMemory]!;
        if (!(segment instanceof Segment) || segment === this.#current) return;
        const stored = segment.stored();
        const bytes = stored.reduce((sum, piece) => sum + piece.length, 0);
        const at = await this.#spill.append(stored);
        this.#segments[this.#oldestInMemory++] = { first: segment.first, count: segment.count, at, bytes };
        this.#bytesInMemory -= segment.data.length;
        const spare = this.#spare.length < SPARE_SEGMENTS ? segment.takeMemory() : undefined;
        if (spare) this.#spare.push(spare);
      }
    } catch (error) {
      this.#spillFailed = true;
      this.#onSpillFailed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #restore(spilled: Spilled): Promise<Segment> {
    if (this.#restored?.spilled !== spilled) {
      const segment = this.#spill!.read(spilled.at, spilled.bytes).then((stored) =>
        Segment.restore(spilled.first, spilled.count, stored),
      );
      const restored = { spilled, segment };
      this.#restored = restored;
      // Let the next reader try the disk again.
      segment.catch(() => {
        if (this.#restored === restored) this.#restored = undefined;
      });
    }
    return this.#restored.segment;
  }

  #restoreNow(spilled: Spilled): Segment {
    if (this.#restoredNow?.spilled !== spilled) {
      const stored = this.#spill!.readNow!(spilled.at, spilled.bytes);
      this.#restoredNow = { spilled, segment: Segment.restore(spilled.first, spilled.count, stored) };
    }
    return this.#restoredNow.segment;
  }

  /** Finds the segment with frame `seq` by binary search. */
  #indexOf(seq: number): number {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#segments[middle]!.first <= seq) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * Adds an event that happened after the log's end. It gets the time of the newest frame, so that the log keeps its
 * duration.
 */
export function appendEvent(log: FrameLog, event: LifecycleEvent): void {
  const bytes = new TextEncoder().encode(JSON.stringify(event));
  log.append('lifecycle', 'to-client', 0, log.lastTime, bytes, 0, bytes.length);
}

/** Adds a note on a frame. Throws ConnectionError `no-frame` if the log doesn't have the frame. */
export function appendNote(log: FrameLog, { on, text, bookmark }: FrameNote): void {
  if (on < 1 || on > log.last) {
    throw new ConnectionError({
      code: 'no-frame',
      message: `The log has no frame ${on} to put the note on.`,
      advice: 'Select the row again.',
    });
  }
  appendEvent(log, { event: 'note', on, text, bookmark });
}

const LINE_FEED = 10;

/**
 * Bytes of a full segment. Batches are cut from segments, and segments move to the spill one at a time. A larger frame
 * gets a segment of its own.
 */
const SEGMENT_BYTES = 512 * 1024;
/** Frames of a full segment. */
const SEGMENT_FRAMES = 4096;
/** Segments of memory kept for new ones. A flood spills about one for each that it fills. */
const SPARE_SEGMENTS = 4;

/**
 * The memory of a segment. It is used again, because a flood that allocated new memory for all its bytes would make the
 * garbage collector run dozens of times a second.
 */
interface SegmentMemory {
  readonly table: DataView<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array;
}

const NO_MEMORY: SegmentMemory = {
  table: new DataView(new ArrayBuffer(0)),
  data: new Uint8Array(0),
  starts: new Uint32Array(0),
};

/**
 * Returns true if a source holds only a frame that needs a segment of its own and one more byte, in memory that is not
 * much larger.
 */
function isOnlyLargeFrame(source: Uint8Array, start: number, end: number): source is Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = source;
  return end >= SEGMENT_BYTES && start + byteOffset === 0 && length === end + 1 && buffer.byteLength <= 2 * length;
}

function memoryIn(data: Uint8Array<ArrayBuffer>): SegmentMemory {
  const table = new DataView(new ArrayBuffer(BATCH_ENTRY_BYTES));
  return { table, data, starts: new Uint32Array(1) };
}

/** Consecutive lines of one chunk, copied in one go. */
interface Run {
  readonly source: Uint8Array;
  readonly start: number;
  end: number;
  /** Offset in the segment's data. */
  readonly at: number;
}

/**
 * Consecutive frames in the format of a batch (lib/wire/batch.ts): a table and the frames' bytes. Cutting a batch takes
 * two copies. Lines that were appended from one chunk are copied in one go.
 */
export class Segment {
  /** seq of its first frame. */
  readonly first: number;
  count = 0;
  /** Bytes of `data` in use. */
  size = 0;
  /** `starts`: offset of each frame's bytes in `data`. */
  #memory: SegmentMemory;
  /** True once somebody has a view of the memory, so that it can't be used again. */
  #isShared = false;
  #run: Run | undefined;

  private constructor(first: number, memory: SegmentMemory) {
    this.first = first;
    this.#memory = memory;
  }

  /** Makes an empty segment with room for a frame of `bytes`, in `memory` if it is given, which has that much room. */
  static empty(first: number, bytes: number, memory?: SegmentMemory): Segment {
    if (memory) return new Segment(first, memory);
    const table = new DataView(new ArrayBuffer(SEGMENT_FRAMES * BATCH_ENTRY_BYTES));
    const data = new Uint8Array(Math.max(SEGMENT_BYTES, bytes + 1));
    return new Segment(first, { table, data, starts: new Uint32Array(SEGMENT_FRAMES) });
  }

  /** Makes a segment from what {@link Segment.stored} returned, joined. */
  static restore(first: number, count: number, stored: Uint8Array<ArrayBuffer>): Segment {
    const tableBytes = count * BATCH_ENTRY_BYTES;
    const table = new DataView(stored.buffer, stored.byteOffset, tableBytes);
    const starts = new Uint32Array(count);
    const segment = new Segment(first, { table, data: stored.subarray(tableBytes), starts });
    for (let i = 0; i < count; i++) {
      starts[i] = segment.size;
      segment.size += batchEntryLength(table, i * BATCH_ENTRY_BYTES) + 1;
    }
    segment.count = count;
    return segment;
  }

  /** Makes a segment of exactly these frames, at least one. */
  static of(frames: readonly Frame[]): Segment {
    const tableBytes = frames.length * BATCH_ENTRY_BYTES;
    const stored = new Uint8Array(frames.reduce((sum, frame) => sum + entryLength(frame) + 1, tableBytes));
    const table = new DataView(stored.buffer);
    let at = tableBytes;
    for (const [index, frame] of frames.entries()) {
      const entry = entryBytes(frame);
      const [towards, where] = [DIRECTIONS.indexOf(frame.direction), channelCode(frame.channel)];
      writeBatchEntry(table, index * BATCH_ENTRY_BYTES, frame.time, entry.length, towards, where, frame.flags);
      stored.set(entry, at);
      at += entry.length + 1;
    }
    return Segment.restore(frames[0]!.seq, frames.length, stored);
  }

  get table(): DataView<ArrayBuffer> {
    return this.#memory.table;
  }

  get data(): Uint8Array<ArrayBuffer> {
    return this.#memory.data;
  }

  /** Takes the memory away for another segment. Returns undefined if somebody has a view of it, or if it is large. */
  takeMemory(): SegmentMemory | undefined {
    const memory = this.#memory;
    if (this.#isShared || memory.data.length !== SEGMENT_BYTES || memory.starts.length !== SEGMENT_FRAMES) {
      return undefined;
    }
    this.#memory = NO_MEMORY;
    this.#run = undefined;
    return memory;
  }

  /** Returns true if a frame of `bytes` fits. */
  hasRoom(bytes: number): boolean {
    return this.count < SEGMENT_FRAMES && this.size + bytes < this.data.length;
  }

  /**
   * Adds `source[start, end)` as the next frame. Ask {@link Segment.hasRoom} first, and don't write to `source` before
   * {@link Segment.settle}.
   */
  append(
    time: number,
    direction: number,
    channel: number,
    flags: number,
    source: Uint8Array,
    start: number,
    end: number,
    part?: number,
  ): void {
    writeBatchEntry(this.table, this.count * BATCH_ENTRY_BYTES, time, end - start, direction, channel, flags, part);
    if (this.#run?.source === source && this.#run.end + 1 === start) this.#run.end = end;
    else {
      this.settle();
      this.#run = { source, start, end, at: this.size };
    }
    this.#memory.starts[this.count++] = this.size;
    this.size += end - start + 1;
  }

  /**
   * Adds as many lines of `source[start, end)` as fit, and returns the offset after them. Copies them at once.
   */
  appendLines(
    time: number,
    direction: number,
    channel: number,
    source: Uint8Array,
    start: number,
    end: number,
  ): number {
    const { table, data, starts } = this.#memory;
    this.settle();
    const shift = this.size - start;
    const most = Math.min(end, data.length - shift);
    let [count, at] = [this.count, start];
    while (at < most && count < SEGMENT_FRAMES) {
      const lineEnd = source.indexOf(LINE_FEED, at);
      if (lineEnd >= most) break;
      writeBatchEntry(table, count * BATCH_ENTRY_BYTES, time, lineEnd - at, direction, channel, 0);
      starts[count++] = at + shift;
      at = lineEnd + 1;
    }
    data.set(bytesView(source, start, at), this.size);
    this.count = count;
    this.size = at + shift;
    return at;
  }

  /** Returns the offset of frame `index` in `data`; for `count`, the end of the last frame. */
  start(index: number): number {
    return index < this.count ? this.#memory.starts[index]! : this.size;
  }

  /** Returns the channel of frame `index` if it is in CHANNELS. */
  channel(index: number): Channel | undefined {
    return CHANNELS[this.table.getUint8(index * BATCH_ENTRY_BYTES + 13)];
  }

  /** Returns frame `index` of this segment. Its bytes are a view. */
  frame(index: number): Frame {
    const at = index * BATCH_ENTRY_BYTES;
    this.settle();
    this.#isShared = true;
    const entry = this.data.subarray(this.start(index), this.start(index + 1) - 1);
    const channel = this.channel(index);
    const other = channel ? undefined : readOtherEntry(entry);
    return {
      seq: this.first + index,
      time: this.table.getFloat64(at, true),
      direction: DIRECTIONS[this.table.getUint8(at + 12)]!,
      channel: channel ?? other!.channel,
      flags: this.table.getUint8(at + 14),
      bytes: other?.bytes ?? entry,
    };
  }

  /** Returns a batch of the frames [from, to), copied: the header, their table rows and their bytes. */
  batch(header: Uint8Array, from: number, to: number, memory?: BatchMemory): Batch {
    return joinBytes([header, this.#tableView(from, to), this.#dataView(from, to)], memory);
  }

  /** Returns what {@link Segment.restore} needs. Views, valid until the memory is taken. */
  stored(): readonly Uint8Array[] {
    return [this.#tableView(0, this.count), this.#dataView(0, this.count)];
  }

  /** Returns the table rows of the frames [from, to), as a view. */
  tableBytes(from: number, to: number): Uint8Array<ArrayBuffer> {
    this.#isShared = true;
    return this.#tableView(from, to);
  }

  /** Returns the bytes of the frames [from, to), each with the byte after it, as a view. */
  dataBytes(from: number, to: number): Uint8Array<ArrayBuffer> {
    this.#isShared = true;
    return this.#dataView(from, to);
  }

  #tableView(from: number, to: number): Uint8Array<ArrayBuffer> {
    const at = this.table.byteOffset + from * BATCH_ENTRY_BYTES;
    return new Uint8Array(this.table.buffer, at, (to - from) * BATCH_ENTRY_BYTES);
  }

  #dataView(from: number, to: number): Uint8Array<ArrayBuffer> {
    this.settle();
    return this.data.subarray(this.start(from), this.start(to));
  }

  /** Copies the run of lines that is not copied yet. Its line feeds are copied too, except for the last one. */
  settle(): void {
    if (!this.#run) return;
    const { source, start, end, at } = this.#run;
    if (source.buffer !== this.data.buffer) this.data.set(bytesView(source, start, end), at);
    this.data[at + end - start] = LINE_FEED;
    this.#run = undefined;
  }
}

/** Returns the next portion of frames of a segment, from `seq` on. */
export function framesFrom(segment: Segment, seq: number): readonly Frame[] {
  const from = seq - segment.first;
  const to = Math.min(segment.count, from + FRAMES_AT_ONCE);
  const frames: Frame[] = [];
  for (let index = from; index < to; index++) frames.push(segment.frame(index));
  return frames;
}
