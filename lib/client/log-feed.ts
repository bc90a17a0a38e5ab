import { type Classified, classifyLarge, isLarge } from '@/lib/store/classify';
import type { Log } from '@/lib/store/log';
import { BatchReader, readBatchHeader } from '@/lib/wire/batch';
import type { Frame } from '@/lib/wire/frame';
import { runInSlices } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';

/** How often listeners of a changed log are called in a hidden tab, or while the log is far behind, in ms. */
const SELDOM_PAINTED_MS = 500;
/**
 * If a repaint adds more rows than this, the log repaints only every other animation frame. Nobody can read rows so
 * fast.
 */
export const FLOOD_ROWS = 40;

/** Requests frames again. Resolves when their batches were added. Rejects if the frames are gone. */
type Read = (from: number, to: number) => Promise<unknown>;

/**
 * Fills a log from the batches of successive sockets, and requests evicted frames when they are needed. Parses large
 * messages in slices, while later batches wait.
 */
export class LogFeed {
  readonly log: Log;
  #reader = new BatchReader();
  /** Reads batches of requested frames, which come between the others. */
  #againReader = new BatchReader();
  readonly #changed: () => void;
  #asking = false;
  /** Batches that wait while a large message is parsed, oldest first. */
  #waiting: (readonly Frame[])[] = [];
  #stop = new AbortController();

  /** `changed`: called when requested frames arrived or are gone, and when a delayed batch was added. */
  constructor(log: Log, read: Read, changed: () => void) {
    this.log = log;
    this.#changed = changed;
    log.wanted.onWanted = () => void this.#ask(read);
  }

  /** Forgets the unread batches of the last socket. Returns the seq of the last frame in the log. */
  resume(): number {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#waiting = [];
    this.#reader = new BatchReader();
    this.#againReader = new BatchReader();
    if (this.log.wanted.tryAgain()) this.#changed();
    return this.log.size;
  }

  /** Adds a batch. Returns false if it doesn't continue the log or is malformed: the socket is then useless. */
  addBatch(message: ArrayBuffer): boolean {
    try {
      const { again } = readBatchHeader(message);
      const { header, frames } = (again ? this.#againReader : this.#reader).read(message);
      if (again) {
        this.log.restore(frames);
        return true;
      }
      this.log.setLast(header.last);
      if (this.#waiting.length === 0 && !frames.some(({ bytes }) => isLarge(bytes))) {
        this.log.append(frames);
        return true;
      }
      if (frames.length === 0) return true;
      if (frames[0]!.seq > this.#newest + 1) return false;
      this.#waiting.push(frames);
      if (this.#waiting.length === 1) void runInSlices(this.#takeWaiting(), this.#stop.signal, this.#changed);
      return true;
    } catch {
      return false;
    }
  }

  /** seq of the newest frame that arrived. */
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

  /** Requests wanted frames, one range at a time. Starts in a microtask, so frames wanted together form a range. */
  async #ask(read: Read): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    await Promise.resolve();
    const { log } = this;
    const lengthOf = (seq: number) => log.columns.bytes.length(seq - 1);
    for (let range = log.wanted.nextRange(lengthOf); range; range = log.wanted.nextRange(lengthOf)) {
      const came = await read(range.from, range.to).then(
        () => true,
        () => false,
      );
      log.wanted.settleRange(range, came);
      this.#changed();
    }
    this.#asking = false;
  }
}

/** Calls `run` at an animation frame, or after a pause in a hidden tab. */
export type SchedulePaint = (run: () => void, pace: DrawingPace) => void;

/** Calls the listeners of all grown logs at the same time, and no more often than a person can see. */
export class ListenerSchedule {
  readonly #paint: SchedulePaint;
  readonly #grown = new Set<Log>();
  /** Size of each log when it was last drawn, and the number of rows that this drawing added. */
  readonly #drawn = new WeakMap<Log, number>();
  readonly #newRows = new WeakMap<Log, number>();
  /** When the grown logs will be drawn; undefined if none has grown. */
  #waiting: DrawingPace | undefined;

  constructor(paint: SchedulePaint) {
    this.#paint = paint;
  }

  /** Draws a grown log soon. */
  logGrew(log: Log): void {
    const pace = this.#paceOf(log);
    this.#grown.add(log);
    // A log that has caught up need not wait for one that is far behind.
    if (this.#waiting !== undefined && (this.#waiting !== 'seldom' || pace === 'seldom')) return;
    this.#waiting = pace;
    this.#paint(() => this.#draw(), pace);
  }

  #draw(): void {
    const logs = [...this.#grown];
    this.#grown.clear();
    this.#waiting = undefined;
    for (const grown of logs) {
      this.#newRows.set(grown, grown.size - (this.#drawn.get(grown) ?? 0));
      this.#drawn.set(grown, grown.size);
      grown.flush();
    }
  }

  #paceOf(log: Log): DrawingPace {
    if (!this.#drawn.has(log)) return 'next';
    if (log.last - log.size > LIMITS.farBehindFrames) return 'seldom';
    return (this.#newRows.get(log) ?? 0) > FLOOD_ROWS ? 'every-other' : 'next';
  }
}

/** When a changed log is drawn: at the next frame, at the one after it, or after `SELDOM_PAINTED_MS`. */
export type DrawingPace = 'next' | 'every-other' | 'seldom';

/** Runs at an animation frame. A hidden tab has none, so there it runs after a pause. */
export function schedulePaint(run: () => void, pace: DrawingPace = 'next'): void {
  if (document.hidden || pace === 'seldom') setTimeout(run, SELDOM_PAINTED_MS);
  else if (pace === 'every-other') requestAnimationFrame(() => requestAnimationFrame(run));
  else requestAnimationFrame(run);
}
