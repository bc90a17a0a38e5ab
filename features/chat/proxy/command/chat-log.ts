import type { ChatEvent } from '@/features/chat/lib/chat-frame';
import { chatFrame } from '@/features/chat/lib/event-frames';
import type { TapHost } from '@/lib/mcp/log-tap';
import { type Clock, type Moment, momentNow } from '@/lib/wire/clock';

/** The log of a chat in a terminal: its events, from the first one on. */
export class TerminalChatLog {
  readonly events: ChatEvent[];
  readonly began: Moment;
  readonly #clock: Clock;
  /** Microseconds since the chat began, of each event. */
  readonly #times: number[];
  readonly #taps = new Set<TapHost['append']>();
  readonly #onEvent: (event: ChatEvent) => void;

  /** `onEvent` gets every event before the chat goes on. `before`: the events of a chat that goes on. */
  constructor(clock: Clock, onEvent: (event: ChatEvent) => void = () => {}, before: readonly ChatEvent[] = []) {
    this.events = [...before];
    this.#times = before.map(() => 0);
    this.#clock = clock;
    this.began = momentNow(clock);
    this.#onEvent = onEvent;
  }

  /** Adds an event, and returns the number of its frame. */
  readonly write = (event: ChatEvent): number => {
    const time = Math.round((this.#clock.now() - this.began.now) * 1000);
    this.#times.push(time);
    const seq = this.events.push(event);
    for (const tap of this.#taps) append(tap, event, time);
    this.#onEvent(event);
    return seq;
  };

  /** Writes all events, old and new, to a recording. */
  record(tap: TapHost['append']): void {
    for (const [at, event] of this.events.entries()) append(tap, event, this.#times[at]!);
    this.#taps.add(tap);
  }
}

function append(tap: TapHost['append'], event: ChatEvent, time: number): void {
  const { channel, direction, bytes } = chatFrame(event);
  tap(channel, direction, 0, time, bytes, 0, bytes.length);
}
