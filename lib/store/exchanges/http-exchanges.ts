import { type HttpFrame, readHttpFrame } from '@/lib/wire/http-frame';
import type { Columns } from '../columns/columns';
import { headerValue, isStream } from '../rows/http-label';
import { httpSeverity, oauthSeverity, type Severity } from '../rows/severity';
import type { HttpFacts } from '../state/state';
import type { Exchanges } from './exchanges';

/** One HTTP request and what came of it. More than one: redirects were followed, or it was sent again with authorization. */
export interface HttpExchange {
  readonly number: number;
  /** seqs of the requests; the answer to each has the same place in `responses`. */
  readonly requests: readonly number[];
  readonly responses: readonly number[];
  readonly statuses: readonly number[];
  /** Of the newest request. */
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** It carries no messages, but is about who we are. */
  readonly oauth: boolean;
  /** It carries no messages, but asks whether a server that went away is back. */
  readonly reconnects: boolean;
  /** The newest response is an event stream. */
  readonly streams: boolean;
  /** seqs of the frames that say that it is over: the body's, an `end`. */
  readonly ends: readonly number[];
  /** seqs of the messages that travelled on it. */
  readonly messages: readonly number[];
  /** It was refused, and that was no failure. */
  readonly expected: boolean;
  /** It was refused because the server had forgotten the session. */
  readonly sessionForgotten: boolean;
}

type Writable = {
  -readonly [K in keyof HttpExchange]: HttpExchange[K] extends readonly number[] ? number[] : HttpExchange[K];
};

/** Events are the many: told by their beginning, they are not parsed. */
const EVENT = /^\{"kind":"sse","exchange":(\d{1,9})[,}]/;

const CARRIERS: ReadonlySet<HttpFrame['kind']> = new Set(['request', 'body', 'sse']);

/** A connection's HTTP exchanges, as its http frames tell of them. */
export class HttpExchanges {
  readonly #exchanges = new Map<number, Writable>();
  #facts: HttpFacts = {};
  /** The newest http frame, if a message right behind it is what it carried. */
  #carrier = { seq: 0, exchange: 0 };

  get facts(): HttpFacts {
    return this.#facts;
  }

  get(number: number): HttpExchange | undefined {
    return this.#exchanges.get(number);
  }

  /** Takes in an http frame. `end` is there if it was one. */
  addFrame(seq: number, text: string): AddedHttpFrame {
    const quick = EVENT.exec(text);
    if (quick) return this.#carries(seq, Number(quick[1]));
    const frame = readHttpFrame(text);
    if (!frame) return { exchange: 0 };
    if (CARRIERS.has(frame.kind)) this.#carries(seq, frame.exchange);
    const exchange = this.#of(frame.exchange);
    this.#note(exchange, seq, frame);
    const severity = severityIn(exchange, frame);
    return { exchange: frame.exchange, ...(severity && { severity }), ...(frame.kind === 'end' && { end: frame }) };
  }

  /** The exchange that the message in frame `seq` travelled on; 0 if that is on none. */
  attachMessage(seq: number): number {
    const { seq: before, exchange } = this.#carrier;
    if (before === 0 || before !== seq - 1) return 0;
    this.#of(exchange).messages.push(seq);
    return exchange;
  }

  /** What this exchange met was to be expected. */
  markExpected(number: number): void {
    this.#of(number).expected = true;
  }

  /** The server has forgotten the session. */
  forgetSession(): void {
    const { sessionSeq: _, ...rest } = this.#facts;
    this.#facts = rest;
  }

