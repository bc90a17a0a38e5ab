import type { Clock, Moment } from '@/lib/wire/clock';
import type { Channel, Direction } from '@/lib/wire/frame';

/** Where the tap writes to. */
export interface TapHost {
  readonly clock: Clock;
  /** When the connection began, if that is not now. */
  readonly began?: Moment;
  /**
   * The log: takes `source[start, end)`, seen at `time` µs since the connection began, and returns its seq. Nobody writes to
   * `source` afterwards. Runs for every frame.
   */
  append(
    channel: Channel,
    direction: Direction,
    flags: number,
    time: number,
    source: Uint8Array,
    start: number,
    end: number,
  ): number;
  /** The log has new frames. Called once for all that came in one piece. */
  grown?(): void;
}

/** What every frame of a connection passes, below every parser: gives it its time and puts it into the log. */
export class Tap {
  readonly #host: TapHost;
  readonly #zero: number;
  #inChunk = false;
  #time = 0;

  constructor(host: TapHost) {
    this.#host = host;
    this.#zero = host.began?.now ?? host.clock.now();
  }

  /** Takes one frame and returns its seq. Runs for every frame: keep it lean. */
  frame(channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number, flags: number): number {
    // What comes in one chunk came at one time; and reading the clock for each line would be felt in a flood.
    if (!this.#inChunk || direction === 'to-server') {
      this.#time = Math.round((this.#host.clock.now() - this.#zero) * 1000);
    }
    const seq = this.#host.append(channel, direction, flags, this.#time, source, start, end);
    if (!this.#inChunk) {
      this.#inChunk = true;
      // After the whole chunk, and before anything else.
      queueMicrotask(() => {
        this.#inChunk = false;
        this.#host.grown?.();
      });
    }
    return seq;
  }
}
