import { type Batch, type BatchSource, Viewer, type ViewerLink } from '@/lib/hub/viewer';
import { lastWhole, readBatchHeader } from '@/lib/wire/batch';
import type { Clock } from '@/lib/wire/clock';
import type { Port } from './page-hub';

/** What is recorded. */
export interface Recordable {
  readonly id: string;
  readonly ended: boolean;
}

interface Followed {
  readonly connection: Recordable;
  readonly log: BatchSource;
  /** Number of the newest frame that is recorded. */
  upTo: number;
  told: boolean;
}

/**
 * Has the page's own connections recorded by whoever can write: it reads their logs as a viewer does, and hands the page
 * one batch at a time, so that a writer who is slow gets large ones.
 */
export class LogRecorder {
  readonly #port: Port;
  readonly #link: OneAtATime;
  readonly #viewer: Viewer;
  readonly #followed = new Map<string, Followed>();

  constructor(port: Port, clock: Clock) {
    this.#port = port;
    this.#link = new OneAtATime(port);
    this.#viewer = new Viewer(this.#link, clock);
  }

  /** From now on hands over the frames of its log, as it may leave, after this one, as asked in this turn. */
  follow(connection: Recordable, log: BatchSource, after: number, turn: number): void {
    this.#link.turn = turn;
    this.#followed.set(connection.id, { connection, log, upTo: after, told: false });
    this.#viewer.attach(connection.id, log, after);
    this.#tellIfOver(connection.id);
  }

  unfollow(id: string): void {
    this.#followed.delete(id);
    this.#viewer.detach(id);
  }

  /** It has new frames, or has ended. */
  logChanged(id: string): void {
    this.#viewer.logGrew(id);
    this.#tellIfOver(id);
  }

  /** The batch that was handed over is recorded, or nobody wants it any more. */
  batchRecorded(): void {
    const taken = this.#link.taken();
    if (!taken) return;
    const followed = this.#followed.get(taken.connection);
    if (followed) followed.upTo = taken.upTo;
    this.#tellIfOver(taken.connection);
  }

  #tellIfOver(id: string): void {
    const followed = this.#followed.get(id);
    if (!followed) return;
    const { connection, log, upTo, told } = followed;
    followed.told = connection.ended && upTo >= log.last;
    if (followed.told && !told) this.#port.postMessage({ type: 'all-recorded', connection: id }, []);
  }
}

/** The page as a link that has room for one batch. */
class OneAtATime implements ViewerLink {
  readonly isOpen = true;
  turn = 0;
  readonly #port: Port;
  #out: { readonly connection: string; readonly upTo: number; readonly taken: () => void } | undefined;

  constructor(port: Port) {
    this.#port = port;
  }

  get bufferedAmount(): number {
    return this.#out ? Number.POSITIVE_INFINITY : 0;
  }

  sendBatch({ buffer }: Batch, taken: () => void): void {
    this.#out = { connection: readBatchHeader(buffer).connection, upTo: lastWhole(buffer), taken };
    this.#port.postMessage({ type: 'to-record', batch: buffer, turn: this.turn }, [buffer]);
  }

  /** Room again; what was handed over. */
  taken() {
    const out = this.#out;
    this.#out = undefined;
    out?.taken();
    return out;
  }

  sendEvent(): void {
    // Of what a viewer is told besides frames nothing is recorded.
  }

  terminate(): void {
    // Nothing piles up.
  }
}
