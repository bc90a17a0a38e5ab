import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { FrameRange } from './columns/frame-bytes';
import { Log } from './log';

/** How long a log of an earlier moment is filled before the page gets a turn, and how long a moment stays before the address has it. */
const PAST_SLICE_MS = 12;

/** Frames taken in between two looks at the clock. */
const STRIDE = 64;

/**
 * A log as it was when some frame was its newest: a log of its own, fed with the frames up to there, so everything that is derived
 * from a log is as it was. Going forward adds what is between; going back begins anew, beside what is shown, a slice of time after
 * the other.
 */
export class PastLog {
  readonly #whole: Log;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #shown: Log;
  /** On its way to be shown. */
  #making: Log | undefined;
  #at = 0;
  #working = false;

  constructor(whole: Log, clock: Clock) {
    this.#whole = whole;
    this.#clock = clock;
    this.#shown = this.#begin();
  }

  /** As it was when frame `log.size` was the newest: on the way to where it is to be, that is another one. */
  get log(): Log {
    return this.#shown;
  }

  /** The share of the way that is done, from 0; 1: it is there. */
  get progress(): number {
    if (this.#shown.size === this.#at) return 1;
    const { size } = this.#making ?? this.#shown;
    return size < this.#at ? size / this.#at : 0;
  }

  /** Calls back when `log` or `progress` is another. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Goes to frame `at`, which the whole log has. Asked again on the way, it goes there instead. */
  moveTo(at: number): void {
    this.#at = at;
    if (!this.#working && this.#shown.size !== at) void this.#go();
  }

  async #go(): Promise<void> {
    this.#working = true;
    while (this.#shown.size !== this.#at) {
      const log = this.#going();
      this.#advance(log);
      if (log === this.#making && log.size === this.#at) [this.#shown, this.#making] = [log, undefined];
      this.#shown.flush();
      for (const listener of [...this.#listeners]) listener();
      if (this.#shown.size === this.#at) break;
      const next = log.size + 1;
      if (next <= this.#at && !this.#whole.frameOrSkim(next - 1)) {
        await this.#come({ from: next, to: this.#at });
      } else await new Promise<void>((resolve) => this.#clock.after(0, resolve));
    }
    this.#working = false;
  }

  /** The log that leads there. */
  #going(): Log {
    // At first there is nothing to see on the way.
    if (this.#shown.size > 0 && this.#shown.size <= this.#at) {
      this.#making = undefined;
      return this.#shown;
    }
    if (!this.#making || this.#making.size > this.#at) this.#making = this.#begin();
    return this.#making;
  }

  #advance(log: Log): void {
    const whole = this.#whole;
    const until = this.#clock.now() + PAST_SLICE_MS;
    while (log.size < this.#at && this.#clock.now() < until) {
      const frames = [];
      for (let seq = log.size + 1; seq <= this.#at && frames.length < STRIDE; seq++) {
        // What is not to be had is taken as it is: without its bytes.
        const frame =
          whole.frameOrSkim(seq - 1) ?? (whole.wanted.isUnavailable(seq) ? whole.frame(seq - 1) : undefined);
        if (!frame) break;
        frames.push(frame);
      }
      if (frames.length === 0) return;
      log.append(frames);
    }
  }

  #begin(): Log {
    const log = new Log(this.#whole.connection, undefined, this.#whole);
    let asking = false;
    // What it lets go the whole log has, or gets.
    log.wanted.onWanted = () => {
      if (asking) return;
      asking = true;
      void this.#bringBack(log).finally(() => {
        asking = false;
      });
    };
    return log;
  }

  async #bringBack(log: Log): Promise<void> {
    await Promise.resolve();
    const lengthOf = (seq: number) => log.columns.bytes.length(seq - 1);
    for (let range = log.wanted.nextRange(lengthOf); range; range = log.wanted.nextRange(lengthOf)) {
      await this.#come(range);
      for (let seq = range.from; seq <= range.to; seq++) {
        const here = this.#whole.hasBytes(seq);
        // Those that are neither are still on their way.
        if (here || this.#whole.wanted.isUnavailable(seq)) log.wanted.settleRange({ from: seq, to: seq }, here);
        if (here) log.restore([this.#whole.frame(seq - 1)]);
      }
      log.flush();
    }
  }

  /** Resolves when the first of these frames is in the whole log, or is not to be had; some behind it are wanted as well. */
  #come(range: FrameRange): Promise<void> {
    const { wanted } = this.#whole;
    const isOver = () => this.#whole.hasBytes(range.from) || wanted.isUnavailable(range.from);
    return new Promise((resolve) => {
      if (isOver()) {
        resolve();
        return;
      }
      const stop = this.#whole.subscribe(() => {
        if (!isOver()) {
          // It may have come and left again with those that were wanted by others.
          this.#want(range);
          return;
        }
        stop();
        resolve();
      });
      this.#want(range);
    });
  }

  /** As many as come at once. */
  #want({ from, to }: FrameRange): void {
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
