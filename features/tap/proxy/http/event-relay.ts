import { INTERCEPT_LIMITS } from '@/lib/wire/intercept';
import { EventSplitter } from './event-splitter';
import type { ExchangeFeed, RecordedExchange } from './exchange-feed';
import type { HostResponse } from './host-response';
import type { EventPlace, PassingEvent } from './passing-event';
import { readEvent } from './passing-event';
import type { PassingSession } from './passing-session';
import type { EndpointRewriter } from './rewrites';
import type { ExchangeRoute, Fate, Made } from './session-rules';

/** Bytes of an event beside its message: name, id, and the beginnings of lines. */
const OTHER_BYTES = 64 * 1024;

export interface RelayOptions {
  readonly session: PassingSession;
  readonly host: HostResponse;
  readonly exchange: RecordedExchange | undefined;
  readonly log: ExchangeFeed | undefined;
  /** Rewrites the first event of HTTP+SSE. */
  readonly endpoint?: EndpointRewriter | undefined;
  /** The last bytes that have passed already. */
  readonly tail?: Buffer;
  /** Called with the endpoint that the server names (HTTP+SSE). */
  onEndpoint(text: string): void;
  /** Posts a message to the server: the answer of a rule to a request on this stream. */
  post(bytes: Uint8Array): void;
}

/** Passes an event stream of the server on, event by event, through the rules of its session. */
export class EventRelay {
  readonly #options: RelayOptions;
  readonly #splitter: EventSplitter;
  #waits: (Promise<void> | undefined)[] = [];
  #isTold = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    options.host.enter();
    const pieces = { onBlock: (block: Buffer) => this.#onBlock(block), onPart: (part: Buffer) => this.#onPart(part) };
    const most = INTERCEPT_LIMITS.messageBytes + OTHER_BYTES;
    this.#splitter = new EventSplitter(pieces, most, options.tail ?? Buffer.alloc(0));
  }

  /** Passes what arrives. Returns a promise if what follows should wait. */
  feed(chunk: Buffer): Promise<void> | undefined {
    this.#splitter.feed(chunk);
    const waits = [...this.#waits, this.#options.host.drained()].filter((wait) => wait !== undefined);
    this.#waits = [];
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
  }

  /** The server has ended its response, or broken it off. The host's ends after what waits. */
  end(isBroken: boolean): void {
    const { host, exchange } = this.#options;
    const rest = this.#splitter.end();
    if (rest.length > 0) void exchange?.onBody('response', rest);
    if (isBroken) host.breakOff();
    host.leave();
  }

  #record(bytes: Buffer, told: boolean): void {
    const { exchange } = this.#options;
    if (told !== this.#isTold) exchange?.tellMessages(told);
    this.#isTold = told;
    this.#waits.push(exchange?.onBody('response', bytes));
  }

  #onPart(part: Buffer): void {
    this.#record(part, false);
    const { session, host } = this.#options;
    // It says that the message is too large.
    if (part.length > INTERCEPT_LIMITS.messageBytes)
      session.rules?.onMessage('to-client', part, this.#route(undefined));
    host.pass(part);
  }

  #onBlock(block: Buffer): void {
    const { session, host, log, endpoint, onEndpoint } = this.#options;
    this.#record(block, true);
    const event = readEvent(block);
    if (!event.message) {
      if (event.name === 'endpoint' && event.other) onEndpoint(Buffer.from(event.other).toString());
      const passed = endpoint ? endpoint.rewrite(block) : block;
      if (event.id === undefined) host.pass(passed);
      else host.sendEvent({ ...event, block: passed }, host.place(event.id));
      return;
    }
    const { message } = event;
    const place = host.place(event.id);
    session.onMessage('to-client', message);
    session.rules?.learnTools(message);
    host.enter();
    if (session.rules?.onMessage('to-client', message, this.#route({ event, place })) === 'taken') return;
    log?.logMessage({ session: session.name, channel: 'protocol', direction: 'to-client' }, message);
    host.sendEvent(event, place);
    host.leave();
  }

  #route(on: { readonly event: PassingEvent; readonly place: EventPlace } | undefined): ExchangeRoute {
    const { host, post } = this.#options;
    return {
      host,
      toServer: post,
      toClient(bytes: Uint8Array, made: Made, log: () => void) {
        if (host.isOver) return false;
        log();
        if (made || !on) host.send(bytes);
        else host.sendEvent(on.event, on.place, isSame(bytes, on.event.message!) ? undefined : bytes);
        return true;
      },
      settle(fate: Fate) {
        // After a cut, the server sends it again to a host that resumes.
        if (on && !on.place.isSettled && fate !== 'cut') host.skipEvent(on.place);
        // Copies and answers follow at once.
        queueMicrotask(() => host.leave());
      },
      cut: () => host.cut(),
    };
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
