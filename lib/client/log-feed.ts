import type { Log } from '@/lib/store/log';
import { BatchReader, readBatchHeader } from '@/lib/wire/batch';

/** Asks for frames once more. Resolves when their batches were taken; rejects if they are not to be had. */
type Read = (from: number, to: number) => Promise<unknown>;

/** Fills one log from the batches of one socket after the other, and gets back what it let go. */
export class LogFeed {
  readonly log: Log;
  #reader = new BatchReader();
  /** Those that were asked for come between the others. */
  #againReader = new BatchReader();
  readonly #changed: () => void;
  #asking = false;

  /** `changed`: frames came back, or won't. */
  constructor(log: Log, read: Read, changed: () => void) {
    this.log = log;
    this.#changed = changed;
    log.wanted.onWanted = () => void this.#ask(read);
  }

  /** A new socket: half a frame that the old one left is forgotten. Returns the seq to go on after. */
  resume(): number {
    this.#reader = new BatchReader();
    this.#againReader = new BatchReader();
    if (this.log.wanted.tryAgain()) this.#changed();
    return this.log.size;
  }

  /** Takes in one batch. False if it doesn't continue the log, or is no batch: then the socket is no good. */
  take(message: ArrayBuffer): boolean {
    try {
      const { again } = readBatchHeader(message);
      const { header, frames } = (again ? this.#againReader : this.#reader).read(message);
      if (again) {
        this.log.restore(frames);
        return true;
      }
      this.log.noteLast(header.last);
      this.log.append(frames);
      return true;
    } catch {
      return false;
    }
  }

  /** One range at a time, in a task of its own: who wants many frames says so one by one. */
  async #ask(read: Read): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    await Promise.resolve();
    const { log } = this;
    const lengthOf = (seq: number) => log.columns.bytes.length(seq - 1);
    for (let range = log.wanted.next(lengthOf); range; range = log.wanted.next(lengthOf)) {
      const came = await read(range.from, range.to).then(
        () => true,
        () => false,
      );
      log.wanted.answered(range, came);
      this.#changed();
    }
    this.#asking = false;
  }
}
