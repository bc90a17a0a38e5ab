import { ConnectionError } from '@/lib/transports/transport';
import { BATCH_ENTRY_BYTES, batchEntryLength, writeBatchEntry } from '@/lib/wire/batch';
import { CHANNELS, type Channel, DIRECTIONS, type Direction, type Frame } from '@/lib/wire/frame';
import type { FrameNote, LifecycleEvent } from '@/lib/wire/lifecycle';

/** Bytes of one connection's log kept in memory; older bytes move to a spill file. */
const LOG_MEMORY_BYTES = 32 * 1024 * 1024;
/** Frames that a recorder writes in one go, and how many times as long it rests after that while more comes in. */
const RECORDED_AT_ONCE = 256;

/** A segment whose bytes are in the spill file. */
interface Spilled {
  readonly first: number;
  readonly count: number;
  readonly at: number;
  readonly bytes: number;
}

/** Where a log's older bytes go: a file, where there are files. */
export interface Spill {
  /** Appends the pieces one after the other and resolves with where they begin. */
  append(pieces: readonly Uint8Array[]): Promise<number>;
  read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Gives the space back. Never rejects. */
  close(): Promise<void>;
}

/** What a log may be told. */
export interface FrameLogOptions {
  /** Bytes kept in memory; what is older moves to the spill, if there is one. */
  readonly memoryBytes?: number;
  /** Absent: everything stays in memory. */
  readonly openSpill?: () => Spill;
  /** Called once, when moving to disk failed: from then on everything stays in memory. */
  readonly onSpillFailed?: (error: Error) => void;
}

/**
 * One connection's append-only log of frames, exact and complete. It is also every viewer's queue: a viewer is a seq to go
 * on from, so a slow one costs nothing here.
 */
export class FrameLog {
  readonly #memoryBytes: number;
  readonly #openSpill: (() => Spill) | undefined;
  readonly #onSpillFailed: (error: Error) => void;
  /** Oldest first: spilled ones, then those in memory. The last one takes new frames. */
  readonly #segments: (Segment | Spilled)[] = [];
  /** Index of the oldest segment that is in memory. */
  #oldestInMemory = 0;
  #bytesInMemory = 0;
  #current: Segment | undefined;
  #last = 0;
  #lastTime = 0;
  #bytes = 0;
  #spill: Spill | undefined;
  #spilling: Promise<void> | undefined;
  #spillFailed = false;
  /** The spilled segment read last: readers go through a segment batch by batch. */
  #restored: { spilled: Spilled; segment: Promise<Segment> } | undefined;

  constructor(options: FrameLogOptions = {}) {
    this.#memoryBytes = options.memoryBytes ?? LOG_MEMORY_BYTES;
    this.#openSpill = options.openSpill;
    this.#onSpillFailed = options.onSpillFailed ?? (() => {});
  }

  /** seq of the newest frame; 0 while there is none. */
  get last(): number {
    return this.#last;
  }

  /** Of the newest frame, in µs. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** Bytes of all frames. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Copies `source[start, end)` in as the next frame and returns its seq. `time` is in µs; `part` as in a batch. */
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
    const size = end - start;
    if (!this.#current?.hasRoom(size)) this.#startSegment(size);
    const [to, on] = [DIRECTIONS.indexOf(direction), CHANNELS.indexOf(channel)];
    this.#current!.append(time, to, on, flags, source, start, end, part);
    this.#bytes += size;
    this.#lastTime = time;
    return ++this.#last;
  }

  /** Takes the next frames as a batch has them: the table, and behind it their bytes, each with one more. `time` is that of the last. */
  protected adoptBatch(count: number, stored: Uint8Array<ArrayBuffer>, time: number): void {
    this.#current = Segment.restore(this.#last + 1, count, stored);
    this.#keep(this.#current);
    this.#bytes += this.#current.size - count;
    this.#last += count;
    this.#lastTime = time;
  }

