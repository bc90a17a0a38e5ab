import { canonicalJson } from '@/lib/json/canonical';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import type { ParsedMessage } from './parse-messages';
import type { OpenCall, OpenNotification, ServerEvent } from './recorded-traffic';

/** Requests that need no work from a server, so messages sent during them have another cause. */
const CAUSE_NOTHING = /^(?:initialize|ping|server\/discover|.+\/list)$/;

/**
 * Finds the call that made a server send a message. The progress token names the call, or the call is on the same HTTP
 * exchange. Otherwise it is the newest open call that asks for work. Without such a call, the message follows the
 * client’s last message. The stream of a subscription says nothing about the cause.
 */
export class Causes {
  /** All open calls, oldest first. */
  readonly #open = new Set<OpenCall>();
  /** The open calls that ask for work. */
  readonly #working: OpenCall[] = [];
  readonly #byToken = new Map<string, OpenCall>();
  /** Open subscriptions by id. */
  readonly #streams = new Map<string, OpenCall>();
  readonly #byExchange = new Map<number, OpenCall>();
  #anchor: OpenCall | OpenNotification | undefined;

  /** The client’s last message that can have consequences; undefined before its first message. */
  get anchor(): OpenCall | OpenNotification | undefined {
    return this.#anchor;
  }

  callStarted(call: OpenCall): void {
    const works = !CAUSE_NOTHING.test(call.method);
    this.#open.add(call);
    if (works && call.method !== METHOD.listen) this.#working.push(call);
    if (call.exchange !== 0 && call.method !== METHOD.listen) this.#byExchange.set(call.exchange, call);
    if (call.progressToken !== undefined) this.#byToken.set(canonicalJson(call.progressToken), call);
    if (call.method === METHOD.listen) this.#streams.set(canonicalJson(call.id), call);
    this.#setAnchor(call, works);
  }

  notificationSent(notification: OpenNotification): void {
    this.#setAnchor(notification, true);
  }

  /** Ends a call that was answered or given up. */
  callEnded(call: OpenCall): void {
    this.#open.delete(call);
    // Only the newest call is read, so an ended call below it is dropped once it is the newest.
    while (this.#working.length > 0 && !this.#open.has(this.#working.at(-1)!)) this.#working.pop();
  }

  /** All open calls, oldest first. */
  get open(): readonly OpenCall[] {
    return [...this.#open];
  }

  /** Finds the open call that caused a message; undefined for progress of an ended call. */
  callBehind(event: ServerEvent, read: ParsedMessage): OpenCall | undefined {
    const token = read.params?.member('progressToken')?.text;
    const named = token === undefined ? undefined : this.#byToken.get(canonicalJson(token));
    // Progress must never reach another call.
    if (named) return this.#under(named);
    const listens = this.#anchor?.kind === 'call' && this.#anchor.method === METHOD.listen ? this.#anchor : undefined;
    return (
      this.#under(event.method === METHOD.acknowledged ? this.streamOf(read) : undefined) ??
      this.#under(this.#byExchange.get(event.exchange)) ??
      this.#working.at(-1) ??
      this.#under(listens)
    );
  }

  /** Finds the subscription that a notification names. */
  streamOf({ params }: ParsedMessage): OpenCall | undefined {
    const id = params?.member('_meta')?.member(META_KEY.subscriptionId)?.text;
    return id === undefined ? undefined : this.#streams.get(canonicalJson(id));
  }

  #under(call: OpenCall | undefined): OpenCall | undefined {
    return call && this.#open.has(call) ? call : undefined;
  }

  /** Until a message that can have consequences is sent, the client’s first message counts. */
  #setAnchor(message: OpenCall | OpenNotification, works: boolean): void {
    if (works || !this.#anchor) this.#anchor = message;
  }
}
