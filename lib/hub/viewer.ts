import { joinBytes } from '@/lib/json/typed-arrays';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import { BATCH_ENTRY_BYTES, type Batch, type BatchMemory, encodeBatchHeader, setBatchPart } from '@/lib/wire/batch';
import type { Clock } from '@/lib/wire/clock';
import type { Event } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import type { FrameLog, Segment } from './frame-log';

/** Bytes of one batch, and of one part of a frame: small enough that the page draws between two of them. */
export const BATCH_BYTES = 256 * 1024;
/** How long frames are gathered in a flood, in ms: one animation frame. */
const BATCH_MS = 16;
/** Batches and bytes that may leave at once within `BATCH_MS`: a few calls and their answers, but no flood. */
const BATCHES_AT_ONCE = 32;
const BYTES_AT_ONCE = 64 * 1024;
/** Bytes in one viewer's socket above which it gets no more batches until the socket drains. */
export const VIEWER_BUFFERED_BYTES = 1024 * 1024;
/**
 * Bytes of unread events beyond `VIEWER_BUFFERED_BYTES` at which a viewer is disconnected. The viewer then reconnects
 * and resumes.
 */
const VIEWER_EVENT_BYTES = 4 * 1024 * 1024;

/** The link to a browser tab: a WebSocket, or the port of a worker. */
export interface ViewerLink {
  readonly isOpen: boolean;
  /** Bytes of batches and events that were sent and are not processed yet. */
  readonly bufferedAmount: number;
  sendEvent(event: Event): void;
  /** Returns memory for the next batch to send. Absent: each batch gets a buffer of its own. */
  readonly batchMemory?: BatchMemory;
  /** Sends a batch, whose memory belongs to the link from now on. Calls back once the tab has it. */
  sendBatch(batch: Batch, taken: () => void): void;
  /**
   * Asks for a moment's wait, because more frames may come that should leave in the same batch. Calls `send` when they
   * should leave, at the latest. Returns false if they should leave now. Absent: they always should.
   */
  waitForMore?(send: () => void): boolean;
  /** Disconnects a tab that reads nothing. */
  terminate(): void;
}

/** A log that a viewer is attached to. */
interface Attachment extends Cursor {
  readonly connection: string;
  readonly log: BatchSource;
}

/**
 * One browser tab. It holds no frames, only a cursor into each log, and cuts the next batch when its link has room. A
 * tab that stops reading costs `VIEWER_BUFFERED_BYTES` and a batch, and catches up by itself.
 */
