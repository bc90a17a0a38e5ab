import { type Classified, classifyLarge, isLarge } from '@/lib/store/classify';
import type { Log } from '@/lib/store/log';
import { BatchReader, readBatchHeader } from '@/lib/wire/batch';
import type { Frame } from '@/lib/wire/frame';
import { inSlices } from '@/lib/wire/in-slices';

/** Asks for frames once more. Resolves when their batches were taken; rejects if they are not to be had. */
type Read = (from: number, to: number) => Promise<unknown>;

/**
 * Fills one log from the batches of one socket after the other, and gets back what it let go. Large messages are read in slices; what
 * comes meanwhile waits its turn.
 */
export class LogFeed {
  readonly log: Log;
  #reader = new BatchReader();
  /** Those that were asked for come between the others. */
  #againReader = new BatchReader();
  readonly #changed: () => void;
  #asking = false;
  /** Batches behind a large message that is being read, oldest first. */
  #waiting: (readonly Frame[])[] = [];
  #stop = new AbortController();

  /** `changed`: frames came back, or won't, or were taken in later than their batch. */
  constructor(log: Log, read: Read, changed: () => void) {
    this.log = log;
    this.#changed = changed;
    log.wanted.onWanted = () => void this.#ask(read);
  }

  /** A new socket: what the old one left unread is forgotten. Returns the seq to go on after. */
  resume(): number {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#waiting = [];
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
      if (this.#waiting.length === 0 && !frames.some(({ bytes }) => isLarge(bytes))) {
        this.log.append(frames);
        return true;
      }
      if (frames.length === 0) return true;
      if (frames[0]!.seq > this.#newest + 1) return false;
      this.#waiting.push(frames);
      if (this.#waiting.length === 1) void inSlices(this.#takeWaiting(), this.#stop.signal, this.#changed);
      return true;
    } catch {
      return false;
    }
  }

  /** seq of the newest frame that came. */
  get #newest(): number {
    return this.#waiting.at(-1)?.at(-1)?.seq ?? this.log.size;
  }

  *#takeWaiting(): Generator<unknown, void> {
    for (let frames = this.#waiting[0]; frames; frames = this.#waiting[0]) {
      const known = new Map<number, Classified>();
      for (const { seq, channel, bytes } of frames) {
        if (channel === 'protocol' && isLarge(bytes)) known.set(seq, yield* classifyLarge(bytes));
      }
      this.log.append(frames, known);
      this.#waiting.shift();
      if (this.#waiting.length > 0) yield;
    }
    this.#changed();
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