  /**
   * The segment that holds frame `seq` (1 … last), at once if it is in memory. Rejects if the spill file can't be read.
   */
  segmentOf(seq: number): Segment | Promise<Segment> {
    const segment = this.#segments[this.#indexOf(seq)]!;
    return segment instanceof Segment ? segment : this.#restore(segment);
  }

  /** Resolves when nothing is being moved to disk. */
  async settled(): Promise<void> {
    while (this.#spilling) await this.#spilling;
  }

  /** Forgets everything. */
  async close(): Promise<void> {
    await this.settled();
    this.#spillFailed = true;
    await this.#spill?.close();
  }

  #startSegment(bytes: number): void {
    this.#current = Segment.empty(this.#last + 1, bytes);
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
        const pieces = [segment.tableBytes(), segment.dataBytes()];
        const bytes = pieces[0]!.length + pieces[1]!.length;
        const at = await this.#spill.append(pieces);
        this.#segments[this.#oldestInMemory++] = { first: segment.first, count: segment.count, at, bytes };
        this.#bytesInMemory -= segment.data.length;
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
      // The next reader may have more luck with the disk.
      segment.catch(() => {
        if (this.#restored === restored) this.#restored = undefined;
      });
    }
    return this.#restored.segment;
  }

  /** Binary search for the segment that holds `seq`. */
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

/** Puts something into a log that is said afterwards: at the time of its newest frame, so that the log gets no longer by it. */
export function appendEvent(log: FrameLog, event: LifecycleEvent): void {
  const bytes = new TextEncoder().encode(JSON.stringify(event));
  log.append('lifecycle', 'to-client', 0, log.lastTime, bytes, 0, bytes.length);
}

/** Puts a note into a log, if there is such a frame: throws ConnectionError `no-frame` otherwise. */
export function appendNote(log: FrameLog, { on, text, bookmark }: FrameNote): void {
  if (on < 1 || on > log.last) {
    throw new ConnectionError({
      code: 'no-frame',
      message: `There is no frame ${on} that the note could be on.`,
      advice: 'Select the row again.',
    });
  }
  appendEvent(log, { event: 'note', on, text, bookmark });
}

const LINE_FEED = 10;

/** Bytes and frames after which a segment is full. A single larger frame gets a segment of its own. */
const SEGMENT_BYTES = 512 * 1024;
const SEGMENT_FRAMES = 4096;

/** Lines that stand behind each other in one chunk, to be copied in one go. */
interface Run {
  readonly source: Uint8Array;
  readonly start: number;
  end: number;
  /** Where it goes in the segment's data. */
  readonly at: number;
}

/**
 * Consecutive frames: a table and the frames' bytes as a batch has them (lib/wire/batch.ts), so that a batch is cut from it
 * with two copies and no work for each frame. What is appended line by line from one chunk is copied as one run.
 */
export class Segment {
  /** seq of its first frame. */
  readonly first: number;
  readonly table: DataView<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
  count = 0;
  /** Bytes of `data` in use. */
  size = 0;
  /** Where each frame's bytes begin in `data`. */
  readonly #starts: Uint32Array;
  #run: Run | undefined;

  private constructor(first: number, table: DataView<ArrayBuffer>, data: Uint8Array<ArrayBuffer>) {
    this.first = first;
    this.table = table;
    this.data = data;
    this.#starts = new Uint32Array(table.byteLength / BATCH_ENTRY_BYTES);
  }

  /** An empty segment with room for a frame of `bytes`. */
  static empty(first: number, bytes: number): Segment {
    const table = new DataView(new ArrayBuffer(SEGMENT_FRAMES * BATCH_ENTRY_BYTES));
    return new Segment(first, table, new Uint8Array(Math.max(SEGMENT_BYTES, bytes + 1)));
  }

