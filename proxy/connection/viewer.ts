import type { WebSocket } from 'ws';
import type { Clock } from '@/lib/wire/clock';
import type { Event } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import type { FrameLog } from '../recorder/frame-log';
import { type Cursor, cutBatch } from './batch-cutter';

/** One attached log. */
interface Attachment extends Cursor {
  readonly connection: string;
  readonly log: FrameLog;
}

/**
 * One browser tab. It holds no frames, only a cursor into each log it is attached to, and cuts the next batch when its
 * socket has room: a tab that stops reading costs `LIMITS.viewerBufferedBytes` and a batch, and catches up by itself.
 */
export class Viewer {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #attachments = new Map<string, Attachment>();
  /** The current stretch of `LIMITS.batchMs`, and how many batches left in it. */
  #stretchBegan = Number.NEGATIVE_INFINITY;
  #sentInStretch = 0;
  #scheduled = false;
  #pumping = false;
  #wanted = false;

  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
  }

  /** Sends an event at once, past the frames that wait. */
  tell(event: Event): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(event));
  }

  /** From now on sends the frames of `log` with seq > `after`. Attaching again moves the cursor. */
  attach(connection: string, log: FrameLog, after: number): void {
    const next = Math.min(Math.max(0, after), log.last) + 1;
    this.#attachments.set(connection, { connection, log, next, offset: 0 });
    this.#pump();
  }

  detach(connection: string): void {
    this.#attachments.delete(connection);
  }

  /**
   * A log grew. The first few batches of a stretch leave at once, so that a lone call and its answer never wait; when more
   * come it is a flood, and what follows is gathered until the stretch is over.
   */
  grown(connection: string): void {
    if (this.#scheduled || !this.#attachments.has(connection)) return;
    const left = this.#stretchBegan + LIMITS.batchMs - this.#clock.now();
    if (left <= 0 || this.#sentInStretch < LIMITS.batchesAtOnce) {
      this.#pump();
      return;
    }
    this.#scheduled = true;
    this.#clock.after(left, () => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  get #hasRoom(): boolean {
    return this.#socket.readyState === this.#socket.OPEN && this.#socket.bufferedAmount < LIMITS.viewerBufferedBytes;
  }

  /**
   * Sends until there is nothing left or the socket is full; each batch that drains comes back here. A call that finds
   * another one at work leaves word, so that no growth, drain or new cursor goes unseen.
   */
  #pump(): void {
    this.#wanted = true;
    if (this.#pumping) return;
    this.#pumping = true;
    this.#sendWhileWanted().catch(() => this.#socket.close(1011, 'log unreadable'));
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
        const batch = cut instanceof Buffer ? cut : await cut;
        // The tab may have moved its cursor or gone while the disk was read.
        if (this.#attachments.get(attachment.connection) !== attachment) continue;
        this.#countBatch();
        this.#socket.send(batch, { binary: true }, () => this.#pump());
        sent = true;
      }
    }
  }

  #countBatch(): void {
    const now = this.#clock.now();
    if (now - this.#stretchBegan >= LIMITS.batchMs) {
      this.#stretchBegan = now;
      this.#sentInStretch = 0;
    }
    this.#sentInStretch++;
  }
}