  #carries(seq: number, exchange: number): AddedHttpFrame {
    this.#carrier = { seq, exchange };
    return { exchange };
  }

  #of(number: number): Writable {
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
      streams: false,
      ends: [],
      messages: [],
      expected: false,
      sessionForgotten: false,
    };
    this.#exchanges.set(number, made);
    return made;
  }

  #note(exchange: Writable, seq: number, frame: HttpFrame): void {
    this.#facts = withFailing(this.#facts, exchange, seq, frame);
    if (frame.kind === 'request') {
      exchange.requests.push(seq);
      exchange.method = frame.method;
      exchange.url = frame.url;
      exchange.oauth = frame.about === 'authorization';
      exchange.reconnects = frame.about === 'reconnect';
      if (exchange.reconnects) this.#facts = { ...this.#facts, attempt: { seq } };
      const version = exchange.oauth ? undefined : headerValue(frame.headers, 'mcp-protocol-version');
      if (version !== undefined && version !== this.#facts.version) this.#facts = { ...this.#facts, version };
    } else if (frame.kind === 'response') {
      exchange.responses.push(seq);
      exchange.statuses.push(frame.status);
      exchange.streams = isStream(headerValue(frame.headers, 'content-type'));
      const session = headerValue(frame.headers, 'mcp-session-id');
      if (session !== undefined) this.#facts = { sessionSeq: seq, ...this.#facts };
    } else if (
      frame.kind === 'end' ||
      (frame.kind === 'body' && exchange.responses.length >= exchange.requests.length)
    ) {
      // A body before the answer is one of ours.
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

/** One of many attempts that fail while a server is away tells nothing that the connection's own frames don't. */
function severityIn({ method, oauth, reconnects }: HttpExchange, frame: HttpFrame): Severity | undefined {
  if (reconnects) return undefined;
  return oauth ? oauthSeverity(frame, method) : httpSeverity(frame, method);
}

/** The facts after it. A stream to listen on is opened again by itself, and who we are is another server's business. */
function withFailing(facts: HttpFacts, { method, oauth }: HttpExchange, seq: number, frame: HttpFrame): HttpFacts {
  if (frame.kind === 'response' && !oauth && facts.failing) {
    const { failing: _, ...rest } = facts;
    return rest;
  }
  const broke = frame.kind === 'end' && frame.by === 'failure' && method === 'POST' && !oauth;
  return broke ? { ...facts, failing: { seq, message: frame.message ?? '' } } : facts;
}

interface AddedHttpFrame {
  /** 0 if the frame names none. */
  readonly exchange: number;
  readonly severity?: Severity;
  readonly end?: Extract<HttpFrame, { kind: 'end' }>;
}

/**
 * Auto mode asked by this request, was refused, and goes on as it does with such servers: what was red is none of their faults.
 * Over HTTP a refusal may have no id; it still answers the one request of its exchange.
 */
export function excuseRefusedRequest(
  request: number,
  columns: Columns,
  exchanges: Exchanges,
  http: HttpExchanges,
): void {
  if (!exchanges.excuseRefusal(request)) return;
  const number = columns.exchange(request - 1);
  const exchange = number === undefined ? undefined : http.get(number);
  if (number === undefined || !exchange) return;
  excuseRefusedExchange(number, columns, http);
  for (const seq of exchange.messages) {
    if (columns.kind(seq - 1) !== 'error' || columns.peer(seq - 1) !== undefined) continue;
    columns.setStatus(seq - 1, 'refused');
    columns.setPeer(seq - 1, request);
    if (columns.peer(request - 1) === undefined) columns.setPeer(request - 1, seq);
  }
}

/** Marks the refusal of this HTTP exchange as expected, not as a failure. */
export function excuseRefusedExchange(number: number, columns: Columns, http: HttpExchanges): void {
  const exchange = http.get(number);
  if (!exchange) return;
  http.markExpected(number);
  for (const seq of [...exchange.responses, ...exchange.ends]) columns.setSeverity(seq - 1, undefined);
  if (exchange.method !== 'GET') return;
  for (const seq of exchange.messages) if (columns.kind(seq - 1) === 'error') columns.setStatus(seq - 1, 'refused');
}

/** End codes that are not failures: servers needn't offer a stream, and later frames explain a refused one. */
export const HARMLESS_ENDS: ReadonlySet<string | undefined> = new Set(['no-stream', 'stream-refused']);