export class Viewer {
  /** Owns the rules of interception that this tab sets. */
  readonly ruleOwner: RuleOwner = {};
  readonly #link: ViewerLink;
  readonly #clock: Clock;
  readonly #attachments = new Map<string, Attachment>();
  /** The current period of `BATCH_MS`, and how much was sent in it. */
  #stretchBegan = Number.NEGATIVE_INFINITY;
  #batchesInStretch = 0;
  #bytesInStretch = 0;
  #scheduled = false;
  #pumping = false;
  #wanted = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(link: ViewerLink, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
  }

  /** Sends an event at once, before frames that wait. */
  sendEvent(event: Event): void {
    if (!this.#link.isOpen) return;
    if (this.#link.bufferedAmount > VIEWER_BUFFERED_BYTES + VIEWER_EVENT_BYTES) this.#link.terminate();
    else this.#link.sendEvent(event);
  }

  /** Sends the frames of `log` after seq `after` from now on. Attaching again moves the cursor. */
  attach(connection: string, log: BatchSource, after: number): void {
    const next = Math.min(Math.max(0, after), log.last) + 1;
    this.#attachments.set(connection, { connection, log, next, offset: 0 });
    this.#pump();
  }

  detach(connection: string): void {
    this.#attachments.delete(connection);
  }

  /**
   * Sends the frames `from` … `to` again, in between new frames. Resolves when the tab has them. Reads one batch at a
   * time, so that memory stays bounded. Rejects if they can't be read from disk.
   */
  sendAgain(connection: string, log: BatchSource, from: number, to: number): Promise<void> {
    const reading = this.#reading.then(() => this.#read(connection, log, from, to));
    this.#reading = reading.catch(() => {});
    return reading;
  }

  async #read(connection: string, log: BatchSource, from: number, to: number): Promise<void> {
    const next = Math.max(1, from);
    const cursor = { next, offset: 0, until: Math.min(to, log.last, next + LIMITS.againFrames - 1) };
    while (this.#link.isOpen && cursor.next <= cursor.until) {
      const batch = await cutBatch(connection, log, cursor);
      if (batch) await new Promise<void>((taken) => this.#link.sendBatch(batch, taken));
    }
  }

  /**
   * Sends new frames of a log. The first batches of a period leave at once, so that a single call never waits. In a
   * flood, frames are gathered until they fill a batch or the period is over.
   */
  logGrew(connection: string): void {
    const attachment = this.#attachments.get(connection);
    if (!attachment) return;
    if (this.#link.waitForMore?.(this.#pump)) return;
    const left = this.#stretchBegan + BATCH_MS - this.#clock.now();
    const little = this.#batchesInStretch < BATCHES_AT_ONCE && this.#bytesInStretch < BYTES_AT_ONCE;
    if (left <= 0 || little || attachment.log.last - attachment.next >= LIMITS.batchFrames) {
      this.#pump();
    } else if (!this.#scheduled) {
      this.#scheduled = true;
      this.#clock.after(left, () => {
        this.#scheduled = false;
        this.#pump();
      });
    }
  }

  get #hasRoom(): boolean {
    return this.#link.isOpen && this.#link.bufferedAmount < VIEWER_BUFFERED_BYTES;
  }

  /**
   * Sends until nothing is left or the link is full. Called again when the log grows, a batch drains or the cursor
   * moves. A call that is still running then checks again before it ends.
   */
  readonly #pump = (): void => {
    this.#wanted = true;
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#wanted) {
      this.#wanted = false;
      const reading = this.#sendAll();
      if (!reading) continue;
      void reading.then(() => {
        this.#pumping = false;
        this.#pump();
      });
      return;
    }
    this.#pumping = false;
  };

  /** Sends batches in turn. Returns a promise that never rejects if one has to be read from disk. */
  #sendAll(): Promise<void> | undefined {
    for (let sent = true; sent; ) {
      sent = false;
      for (const attachment of this.#attachments.values()) {
        if (!this.#hasRoom) return undefined;
        const found = nextSegment(attachment.log, attachment);
        if (!found) continue;
        if (found instanceof Promise) return this.#sendRead(attachment, found);
        this.#sendFrom(attachment, found);
        sent = true;
      }
    }
    return undefined;
  }

  async #sendRead(attachment: Attachment, reading: Promise<Segment>): Promise<void> {
    const { connection } = attachment;
    // The next one to be sent is another's.
    this.#attachments.delete(connection);
    this.#attachments.set(connection, attachment);
    try {
      const segment = await reading;
      // The tab may have moved its cursor, or left, while the disk was read.
      if (this.#attachments.get(connection) === attachment && this.#link.isOpen) this.#sendFrom(attachment, segment);
    } catch (error) {
      this.#unreadable(attachment, error);
    }
  }

  #sendFrom(attachment: Attachment, segment: Segment): void {
    const { connection, log } = attachment;
    const batch = cutSegment(connection, log, attachment, segment, this.#link.batchMemory);
    this.#countBatch(batch.length);
    this.#link.sendBatch(batch, this.#pump);
  }

  /** Reports that the spill can't be read. The viewer's other connections go on. */
  #unreadable({ connection }: Attachment, error: unknown): void {
    this.detach(connection);
    this.sendEvent({
      type: 'error',
      code: 'log-unreadable',
      message: `Could not read the older frames of this connection from disk: ${error}.`,
      advice: 'Reload the page to try again.',
    });
  }

  #countBatch(bytes: number): void {
    const now = this.#clock.now();
    if (now - this.#stretchBegan >= BATCH_MS) {
      this.#stretchBegan = now;
      this.#batchesInStretch = 0;
      this.#bytesInStretch = 0;
    }
    this.#batchesInStretch++;
    this.#bytesInStretch += bytes;
  }
}

