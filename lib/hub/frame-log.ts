import { CHANNELS, type Channel, DIRECTIONS, type Direction } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { Segment } from './segment';

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
    this.#memoryBytes = options.memoryBytes ?? LIMITS.logMemoryBytes;
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
  protected adopt(count: number, stored: Uint8Array<ArrayBuffer>, time: number): void {
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
