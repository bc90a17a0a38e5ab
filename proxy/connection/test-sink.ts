import type { HttpFailure, HttpSink, TransportEnd } from '@/lib/transports/transport';
import type { Channel, Direction, Frame } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';

/** A sink that stores everything in order and waits for more. */
export class RecordingSink implements HttpSink {
  readonly frames: Frame[] = [];
  readonly lifecycles: LifecycleEvent[] = [];
  readonly messages: string[] = [];
  readonly ends: TransportEnd[] = [];
  /** Requests without an answer, and why. */
  readonly lost: { id: RequestId; why: HttpFailure }[] = [];
  sessionsLost = 0;
  /** Ids that are no longer waited for. */
  readonly settled = new Set<RequestId>();
  #exchanges = 0;
  #waiting: (() => void)[] = [];

  appendFrame(
    channel: Channel,
    direction: Direction,
    source: Uint8Array,
    start: number,
    end: number,
    flags: number,
  ): number {
    const seq = this.frames.length + 1;
    this.frames.push({
      seq,
      time: performance.now() * 1000,
      direction,
      channel,
      flags,
      bytes: new Uint8Array(source.subarray(start, end)),
    });
    this.#changed();
    return seq;
  }

  appendLines(channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at = source.indexOf(10, at) + 1) {
      this.appendFrame(channel, direction, source, at, source.indexOf(10, at), 0);
    }
    return true;
  }

  /** So that transports use the memory of chunks again. All frames are copies. */
  onChunkEnd(): void {}

  logEvent(event: LifecycleEvent): void {
    this.lifecycles.push(event);
    const bytes = Buffer.from(JSON.stringify(event));
    this.appendFrame('lifecycle', 'to-client', bytes, 0, bytes.length, 0);
  }

  nextExchange(): number {
    return ++this.#exchanges;
  }

  awaits(id: RequestId): boolean {
    return !this.settled.has(id);
  }

  onUnanswered(id: RequestId, why: HttpFailure): void {
    this.settled.add(id);
    this.lost.push({ id, why });
    this.#changed();
  }

  onSessionLost(): void {
    this.sessionsLost++;
    this.#changed();
  }

  /** The http frames so far, parsed. */
  get http(): HttpFrame[] {
    return this.frames
      .filter((frame) => frame.channel === 'http')
      .map((frame) => JSON.parse(Buffer.from(frame.bytes).toString()) as HttpFrame);
  }

  onMessage(text: string): void {
    this.messages.push(text);
    const id = idOf(text);
    if (id !== undefined) this.settled.add(id);
    this.#changed();
  }

  onEnd(end: TransportEnd): void {
    this.ends.push(end);
    this.#changed();
  }

  /** Returns the frames of one channel and direction. */
  framesOf(channel: Channel, direction: Direction = 'to-client'): Frame[] {
    return this.frames.filter((frame) => frame.channel === channel && frame.direction === direction);
  }

  /** Returns their bytes as text. */
  lines(channel: Channel, direction: Direction = 'to-client'): string[] {
    return this.framesOf(channel, direction).map((frame) => Buffer.from(frame.bytes).toString());
  }

  /** Resolves as soon as `condition` holds. */
  async until(condition: (sink: this) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Returns the id that a response answers. */
function idOf(text: string): RequestId | undefined {
  const found = /^\{.*?"id":("[^"]*"|-?\d+)/.exec(text.slice(0, 200));
  return found === null || text.includes('"method"') ? undefined : (JSON.parse(found[1]!) as RequestId);
}
