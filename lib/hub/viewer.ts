import type { Clock } from '@/lib/wire/clock';
import type { Event } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import { type Batch, type BatchSource, type Cursor, cutBatch } from './batch-cutter';

/** A tab's link as seen from the side that has the logs: a WebSocket, or the port of a worker. */
export interface ViewerLink {
  readonly isOpen: boolean;
  /** Bytes of batches and events handed over and not yet taken. */
  readonly bufferedAmount: number;
  tell(event: Event): void;
  /** Sends a batch and gives it away; calls back once it was taken. */
  deliver(batch: Batch, taken: () => void): void;
  /** Cuts a tab that takes nothing. */
  cut(): void;
}

/** One attached log. */
interface Attachment extends Cursor {
  readonly connection: string;
  readonly log: BatchSource;
}

/**
 * One browser tab. It holds no frames, only a cursor into each log it is attached to, and cuts the next batch when its
 * socket has room: a tab that stops reading costs `LIMITS.viewerBufferedBytes` and a batch, and catches up by itself.
 */
export class Viewer {
  readonly #link: ViewerLink;
  readonly #clock: Clock;
  readonly #attachments = new Map<string, Attachment>();
  /** The current stretch of `LIMITS.batchMs`, and what left in it. */
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
  tell(event: Event): void {
    if (!this.#link.isOpen) return;
    if (this.#link.bufferedAmount > LIMITS.viewerBufferedBytes + LIMITS.viewerEventBytes) this.#link.cut();
    else this.#link.tell(event);
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
  read(connection: string, log: BatchSource, from: number, to: number): Promise<void> {
    const reading = this.#reading.then(() => this.#read(connection, log, from, to));
    this.#reading = reading.catch(() => {});
    return reading;
  }

  async #read(connection: string, log: BatchSource, from: number, to: number): Promise<void> {
    const next = Math.max(1, from);
    const cursor = { next, offset: 0, until: Math.min(to, log.last, next + LIMITS.againFrames - 1) };
    while (this.#link.isOpen && cursor.next <= cursor.until) {
      const batch = await cutBatch(connection, log, cursor);
      if (batch) await new Promise<void>((taken) => this.#link.deliver(batch, taken));
    }
  }

  /**
   * A log grew. The first batches of a stretch leave at once, so that a lone call and its answer never wait; when more
   * comes it is a flood, and what follows is gathered until it fills a batch or the stretch is over.
   */
  grown(connection: string): void {
    const attachment = this.#attachments.get(connection);
    if (!attachment) return;
    const left = this.#stretchBegan + LIMITS.batchMs - this.#clock.now();
    const little = this.#batchesInStretch < LIMITS.batchesAtOnce && this.#bytesInStretch < LIMITS.bytesAtOnce;
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
    return this.#link.isOpen && this.#link.bufferedAmount < LIMITS.viewerBufferedBytes;
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
        this.#link.deliver(batch, () => this.#pump());
        sent = true;
      }
    }
  }

  /** The disk that holds the log's beginning fails: the tab is told, and keeps its other connections. */
  #unreadable({ connection }: Attachment, error: unknown): undefined {
    this.detach(connection);
    this.tell({
      type: 'error',
      code: 'log-unreadable',
      message: `The older frames of this connection can not be read back from disk: ${error}.`,
      advice: 'Reload the page to try again.',
    });
  }

  #countBatch(bytes: number): void {
    const now = this.#clock.now();
    if (now - this.#stretchBegan >= LIMITS.batchMs) {
      this.#stretchBegan = now;
      this.#batchesInStretch = 0;
      this.#bytesInStretch = 0;
    }
    this.#batchesInStretch++;
    this.#bytesInStretch += bytes;
  }
}