  /** The segment that {@link Segment.tableBytes} and {@link Segment.dataBytes} were taken from. */
  static restore(first: number, count: number, stored: Uint8Array<ArrayBuffer>): Segment {
    const tableBytes = count * BATCH_ENTRY_BYTES;
    const table = new DataView(stored.buffer, stored.byteOffset, tableBytes);
    const segment = new Segment(first, table, stored.subarray(tableBytes));
    for (let i = 0; i < count; i++) {
      segment.#starts[i] = segment.size;
      segment.size += batchEntryLength(table, i * BATCH_ENTRY_BYTES) + 1;
    }
    segment.count = count;
    return segment;
  }

  /** Exactly these frames, of which there is one at least. */
  static of(frames: readonly Frame[]): Segment {
    const tableBytes = frames.length * BATCH_ENTRY_BYTES;
    const stored = new Uint8Array(frames.reduce((sum, { bytes }) => sum + bytes.length + 1, tableBytes));
    const table = new DataView(stored.buffer);
    let at = tableBytes;
    for (const [index, { time, direction, channel, flags, bytes }] of frames.entries()) {
      const [towards, where] = [DIRECTIONS.indexOf(direction), CHANNELS.indexOf(channel)];
      writeBatchEntry(table, index * BATCH_ENTRY_BYTES, time, bytes.length, towards, where, flags);
      stored.set(bytes, at);
      at += bytes.length + 1;
    }
    return Segment.restore(frames[0]!.seq, frames.length, stored);
  }

  /** True if a frame of `bytes` still fits. */
  hasRoom(bytes: number): boolean {
    return this.count < SEGMENT_FRAMES && this.size + bytes < this.data.length;
  }

  /**
   * Takes `source[start, end)` as the next frame. The caller has asked {@link Segment.hasRoom}, and does not write to
   * `source` any more.
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
      this.#copyRun();
      this.#run = { source, start, end, at: this.size };
    }
    this.#starts[this.count++] = this.size;
    this.size += end - start + 1;
  }

  /** Where frame `index` begins in `data`; for `count`, where the last one ends. */
  start(index: number): number {
    return index < this.count ? this.#starts[index]! : this.size;
  }

  channel(index: number): Channel {
    return CHANNELS[this.table.getUint8(index * BATCH_ENTRY_BYTES + 13)]!;
  }

  /** Frame `index` of this segment. Its bytes are a view. */
  frame(index: number): Frame {
    const at = index * BATCH_ENTRY_BYTES;
    return {
      seq: this.first + index,
      time: this.table.getFloat64(at, true),
      direction: DIRECTIONS[this.table.getUint8(at + 12)]!,
      channel: CHANNELS[this.table.getUint8(at + 13)]!,
      flags: this.table.getUint8(at + 14),
      bytes: this.dataBytes(index, index + 1).subarray(0, -1),
    };
  }

  /** Table rows of the frames [from, to). */
  tableBytes(from = 0, to = this.count): Uint8Array<ArrayBuffer> {
    const at = this.table.byteOffset + from * BATCH_ENTRY_BYTES;
    return new Uint8Array(this.table.buffer, at, (to - from) * BATCH_ENTRY_BYTES);
  }

  /** Bytes of the frames [from, to), each with the byte after it. */
  dataBytes(from = 0, to = this.count): Uint8Array<ArrayBuffer> {
    this.#copyRun();
    return this.data.subarray(this.start(from), this.start(to));
  }

  /** Between the lines of a run stand their line feeds; only after its last one the byte has to be set. */
  #copyRun(): void {
    if (!this.#run) return;
    const { source, start, end, at } = this.#run;
    this.data.set(source.subarray(start, end), at);
    this.data[at + end - start] = LINE_FEED;
    this.#run = undefined;
  }
}

/** The frames of a segment from a seq on, a portion of them. */
export function framesFrom(segment: Segment, seq: number): readonly Frame[] {
  const from = seq - segment.first;
  const to = Math.min(segment.count, from + RECORDED_AT_ONCE);
  return Array.from({ length: to - from }, (_, index) => segment.frame(from + index));
}
