import { type FrameLog, framesFrom } from '@/lib/hub/frame-log';
import { type ExportFeed, type ExportThread, HAND_OVER_MS } from './export-thread';

/** Reads a log as it grows, at the pace of the thread that exports. Skips nothing, and holds nothing. */
export class LogFollower {
  readonly #log: FrameLog;
  readonly #thread: Pick<ExportThread, 'room'>;
  readonly #feed: ExportFeed;
  #next = 1;
  #reading: Promise<void> | undefined;
  /** Set from the first frame that is not read until all are. */
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(log: FrameLog, thread: Pick<ExportThread, 'room'>, feed: ExportFeed) {
    this.#log = log;
    this.#thread = thread;
    this.#feed = feed;
  }

  /** Call this when the log has new frames. */
  onLogGrown(): void {
    this.#timer ??= setTimeout(() => this.#start(), HAND_OVER_MS).unref();
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      this.#timer = undefined;
    });
    return this.#reading;
  }

  /** Resolves when all frames have been handed over. What the log gets later is not exported. Never rejects. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    await this.#start();
    // Frames that came during the last portion.
    await this.#start();
    this.#isOver = true;
    this.#feed.end();
  }

  async #read(): Promise<void> {
    while (!this.#isOver && this.#next <= this.#log.last) {
      // The sockets of pages and the recording come first.
      await new Promise<void>((resolve) => setImmediate(resolve));
      await this.#thread.room();
      try {
        const frames = framesFrom(await this.#log.segmentOf(this.#next), this.#next);
        this.#feed.add(frames);
        this.#next += frames.length;
      } catch {
        // The disk can’t be read, which the recording reports.
        this.#isOver = true;
      }
    }
  }
}
