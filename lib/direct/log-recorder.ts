import { type BatchSource, Viewer, type ViewerLink } from '@/lib/hub/viewer';
import { type Batch, lastWhole, readBatchHeader } from '@/lib/wire/batch';
import type { Clock } from '@/lib/wire/clock';
import type { Port } from './page-hub';

/** A connection to record. */
interface Recordable {
  readonly id: string;
  readonly ended: boolean;
}

interface Followed {
  readonly connection: Recordable;
  readonly log: BatchSource;
  /** seq of the newest frame that is recorded. */
  upTo: number;
  reported: boolean;
}

/**
 * Hands the frames of the page's own connections to the page, which sends them to a recorder. It reads logs like a
 * viewer and hands over one batch at a time, so that a slow recorder gets large batches.
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

  /**
   * Hands over the frames of a redacted log after seq `after` from now on. Each batch carries `turn`, so that the page
   * can drop batches that it requested before its socket was lost.
   */
  follow(connection: Recordable, log: BatchSource, after: number, turn: number): void {
    this.#link.turn = turn;
    this.#followed.set(connection.id, { connection, log, upTo: after, reported: false });
    this.#viewer.attach(connection.id, log, after);
    this.#reportIfComplete(connection.id);
  }

  unfollow(id: string): void {
    this.#followed.delete(id);
    this.#viewer.detach(id);
  }

  /** Called when a log has new frames or its connection has ended. */
  logChanged(id: string): void {
    this.#viewer.logGrew(id);
    this.#reportIfComplete(id);
  }

  /** Called when the last batch was recorded or dropped. */
  batchRecorded(): void {
    const taken = this.#link.taken();
    if (!taken) return;
    const followed = this.#followed.get(taken.connection);
    if (followed) followed.upTo = taken.upTo;
    this.#reportIfComplete(taken.connection);
  }

  #reportIfComplete(id: string): void {
    const followed = this.#followed.get(id);
    if (!followed) return;
    const { connection, log, upTo, reported } = followed;
    followed.reported = connection.ended && upTo >= log.last;
    if (followed.reported && !reported) this.#port.postMessage({ type: 'all-recorded', connection: id }, []);
  }
}

/** A link to the page with room for one batch. */
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

  /** Makes room for the next batch. Returns the last batch. */
  taken() {
    const out = this.#out;
    this.#out = undefined;
    out?.taken();
    return out;
  }

  sendEvent(): void {
    // Events are not recorded.
  }

  terminate(): void {
    // Only one batch is sent at a time, so batches never pile up.
  }
}
