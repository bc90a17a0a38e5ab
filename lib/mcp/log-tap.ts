import type { HttpSink } from '@/lib/transports/transport';
import { type Clock, type Moment, momentNow } from '@/lib/wire/clock';
import { type Channel, type Direction, FLAG } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/** The log that a connection writes to. */
export interface TapHost {
  readonly clock: Clock;
  /** When the connection began, if that is not now. */
  readonly began?: Moment;
  /**
   * Appends the frame `source[start, end)` to the log and returns its seq. `time` is in µs since the connection began.
   * `source` is not changed before `settle`. Runs for every frame.
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
  /** Appends each line of `source[start, end)`, without its line feed. Absent: `append` is called for each. */
  appendLines?(
    channel: Channel,
    direction: Direction,
    time: number,
    source: Uint8Array,
    start: number,
    end: number,
  ): void;
  /** Copies what the log still needs of each `source`. Absent: the log needs them as long as it exists. */
  settle?(): void;
  /** Called when the log has new frames, once for all frames of one chunk. */
  onGrown?(): void;
  /** See {@link HttpSink.onMasked}. */
  onMasked?: HttpSink['onMasked'];
  /** See {@link HttpSink.onSecrets}. */
  onSecrets?: HttpSink['onSecrets'];
}

/** The part of a sink that writes to the log. */
type LogSink = Pick<
  HttpSink,
  'appendFrame' | 'appendLines' | 'onChunkEnd' | 'logEvent' | 'nextExchange' | 'onMasked' | 'onSecrets'
>;

/** Node's `queueMicrotask` costs several times as much. */
const SETTLED = Promise.resolve();

/** The tap of one connection, below every parser: it gives each frame its time and appends it to the log. */
export class LogTap {
  /** When the connection began, as ISO 8601. */
  readonly beganAt: string;
  readonly #host: TapHost;
  /** The zero of frame times, on the clock in ms. */
  readonly #zero: number;
  /** Frames of one chunk have the same time. */
  #inChunk = false;
  #chunkTime = 0;
  /** HTTP exchanges so far. */
  #exchanges = 0;
  /** The last piece of a message of the server said that it goes on. */
  #inPieces = false;
  /**
   * Sees each whole message of the server before it is logged. Returns undefined if it passes, otherwise what
   * `appendFrame` returns. Absent: all pass.
   */
  onArrival: ((source: Uint8Array, start: number, end: number) => number | undefined) | undefined;

  constructor(host: TapHost) {
    this.#host = host;
    const { at, now } = host.began ?? momentNow(host.clock);
    this.beganAt = at;
    this.#zero = now;
  }

  /** Appends a lifecycle event and returns its seq. */
  appendEvent(event: LifecycleEvent): number {
    return this.append('lifecycle', 'to-client', new TextEncoder().encode(JSON.stringify(event)));
  }

  /** Appends a frame that {@link onArrival} does not see, and returns its seq. `bytes` must not change. */
  append(channel: Channel, direction: Direction, bytes: Uint8Array): number {
    return this.#appendFrame(channel, direction, bytes, 0, bytes.length, 0);
  }

  /** Appends a message between an app and its host. */
  appendAppMessage(direction: Direction, bytes: Uint8Array): void {
    this.#appendFrame('app', direction, bytes, 0, bytes.length, 0);
  }

  /** Returns a sink for a transport. `logEvent` also changes the state of the connection. */
  sink(logEvent: LogSink['logEvent']): LogSink {
    const host = this.#host;
    return {
      appendFrame: this.#receiveFrame.bind(this),
      ...(host.appendLines && {
        appendLines: (channel, direction, source, start, end) => {
          if (this.onArrival !== undefined) return false;
          host.appendLines?.(channel, direction, this.#timeOf(direction), source, start, end);
          this.#grow();
          return true;
        },
      }),
      ...(host.settle && { onChunkEnd: () => host.settle?.() }),
      logEvent,
      nextExchange: () => ++this.#exchanges,
      onMasked: (seq, fields) => host.onMasked?.(seq, fields),
      onSecrets: (values) => host.onSecrets?.(values),
    };
  }

  readonly #endChunk = (): void => {
    this.#inChunk = false;
    this.#host.onGrown?.();
  };

  /** Runs for every frame of a transport. */
  #receiveFrame(
    channel: Channel,
    direction: Direction,
    source: Uint8Array,
    start: number,
    end: number,
    flags: number,
  ): number {
    if (this.onArrival !== undefined && channel === 'protocol' && direction === 'to-client') {
      const wasInPieces = this.#inPieces;
      this.#inPieces = (flags & FLAG.continued) !== 0;
      const taken = wasInPieces || this.#inPieces ? undefined : this.onArrival(source, start, end);
      if (taken !== undefined) return taken;
    }
    return this.#appendFrame(channel, direction, source, start, end, flags);
  }

  /** Runs for every frame. */
  #appendFrame(
    channel: Channel,
    direction: Direction,
    source: Uint8Array,
    start: number,
    end: number,
    flags: number,
  ): number {
    const seq = this.#host.append(channel, direction, flags, this.#timeOf(direction), source, start, end);
    this.#grow();
    return seq;
  }

  /** All of a chunk arrived at one time. Reading the clock for each line would slow down a flood. */
  #timeOf(direction: Direction): number {
    if (!this.#inChunk || direction === 'to-server') {
      this.#chunkTime = Math.round((this.#host.clock.now() - this.#zero) * 1000);
    }
    return this.#chunkTime;
  }

  /** Notifies the host after the whole chunk, and before anything else. */
  #grow(): void {
    if (this.#inChunk) return;
    this.#inChunk = true;
    void SETTLED.then(this.#endChunk);
  }
}
