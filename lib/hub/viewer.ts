import { joinBytes } from '@/lib/json/typed-arrays';
import { BATCH_ENTRY_BYTES, encodeBatchHeader, setBatchPart } from '@/lib/wire/batch';
import type { Clock } from '@/lib/wire/clock';
import type { Event } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import type { FrameLog, Segment } from './frame-log';

/** The largest batch of frames in one WebSocket message, and the largest part of a frame. */
export const BATCH_BYTES = 256 * 1024;
/** How long frames are gathered in a flood before they leave. */
const BATCH_MS = 16;
/** What may leave at once within `batchMs` before frames are gathered: a few calls and their answers, but no flood. */
const BATCHES_AT_ONCE = 32;
const BYTES_AT_ONCE = 64 * 1024;
/** Bytes waiting in one viewer's socket above which nothing more is handed to it until it drains. */
const VIEWER_BUFFERED_BYTES = 1024 * 1024;
/** Bytes of events waiting for a viewer that reads nothing, beyond which it is cut; it comes back and resumes. */
const VIEWER_EVENT_BYTES = 4 * 1024 * 1024;

/** A tab's link as seen from the side that has the logs: a WebSocket, or the port of a worker. */
export interface ViewerLink {
  readonly isOpen: boolean;
  /** Bytes of batches and events handed over and not yet taken. */
  readonly bufferedAmount: number;
  sendEvent(event: Event): void;
  /** Sends a batch and gives it away; calls back once it was taken. */
  sendBatch(batch: Batch, taken: () => void): void;
  /** Cuts a tab that takes nothing. */
  terminate(): void;
}

/** One attached log. */
interface Attachment extends Cursor {
  readonly connection: string;
  readonly log: BatchSource;
}

/**
 * One browser tab. It holds no frames, only a cursor into each log it is attached to, and cuts the next batch when its
 * socket has room: a tab that stops reading costs `VIEWER_BUFFERED_BYTES` and a batch, and catches up by itself.
 */
export class Viewer {
  readonly #link: ViewerLink;
  readonly #clock: Clock;
  readonly #attachments = new Map<string, Attachment>();
  /** The current stretch of `BATCH_MS`, and what left in it. */
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

  /** Sends an event at once, past the frames that wait. */
  sendEvent(event: Event): void {
    if (!this.#link.isOpen) return;
    if (this.#link.bufferedAmount > VIEWER_BUFFERED_BYTES + VIEWER_EVENT_BYTES) this.#link.terminate();
    else this.#link.sendEvent(event);
  }

  /** From now on sends the frames of `log` with seq > `after`. Attaching again moves the cursor. */
  attach(connection: string, log: BatchSource, after: number): void {
    const next = Math.min(Math.max(0, after), log.last) + 1;
    this.#attachments.set(connection, { connection, log, next, offset: 0 });
    this.#pump();
  }

  detach(connection: string): void {
    this.#attachments.delete(connection);
  }

  /**
   * Sends the frames `from` … `to` once more, beside what goes on with the log. Resolves when the tab has them; one reading at a
   * time, a batch at a time, so that this costs a batch. Rejects if they can't be read from disk.
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
   * A log grew. The first batches of a stretch leave at once, so that a lone call and its answer never wait; when more
   * comes it is a flood, and what follows is gathered until it fills a batch or the stretch is over.
   */
  logGrew(connection: string): void {
    const attachment = this.#attachments.get(connection);
    if (!attachment) return;
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
   * Sends until there is nothing left or the socket is full; each batch that drains comes back here. A call that finds
   * another one at work leaves word, so that no growth, drain or new cursor goes unseen.
   */
  #pump(): void {
    this.#wanted = true;
    if (this.#pumping) return;
    this.#pumping = true;
    void this.#sendWhileWanted();
  }

  async #sendWhileWanted(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      await this.#sendAll();
    }
    this.#pumping = false;
  }

  async #sendAll(): Promise<void> {
    for (let sent = true; sent; ) {
      sent = false;
      for (const attachment of this.#attachments.values()) {
        if (!this.#hasRoom) return;
        const cut = cutBatch(attachment.connection, attachment.log, attachment);
        if (!cut) continue;
        const batch = cut instanceof Promise ? await cut.catch((error) => this.#unreadable(attachment, error)) : cut;
        if (!batch) continue;
        // The tab may have moved its cursor or gone while the disk was read.
        if (this.#attachments.get(attachment.connection) !== attachment) continue;
        this.#countBatch(batch.length);
        this.#link.sendBatch(batch, () => this.#pump());
        sent = true;
      }
    }
  }

  /** The disk that holds the log's beginning fails: the tab is told, and keeps its other connections. */
  #unreadable({ connection }: Attachment, error: unknown): undefined {
    this.detach(connection);
    this.sendEvent({
      type: 'error',
      code: 'log-unreadable',
      message: `The older frames of this connection can not be read back from disk: ${error}.`,
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

/** Where a viewer is in a log. */
export interface Cursor {
  /** seq of the next frame to send. */
  next: number;
  /** Bytes of that frame already sent, as parts. */
  offset: number;
  /** Set where frames are sent once more: the last of them. */
  readonly until?: number;
}

/** What batches are cut from. */
export interface BatchSource extends Pick<FrameLog, 'last' | 'segmentOf'> {
  /**
   * For who wants the frames `seq` … `until` once more: a segment with the first of them, whole, where those of `segmentOf` are not.
   */
  wholeOf?(seq: number, until: number): Segment | Promise<Segment>;
}

/** The byte after a frame's bytes; see lib/wire/batch.ts. */
const AFTER_BYTES = new Uint8Array([10]);

/** One batch, in a buffer of its own. */
export type Batch = Uint8Array<ArrayBuffer>;

/** Cuts the next batch for `cursor` and moves it on; undefined if there is nothing to send. Sync while the frames are in memory. */
export function cutBatch(connection: string, log: BatchSource, cursor: Cursor): Batch | Promise<Batch> | undefined {
  if (cursor.next > log.last) return undefined;
  const again = cursor.until === undefined ? undefined : log.wholeOf?.(cursor.next, cursor.until);
  const segment = again ?? log.segmentOf(cursor.next);
  return segment instanceof Promise
    ? segment.then((restored) => cutSegment(connection, log, cursor, restored))
    : cutSegment(connection, log, cursor, segment);
}

function cutSegment(connection: string, log: BatchSource, cursor: Cursor, segment: Segment): Batch {
  const from = cursor.next - segment.first;
  const start = segment.start(from);
  if (cursor.offset > 0 || segment.start(from + 1) - start > BATCH_BYTES) {
    return cutPart(connection, log, cursor, segment, from);
  }
  const until = cursor.until === undefined ? segment.count : cursor.until - segment.first + 1;
  const most = Math.min(segment.count, from + LIMITS.batchFrames, until);
  let to = from + 1;
  while (to < most && segment.start(to + 1) - start <= BATCH_BYTES) to++;
  const header = headerOf(connection, log, cursor, to - from);
  cursor.next += to - from;
  return joinBytes([header, segment.tableBytes(from, to), segment.dataBytes(from, to)]);
}

/** A batch of one entry: a piece of a frame that is larger than a batch. */
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
  return encodeBatchHeader({
    connection,
    first: next,
    count,
    last: log.last,
    ...(until !== undefined && { again: true }),
  });
}
