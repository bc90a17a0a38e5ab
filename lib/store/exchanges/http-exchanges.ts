import { headerOf, mediaType } from '@/lib/transports/http-link';
import { type HttpFrame, readHttpFrame } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { AddedHttpFrame, Derivation } from '../derivation';
import { httpSeverity, oauthSeverity, type RowSeverity } from '../rows/severity';
import type { HttpFacts } from '../state/state';

// Components may not import lib/transports.
export { headerOf };

/** An HTTP exchange. It has several requests if redirects were followed or it was repeated with authorization. */
export interface HttpExchange {
  readonly number: number;
  /** seqs of the requests, in the same order as `responses`. */
  readonly requests: readonly number[];
  readonly responses: readonly number[];
  readonly statuses: readonly number[];
  /** Method of the newest request. */
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** True for an authorization request, which carries no messages. */
  readonly oauth: boolean;
  /** True for a reconnect attempt, which carries no messages. */
  readonly reconnects: boolean;
  /** True if it asks for the Server Card. */
  readonly isCard: boolean;
  /** True if the newest response is an event stream. */
  readonly streams: boolean;
  /** seqs of the `body` and `end` frames that end it. */
  readonly ends: readonly number[];
  /** seqs of its messages. */
  readonly messages: readonly number[];
  /** True if the server refused the request as expected. */
  readonly expected: boolean;
  /** True if the server refused the request because it has lost the session. */
  readonly sessionForgotten: boolean;
}

type Writable = {
  -readonly [K in keyof HttpExchange]: HttpExchange[K] extends readonly number[] ? number[] : HttpExchange[K];
};

/** Stream events are frequent, so they are recognised by their first bytes instead of parsed. */
const EVENT = /^\{"kind":"sse","exchange":(\d{1,9})[,}]/;

const CARRIERS: ReadonlySet<HttpFrame['kind']> = new Set(['request', 'body', 'sse']);

/** A connection's HTTP exchanges, built from its http frames. */
export class HttpExchanges implements Derivation {
  readonly #exchanges = new Map<number, Writable>();
  #facts: HttpFacts = {};
  /** The newest http frame, if it can carry the message in the next frame. */
  #carrier = { seq: 0, exchange: 0 };

  get facts(): HttpFacts {
    return this.#facts;
  }

  get(number: number): HttpExchange | undefined {
    return this.#exchanges.get(number);
  }

  /** Adds an http frame. The result of an `end` frame has `end`. */
  addFrame(seq: number, text: string): AddedHttpFrame {
    const quick = EVENT.exec(text);
    if (quick) return this.#setCarrier(seq, Number(quick[1]));
    const frame = readHttpFrame(text);
    if (!frame) return { exchange: 0 };
    if (CARRIERS.has(frame.kind)) this.#setCarrier(seq, frame.exchange);
    const exchange = this.#getOrCreate(frame.exchange);
    this.#update(exchange, seq, frame);
    const severity = severityIn(exchange, frame);
    return { exchange: frame.exchange, ...(severity && { severity }), ...(frame.kind === 'end' && { end: frame }) };
  }

  /** Adds a message to the exchange that carried it and returns the exchange's number; 0 for none. */
  attachMessage(seq: number): number {
    const { seq: before, exchange } = this.#carrier;
    if (before === 0 || before !== seq - 1) return 0;
    this.#getOrCreate(exchange).messages.push(seq);
    return exchange;
  }

  /** Returns the exchange that carried the message in the frame `seq`; 0 for none. */
  carrierOf(seq: number): number {
    return this.#carrier.seq === seq - 1 ? this.#carrier.exchange : 0;
  }

  /** The next frame, after `seq`, has a message of this exchange, if it is a message. */
  carryOn(seq: number, exchange: number): void {
    if (exchange > 0) this.#carrier = { seq, exchange };
  }

  /** Marks the refusal of an exchange as expected. */
  markExpected(number: number): void {
    this.#getOrCreate(number).expected = true;
  }