/** A viewer's position in a log. */
export interface Cursor {
  /** seq of the next frame. */
  next: number;
  /** Bytes of that frame that were sent already, as parts. */
  offset: number;
  /** Last frame to send, if frames are sent again. */
  readonly until?: number;
}

/** The part of a log that batches are cut from. */
export interface BatchSource extends Pick<FrameLog, 'last' | 'segmentOf'> {
  /**
   * Returns a segment whose first frames, from `seq`, are whole. Only for logs whose `segmentOf` has shortened frames.
   */
  wholeOf?(seq: number, until: number): Segment | Promise<Segment>;
}

/** The byte after each frame's bytes. See lib/wire/batch.ts. */
const AFTER_BYTES = new Uint8Array([10]);

/**
 * Cuts the next batch and moves the cursor on. Returns undefined at the end of the log. Sync while the frames are in
 * memory.
 */
export function cutBatch(connection: string, log: BatchSource, cursor: Cursor): Batch | Promise<Batch> | undefined {
  const segment = nextSegment(log, cursor);
  return segment instanceof Promise
    ? segment.then((restored) => cutSegment(connection, log, cursor, restored))
    : segment && cutSegment(connection, log, cursor, segment);
}

/** Returns the segment with the cursor's next frame; undefined at the end of the log. */
function nextSegment(log: BatchSource, { next, until }: Cursor): Segment | Promise<Segment> | undefined {
  if (next > log.last) return undefined;
  const again = until === undefined ? undefined : log.wholeOf?.(next, until);
  return again ?? log.segmentOf(next);
}

function cutSegment(
  connection: string,
  log: BatchSource,
  cursor: Cursor,
  segment: Segment,
  memory?: BatchMemory,
): Batch {
  const from = cursor.next - segment.first;
  const start = segment.start(from);
  if (cursor.offset > 0 || segment.start(from + 1) - start > BATCH_BYTES) {
    return cutPart(connection, log, cursor, segment, from);
  }
  const until = cursor.until === undefined ? segment.count : cursor.until - segment.first + 1;
  const most = Math.min(segment.count, from + LIMITS.batchFrames, until);
  // At least one frame, and as many as fit, by binary search.
  let to = from + 1;
  for (let tooMany = most + 1; to + 1 < tooMany; ) {
    const middle = (to + tooMany) >>> 1;
    if (segment.start(middle) - start <= BATCH_BYTES) to = middle;
    else tooMany = middle;
  }
  const header = headerOf(connection, log, cursor, to - from);
  cursor.next += to - from;
  return segment.batch(header, from, to, memory);
}

/** Cuts a part of a frame that is larger than a batch. */
function cutPart(connection: string, log: BatchSource, cursor: Cursor, segment: Segment, index: number): Batch {
  const bytes = segment.dataBytes(index, index + 1).subarray(0, -1);
  const end = Math.min(cursor.offset + BATCH_BYTES, bytes.length);
  const more = end < bytes.length;
  const header = headerOf(connection, log, cursor, 1);
  const batch = joinBytes([
    header,
    segment.tableBytes(index, index + 1),
    bytes.subarray(cursor.offset, end),
    AFTER_BYTES,
  ]);
  const entry = new DataView(batch.buffer, header.length, BATCH_ENTRY_BYTES);
  setBatchPart(entry, 0, end - cursor.offset, more);
  if (!more) cursor.next++;
  cursor.offset = more ? end : 0;
  return batch;
}

function headerOf(connection: string, log: BatchSource, { next, until }: Cursor, count: number): Uint8Array {
  const header = { connection, first: next, count, last: log.last };
  return encodeBatchHeader(until === undefined ? header : { ...header, again: true });
}
