import { type Direction, OPPOSITE } from '@/lib/wire/frame';
import type { HeldMessage, Interception } from '@/lib/wire/intercept';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** A message that was intercepted, with the seqs of its frames. */
export interface InterceptedMessage {
  readonly event: Interception;
  /** seq of the event. */
  readonly seq: number;
  /** seq of the event since which it waited. */
  readonly heldSeq: number | undefined;
  /** seq of the frame with the bytes that its sender sent, on channel `intercept`. */
  readonly original: number | undefined;
  /** seqs of the message on channel `protocol`. */
  readonly delivered: readonly number[];
  /** seq of the message that mcp-inspect made. */
  readonly made: number | undefined;
}

/** A message that waits. */
export interface WaitingMessage extends HeldMessage {
  /** seq of the event since which it waits. */
  readonly seq: number;
}

type Writable = { -readonly [K in keyof InterceptedMessage]: InterceptedMessage[K] } & { delivered: number[] };

/** The messages of a connection that were intercepted, and those that wait. Built from its frames, in order. */
export class Interceptions {
  readonly #bySeq = new Map<number, Writable>();
  readonly #waiting = new Map<number, WaitingMessage>();
  /** HTTP exchanges of messages that wait. */
  readonly #exchanges = new Map<number, number>();
  /** The newest one, while frames of it follow. */
  #open: Writable | undefined;

  /** The messages that wait, oldest first. */
  get waiting(): readonly WaitingMessage[] {
    return [...this.#waiting.values()];
  }

  /** Returns the interception that a frame belongs to: an event, or a message on `protocol` or `intercept`. */
  of(seq: number): InterceptedMessage | undefined {
    return this.#bySeq.get(seq);
  }

  /**
   * Returns the frame with which a message arrived: the event since which it waited for a person, or else itself. A
   * delay by a rule stands for a slow server, so it counts.
   */
  arrivalOf(seq: number): number {
    const { heldSeq, delivered, event } = this.#bySeq.get(seq) ?? {};
    return heldSeq !== undefined && event?.did !== 'delay' && delivered?.includes(seq) ? heldSeq : seq;
  }

  /**
   * Adds an event. `exchange`: the HTTP exchange that carried the message; 0 for none. Returns the exchange of the
   * frames that follow.
   */
  addEvent(seq: number, event: LifecycleEvent, exchange: number): number {
    if (event.event === 'held') {
      const { event: _, ...held } = event;
      const before = this.#waiting.get(held.hold);
      remember(this.#waiting, held.hold, { ...held, seq: before?.seq ?? seq });
      if (exchange > 0) remember(this.#exchanges, held.hold, exchange);
      return 0;
    }
    if (event.event === 'closed' || event.event === 'failed') this.#waiting.clear();
    if (event.event !== 'intercepted') return 0;
    const { hold = 0, did } = event;
    const carrier = this.#exchanges.get(hold) ?? exchange;
    const heldSeq = this.#waiting.get(hold)?.seq;
    if (did !== 'progress') {
      this.#waiting.delete(hold);
      this.#exchanges.delete(hold);
    }
    this.#open = { event, seq, heldSeq, original: undefined, delivered: [], made: undefined };
    this.#bySeq.set(seq, this.#open);
    if (heldSeq !== undefined && did !== 'progress') this.#bySeq.set(heldSeq, this.#open);
    return did === 'progress' ? 0 : carrier;
  }

  /** Adds a frame of channel `intercept`. */
  addOriginal(seq: number): void {
    if (!this.#open?.event.original || this.#open.original !== undefined) return;
    this.#open.original = seq;
    this.#bySeq.set(seq, this.#open);
  }

  /** Adds a frame of channel `protocol`. Returns its part in an interception; undefined for an ordinary message. */
  addMessage(seq: number, direction: Direction): 'delivered' | 'made' | undefined {
    const open = this.#open;
    if (!open) return undefined;
    const { event, delivered } = open;
    const isDelivered = delivered.length < event.delivered && direction === event.direction;
    const isMade = !isDelivered && event.made === true && open.made === undefined && isMadeFor(event, direction);
    if (isDelivered) delivered.push(seq);
    else if (isMade) open.made = seq;
    if (delivered.length >= event.delivered && (!event.made || open.made !== undefined)) this.#open = undefined;
    if (!isDelivered && !isMade) return undefined;
    this.#bySeq.set(seq, open);
    return isDelivered ? 'delivered' : 'made';
  }
}

/** Progress may go either way, and answers go back. */
function isMadeFor({ did, direction }: Interception, made: Direction): boolean {
  return did === 'progress' || made === OPPOSITE[direction];
}

function remember<T>(map: Map<number, T>, key: number, value: T): void {
  map.set(key, value);
  if (map.size > LIMITS.rulesMemory) map.delete(map.keys().next().value!);
}
