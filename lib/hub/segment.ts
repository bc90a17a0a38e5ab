import { BATCH_ENTRY_BYTES, batchEntryLength, writeBatchEntry } from '@/lib/wire/batch';
import { CHANNELS, type Channel, DIRECTIONS, type Frame } from '@/lib/wire/frame';

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
