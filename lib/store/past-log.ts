import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { FrameRange } from './columns/frame-bytes';
import { Log } from './log';

/** Milliseconds spent per slice, short enough for 60 frames per second. */
const PAST_SLICE_MS = 12;

/** Frames appended between two readings of the clock. */
const STRIDE = 64;

/**
 * The past state of a log, as a separate log with the frames up to a chosen one. Moving forward appends frames. Moving
 * back builds a new log in slices, while the old one is still shown.
 */
export class PastLog {
  readonly #whole: Log;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #shown: Log;
  /** The log being built. */
  #building: Log | undefined;
  #target = 0;
  #working = false;

  constructor(whole: Log, clock: Clock) {
    this.#whole = whole;
    this.#clock = clock;
    this.#shown = this.#newLog();
  }

  /** The state at frame `log.size`, which differs from the target while moving. */
  get log(): Log {
    return this.#shown;
  }

  /** Progress of a move, from 0 to 1. */
  get progress(): number {
    if (this.#shown.size === this.#target) return 1;
    const { size } = this.#building ?? this.#shown;
    return size < this.#target ? size / this.#target : 0;
  }

  /** Calls back when `log` or `progress` changes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Moves to frame `at` of the whole log. A later call replaces the target. */
  moveTo(at: number): void {
    this.#target = at;
    if (!this.#working && this.#shown.size !== at) void this.#run();
  }

  async #run(): Promise<void> {
    this.#working = true;
    while (this.#shown.size !== this.#target) {
      const log = this.#nextLog();
      this.#advance(log);
      if (log === this.#building && log.size === this.#target) [this.#shown, this.#building] = [log, undefined];
      this.#shown.flush();
      for (const listener of [...this.#listeners]) listener();
      if (this.#shown.size === this.#target) break;
      const next = log.size + 1;
      if (next <= this.#target && !this.#whole.frameOrSkim(next - 1)) {
        await this.#load({ from: next, to: this.#target });
      } else await new Promise<void>((resolve) => this.#clock.after(0, resolve));
    }
    this.#working = false;
  }

  /** Returns the log to append to. */
  #nextLog(): Log {
    // An empty log has nothing to show, so a new log replaces it once built, as when moving back.
    if (this.#shown.size > 0 && this.#shown.size <= this.#target) {
      this.#building = undefined;
      return this.#shown;
    }
    if (!this.#building || this.#building.size > this.#target) this.#building = this.#newLog();
    return this.#building;
  }

  #advance(log: Log): void {
    const whole = this.#whole;
    const until = this.#clock.now() + PAST_SLICE_MS;
    while (log.size < this.#target && this.#clock.now() < until) {
      const frames = [];
      for (let seq = log.size + 1; seq <= this.#target && frames.length < STRIDE; seq++) {
        // Unavailable frames are added without their bytes.
        const frame =
          whole.frameOrSkim(seq - 1) ?? (whole.wanted.isUnavailable(seq) ? whole.frame(seq - 1) : undefined);
        if (!frame) break;
        frames.push(frame);
      }
      if (frames.length === 0) return;
      log.append(frames);
    }
  }

  #newLog(): Log {
    const log = new Log(this.#whole.connection, undefined, this.#whole);
    let asking = false;
    // Frames that this log has evicted are taken from the whole log.
    log.wanted.onWanted = () => {
      if (asking) return;
      asking = true;
      void this.#reloadEvicted(log).finally(() => {
        asking = false;
      });
    };
    return log;
  }

  async #reloadEvicted(log: Log): Promise<void> {
    await Promise.resolve();
    const lengthOf = (seq: number) => log.columns.bytes.length(seq - 1);
    for (let range = log.wanted.nextRange(lengthOf); range; range = log.wanted.nextRange(lengthOf)) {
      await this.#load(range);
      for (let seq = range.from; seq <= range.to; seq++) {
        const here = this.#whole.hasBytes(seq);
        // Otherwise the frame is still being loaded.
        if (here || this.#whole.wanted.isUnavailable(seq)) log.wanted.settleRange({ from: seq, to: seq }, here);
        if (here) log.restore([this.#whole.frame(seq - 1)]);
      }
      log.flush();
    }
  }

  /**
   * Requests these frames, or as many as fit in one reply. Resolves when the first is in the whole log or unavailable.
   */
  #load(range: FrameRange): Promise<void> {
    const { wanted } = this.#whole;
    const isOver = () => this.#whole.hasBytes(range.from) || wanted.isUnavailable(range.from);
    return new Promise((resolve) => {
      if (isOver()) {
        resolve();
        return;
      }
      const stop = this.#whole.subscribe(() => {
        if (!isOver()) {
          // The first frame may have been loaded and evicted again.
          this.#request(range);
          return;
        }
        stop();
        resolve();
      });
      this.#request(range);
    });
  }

  /** Requests as many frames as fit in one reply. */
  #request({ from, to }: FrameRange): void {
    const { columns, wanted } = this.#whole;
    let bytes = 0;
    for (let seq = from; seq <= Math.min(to, from + LIMITS.againFrames - 1); seq++) {
      if (this.#whole.hasBytes(seq)) continue;
      bytes += columns.bytes.length(seq - 1);
      if (bytes > LIMITS.againBytes && seq > from) return;
      wanted.want(seq);
    }
  }
}
