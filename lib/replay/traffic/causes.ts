import { canonicalJson } from '@/lib/json/canonical';
import type { ParsedMessage } from './parse-messages';
import type { OpenCall, OpenNotification, ServerEvent } from './recorded-traffic';

/** They ask for no work: what a server sends meanwhile has another cause. */
const CAUSE_NOTHING = /^(?:initialize|ping|server\/discover|.+\/list)$/;

const LISTEN = 'subscriptions/listen';
/** The first thing on a stream, and the one that it causes itself. */
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/**
 * What made a server say something: the call whose progress token it names, or on whose HTTP exchange it came; else the newest call under way
 * that asks for work. While there is none, it is a consequence of what the client said last. A stream of a subscription says nothing about that.
 */
export class Causes {
  /** All calls under way, oldest first. */
  readonly #open = new Set<OpenCall>();
  /** Those of them that ask for work. */
  readonly #working: OpenCall[] = [];
  readonly #byToken = new Map<string, OpenCall>();
  /** By id: streams that stay open, and name themselves in what they carry. */
  readonly #streams = new Map<string, OpenCall>();
  readonly #byExchange = new Map<number, OpenCall>();
  #anchor: OpenCall | OpenNotification | undefined;

  /** What the client said last that may have consequences; undefined before it said anything. */
  get anchor(): OpenCall | OpenNotification | undefined {
    return this.#anchor;
  }

  callStarted(call: OpenCall): void {
    const works = !CAUSE_NOTHING.test(call.method);
    this.#open.add(call);
    if (works && call.method !== LISTEN) this.#working.push(call);
    if (call.exchange !== 0 && call.method !== LISTEN) this.#byExchange.set(call.exchange, call);
    if (call.progressToken !== undefined) this.#byToken.set(canonicalJson(call.progressToken), call);
    if (call.method === LISTEN) this.#streams.set(canonicalJson(call.id), call);
    this.#setAnchor(call, works);
  }

  notificationSent(notice: OpenNotification): void {
    this.#setAnchor(notice, true);
  }

  /** It was answered, or given up. */
  callEnded(call: OpenCall): void {
    this.#open.delete(call);
    // Only the end is looked at, so ended ones within are dropped when they get there.
    while (this.#working.length > 0 && !this.#open.has(this.#working.at(-1)!)) this.#working.pop();
  }

  /** All calls under way, oldest first. */
  get open(): readonly OpenCall[] {
    return [...this.#open];
  }

  /** The call under way that this belongs to; none for the progress of a call that is over. */
  callBehind(event: ServerEvent, read: ParsedMessage): OpenCall | undefined {
    const token = read.params?.member('progressToken')?.text;
    const named = token === undefined ? undefined : this.#byToken.get(canonicalJson(token));
    // Told to another call's client it would be that call's progress.
    if (named) return this.#under(named);
    const listens = this.#anchor?.kind === 'call' && this.#anchor.method === LISTEN ? this.#anchor : undefined;
    return (
      this.#under(event.method === ACKNOWLEDGED ? this.streamOf(read) : undefined) ??
      this.#under(this.#byExchange.get(event.exchange)) ??
      this.#working.at(-1) ??
      this.#under(listens)
    );
  }

  /** The subscription that a notification names. */
  streamOf({ params }: ParsedMessage): OpenCall | undefined {
    const id = params?.member('_meta')?.member(SUBSCRIPTION)?.text;
    return id === undefined ? undefined : this.#streams.get(canonicalJson(id));
  }

  #under(call: OpenCall | undefined): OpenCall | undefined {
    return call && this.#open.has(call) ? call : undefined;
  }

  /** The very first message counts until there is one that may have consequences. */
  #setAnchor(message: OpenCall | OpenNotification, works: boolean): void {
    if (works || !this.#anchor) this.#anchor = message;
  }
}
