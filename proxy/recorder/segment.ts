import { BATCH_ENTRY_BYTES, batchEntryLength, writeBatchEntry } from '@/lib/wire/batch';

/** Bytes and frames after which a segment is full. A single larger frame gets a segment of its own. */
const SEGMENT_BYTES = 512 * 1024;
const SEGMENT_FRAMES = 4096;

/**
 * A run of consecutive frames: a table in the format of a batch's table (lib/wire/batch.ts) and the frames' bytes one after
 * the other, so that a batch is cut from it with two copies and no work for each frame.
 */
export class Segment {
  /** seq of its first frame. */
  readonly first: number;
  readonly table: DataView;
  readonly data: Buffer;
  count = 0;
  /** Bytes of `data` in use. */
  size = 0;
  /** Where each frame's bytes begin in `data`; filled as frames come, or by {@link Segment.restore}. */
  readonly #starts: Uint32Array;

  private constructor(first: number, table: DataView, data: Buffer) {
    this.first = first;
    this.table = table;
    this.data = data;
    this.#starts = new Uint32Array(table.byteLength / BATCH_ENTRY_BYTES);
  }

  /** An empty segment with room for a frame of `bytes`. */
  static empty(first: number, bytes: number): Segment {
    const table = new DataView(new ArrayBuffer(SEGMENT_FRAMES * BATCH_ENTRY_BYTES));
    return new Segment(first, table, Buffer.allocUnsafeSlow(Math.max(SEGMENT_BYTES, bytes)));
  }

  /** The segment that {@link Segment.tableBytes} and {@link Segment.dataBytes} were taken from. */
  static restore(first: number, count: number, stored: Buffer): Segment {
    const tableBytes = count * BATCH_ENTRY_BYTES;
    const table = new DataView(stored.buffer, stored.byteOffset, tableBytes);
    const segment = new Segment(first, table, stored.subarray(tableBytes));
    for (let i = 0; i < count; i++) {
      segment.#starts[i] = segment.size;
      segment.size += batchEntryLength(table, i * BATCH_ENTRY_BYTES);
    }
    segment.count = count;
    return segment;
  }

  /** True if a frame of `bytes` still fits. */
  hasRoom(bytes: number): boolean {
    return this.count < SEGMENT_FRAMES && this.size + bytes <= this.data.length;
  }

  /** Copies `source[start, end)` in as the next frame. The caller has asked {@link Segment.hasRoom}. */
  append(
    time: number,
    direction: number,
    channel: number,
    flags: number,
    source: Uint8Array,
    start: number,
    end: number,
  ): void {
    writeBatchEntry(this.table, this.count * BATCH_ENTRY_BYTES, time, end - start, direction, channel, flags);
    if (source instanceof Buffer) source.copy(this.data, this.size, start, end);
    else this.data.set(source.subarray(start, end), this.size);
    this.#starts[this.count++] = this.size;
    this.size += end - start;
  }

  /** Where frame `index` begins in `data`; for `count`, where the last one ends. */
  start(index: number): number {
    return index < this.count ? this.#starts[index]! : this.size;
  }

  tableBytes(from = 0, to = this.count): Uint8Array {
    const at = this.table.byteOffset + from * BATCH_ENTRY_BYTES;
    return new Uint8Array(this.table.buffer, at, (to - from) * BATCH_ENTRY_BYTES);
  }

  dataBytes(from = 0, to = this.count): Uint8Array {
    return this.data.subarray(this.start(from), this.start(to));
  }
}
