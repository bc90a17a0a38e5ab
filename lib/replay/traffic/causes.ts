import { PassingMap } from '@/lib/store/columns/passing-map';
import { METHOD } from '@/lib/wire/protocol-names';
import type { MessageFacts, ValueKey } from './message-facts';

/** Requests that need no work from a server, so messages sent during them have another cause. */
const CAUSE_NOTHING = /^(?:initialize|ping|server\/discover|.+\/list)$/;

/** A row of the message table. */
type Row = number;

/**
 * Finds the call that made a server send a message. The progress token names the call, or the call is on the same HTTP
 * exchange. Otherwise it is the newest open call that asks for work. Without such a call, the message follows the
 * client’s last message. The stream of a subscription says nothing about the cause.
 */
export class Causes {
  readonly #open = new PassingMap<Row, true>();
  /** The open calls that ask for work. */
  readonly #working: Row[] = [];
  readonly #byToken = new Map<ValueKey, Row>();
  /** Subscriptions by id. */
  readonly #streams = new Map<ValueKey, Row>();
  readonly #byExchange = new Map<number, Row>();
  #anchor: Row | undefined;
  /** The anchor, if it is a subscription. */
  #listens: Row | undefined;

  /** The client’s last message that can have consequences; undefined before its first message. */
  get anchor(): Row | undefined {
    return this.#anchor;
  }

  callStarted(call: Row, id: ValueKey, exchange: number, { method = '', progressToken }: MessageFacts): void {
    const works = !CAUSE_NOTHING.test(method);
    const listens = method === METHOD.listen;
    this.#open.set(call, true);
    if (works && !listens) this.#working.push(call);
    if (exchange !== 0 && !listens) this.#byExchange.set(exchange, call);
    if (progressToken !== undefined) this.#byToken.set(progressToken, call);
    if (listens) this.#streams.set(id, call);
    this.#setAnchor(call, works, listens);
  }

  notificationSent(notification: Row): void {
    this.#setAnchor(notification, true, false);
  }

  /** Ends a call that was answered or given up. */
  callEnded(call: Row): void {
    this.#open.delete(call);
    // Only the newest call is read, so an ended call below it is dropped once it is the newest.
    while (this.#working.length > 0 && !this.#open.has(this.#working.at(-1)!)) this.#working.pop();
  }

  /** Finds the open call that caused a message; undefined for progress of an ended call. */
  callBehind(exchange: number, facts: MessageFacts): Row | undefined {
    const named = facts.progressOf === undefined ? undefined : this.#byToken.get(facts.progressOf);
    // Progress must never reach another call.
    if (named !== undefined) return this.#under(named);
    return (
      this.#under(facts.method === METHOD.acknowledged ? this.streamOf(facts) : undefined) ??
      this.#under(this.#byExchange.get(exchange)) ??
      this.#working.at(-1) ??
      this.#under(this.#listens)
    );
  }

  /** Finds the subscription that a notification names. */
  streamOf({ subscription }: MessageFacts): Row | undefined {
    return subscription === undefined ? undefined : this.#streams.get(subscription);
  }

  #under(call: Row | undefined): Row | undefined {
    return call !== undefined && this.#open.has(call) ? call : undefined;
  }

  /** Until a message that can have consequences is sent, the client’s first message counts. */
  #setAnchor(message: Row, works: boolean, listens: boolean): void {
    if (!works && this.#anchor !== undefined) return;
    this.#anchor = message;
    this.#listens = listens ? message : undefined;
  }
}
