import { Log } from '@/lib/store/log';
import { BatchReader } from '@/lib/wire/batch';

/** Fills one log from the batches of one socket after the other. */
export class LogFeed {
  readonly log: Log;
  #reader = new BatchReader();

  constructor(connection: string) {
    this.log = new Log(connection);
  }

  /** A new socket: half a frame that the old one left is forgotten. Returns the seq to go on after. */
  resume(): number {
    this.#reader = new BatchReader();
    return this.log.size;
  }

  /** Takes in one batch. False if it doesn't continue the log, or is no batch: then the socket is no good. */
  take(message: ArrayBuffer): boolean {
    try {
      const { header, frames } = this.#reader.read(message);
      this.log.noteLast(header.last);
      this.log.append(frames);
      return true;
    } catch {
      return false;
    }
  }
}