  addEvent(_seq: number, event: LifecycleEvent | undefined): void {
    if (event?.event !== 'session-lost') return;
    const { sessionSeq: _, ...rest } = this.#facts;
    this.#facts = rest;
  }

  #setCarrier(seq: number, exchange: number): AddedHttpFrame {
    this.#carrier = { seq, exchange };
    return { exchange };
  }

  #getOrCreate(number: number): Writable {
    const known = this.#exchanges.get(number);
    if (known) return known;
    const made: Writable = {
      number,
      requests: [],
      responses: [],
      statuses: [],
      method: undefined,
      url: undefined,
      oauth: false,
      reconnects: false,
      isCard: false,
      streams: false,
      ends: [],
      messages: [],
      expected: false,
      sessionForgotten: false,
    };
    this.#exchanges.set(number, made);
    return made;
  }

  #update(exchange: Writable, seq: number, frame: HttpFrame): void {
    this.#facts = withFailing(this.#facts, exchange, seq, frame);
    if (frame.kind === 'request') {
      exchange.requests.push(seq);
      exchange.method = frame.method;
      exchange.url = frame.url;
      exchange.oauth = frame.about === 'authorization';
      exchange.reconnects = frame.about === 'reconnect';
      exchange.isCard = frame.about === 'server-card';
      if (exchange.isCard) this.#facts = { ...this.#facts, cardSeq: seq };
      if (exchange.reconnects) this.#facts = { ...this.#facts, attempt: { seq } };
      const version = exchange.oauth ? undefined : headerOf(frame.headers, 'mcp-protocol-version');
      if (version !== undefined && version !== this.#facts.version) this.#facts = { ...this.#facts, version };
    } else if (frame.kind === 'response') {
      exchange.responses.push(seq);
      exchange.statuses.push(frame.status);
      exchange.streams = mediaType(frame.headers) === 'text/event-stream';
      const session = headerOf(frame.headers, 'mcp-session-id');
      if (session !== undefined) this.#facts = { sessionSeq: seq, ...this.#facts };
    } else if (
      frame.kind === 'end' ||
      (frame.kind === 'body' && exchange.responses.length >= exchange.requests.length)
    ) {
      // A body before the response belongs to the request.
      exchange.ends.push(seq);
      if (frame.kind === 'end' && frame.code === 'session-lost') exchange.sessionForgotten = true;
      if (frame.kind === 'end' && frame.retryMs !== undefined && exchange.reconnects) {
        this.#facts = {
          ...this.#facts,
          attempt: { seq, retryMs: frame.retryMs, ...(frame.message && { message: frame.message }) },
        };
      }
    }
  }
}

/**
 * Returns the severity of an http frame. Failed reconnect attempts have none, because lifecycle frames already report
 * that the server is unreachable.
 */
function severityIn({ method, oauth, reconnects, isCard }: HttpExchange, frame: HttpFrame): RowSeverity | undefined {
  // Most servers have no card, and need none.
  if (reconnects || isCard) return undefined;
  return oauth ? oauthSeverity(frame, method) : httpSeverity(frame, method);
}

/** Updates the facts about failing requests. Ignores the event stream, which reopens by itself, and OAuth servers. */
function withFailing(facts: HttpFacts, { method, oauth }: HttpExchange, seq: number, frame: HttpFrame): HttpFacts {
  if (frame.kind === 'response' && !oauth && facts.failing) {
    const { failing: _, ...rest } = facts;
    return rest;
  }
  const broke = frame.kind === 'end' && frame.by === 'failure' && method === 'POST' && !oauth;
  return broke ? { ...facts, failing: { seq, code: frame.code ?? '', message: frame.message ?? '' } } : facts;
}

/** End codes that are not failures. Servers need not offer a stream, and later frames explain a refused stream. */
export const HARMLESS_ENDS: ReadonlySet<string | undefined> = new Set(['no-stream', 'stream-refused']);
