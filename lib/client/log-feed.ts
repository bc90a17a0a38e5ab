import { type Classified, classifyLarge, isLarge } from '@/lib/store/classify';
import type { Log } from '@/lib/store/log';
import { BatchReader, readBatchHeader } from '@/lib/wire/batch';
import type { Frame } from '@/lib/wire/frame';
import { runInSlices } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';

/** How often a log that changed tells its listeners in a hidden tab, which paints no frames, and while it is far behind. */
const SELDOM_PAINTED_MS = 500;
/** New rows in one drawing of a log, beyond which none of them is seen for long: a log in flood is drawn every other time. */
export const FLOOD_ROWS = 40;

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

/** Calls back at an animation frame; in a hidden tab after a moment. */
export type SchedulePaint = (run: () => void, pace: Pace) => void;

/** Has logs that have grown tell their listeners, all at once, as often as somebody can see it. */
export class ListenerSchedule {
  readonly #paint: SchedulePaint;
  readonly #grown = new Set<Log>();
  /** How long each log was when it was last drawn, and by how much it had grown since the time before. */
  readonly #drawn = new WeakMap<Log, number>();
  readonly #newRows = new WeakMap<Log, number>();
  /** How soon those that have grown are drawn; undefined while there are none. */
  #waiting: Pace | undefined;

  constructor(paint: SchedulePaint) {
    this.#paint = paint;
  }

  /** A log has grown: it is drawn soon. */
  logGrew(log: Log): void {
    const pace = this.#paceOf(log);
    this.#grown.add(log);
    // What has caught up meanwhile is not kept waiting.
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

  #paceOf(log: Log): Pace {
    if (!this.#drawn.has(log)) return 'next';
    if (log.last - log.size > LIMITS.farBehindFrames) return 'seldom';
    return (this.#newRows.get(log) ?? 0) > FLOOD_ROWS ? 'every-other' : 'next';
  }
}

/** When a log that changed is to be drawn: at the next frame, at the one after it, or after a moment. */
export type Pace = 'next' | 'every-other' | 'seldom';

/** Runs at an animation frame; a hidden tab has none, so there, and where it is to be done seldom, after a moment. */
export function schedulePaint(run: () => void, pace: Pace = 'next'): void {
  if (document.hidden || pace === 'seldom') setTimeout(run, SELDOM_PAINTED_MS);
  else if (pace === 'every-other') requestAnimationFrame(() => requestAnimationFrame(run));
  else requestAnimationFrame(run);
}
