import type { RequestId, RpcError } from '@/lib/json/value';
import type { Era, Failure } from '@/lib/wire/lifecycle';
import {
  type ListenPort,
  listen,
  type Reopening,
  resumeStream,
  type StreamPort,
  StreamPosition,
} from './event-streams';
import {
  asConnectionError,
  type ExchangeContext,
  exchangeContext,
  type HttpConfig,
  HttpExchange,
  pause,
  withAuthorization,
} from './http-exchange';
import {
  answersOneOf,
  gatewayFailure,
  isNetworkFailure,
  noAnswer,
  notConnected,
  notMcp,
  readRefusal,
  refusedAnswer,
  sessionForgotten,
} from './http-failures';
import { type Headers, type HttpResponse, headerOf, mediaType } from './http-link';
import { ParamHeaders } from './param-headers';
import { INITIALIZED, type OutgoingMessage, parseOutgoing, requestHeaders, withOwn } from './request-headers';
import type { ConnectionError, HttpFailure, Transport } from './transport';

/** How long a response to a cancelled request is still read. */
export const CANCELLED_MS = 5000;
/** How long the goodbye of a session (DELETE) may take. */
const HTTP_CLOSE_MS = 2000;
/** How long an attempt waits for an answer once connected. Longer than connecting and TLS may take. */
const SERVER_RETRY_ANSWER_MS = 30_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How a message was sent. */
interface Sent {
  readonly headers: Headers;
  /** Sessions lost until then, but for one that has no successor yet. */
  readonly losses: number;
}

/**
 * Streamable HTTP of both eras: every message is a POST, answered by JSON or an event stream. The legacy era adds a
 * session, a stream that the server may speak on unasked, and resumption; the modern one headers that repeat the message,
 * and cancelling by closing the response.
 */
export class StreamableHttp implements Transport {
  readonly #config: HttpConfig;
  readonly #around: ExchangeContext;
  readonly #streams: StreamPort;
  readonly #params = new ParamHeaders();
  /** Exchanges under way, with the requests they carry. */
  readonly #active = new Map<HttpExchange, readonly RequestId[]>();
  readonly #over = new AbortController();
  /** Aborted when the server has taken `notifications/initialized`, and has said whether it will speak unasked. */
  #introduction = new AbortController();
  #opened = false;
  /** The sink knows that it is over. */
  #told = false;
  #closing: Promise<void> | undefined;
  #era: Era | undefined;
  #version: string | undefined;
  #session: string | undefined;
  /** How many sessions were lost, those without an id among them. */
  #losses = 0;
  /** The newest session was lost, and none has begun since. */
  #forgotten = false;
  /** The newest GET for the stream to listen on. */
  #listener: HttpExchange | undefined;
  /** The server has opened a stream to listen on. */
  #offersStream = false;

  constructor(config: HttpConfig) {
    this.#config = config;
    this.#around = exchangeContext(config);
    this.#streams = {
      config,
      around: this.#around,
      over: this.#over.signal,
      headers: (own) => this.#headers(own),
      began: (exchange) => {
        this.#active.set(exchange, []);
        return () => this.#active.delete(exchange);
      },
      answered: () => this.#introduction.abort(),
    };
  }

  async open(): Promise<void> {
    this.#requireUsable();
    this.#opened = true;
  }

  send(text: string): number {
    return this.#post(encoder.encode(text), text);
  }

  /** A body has no line to end, so `terminate` means nothing here. */
  sendRaw(bytes: Uint8Array): number {
    return this.#post(bytes.slice(), decoder.decode(bytes));
  }

  setProtocolVersion(version: string, era: Era): void {
    this.#version = version;
    this.#era = era;
  }

  whenInitialized(withinMs: number): Promise<void> {
    return pause(this.#config.clock, withinMs, this.#introduction.signal);
  }

  cancel(id: RequestId): boolean {
    if (this.#era !== 'modern') {
      void this.#letGo(id);
      return false;
    }
    for (const [exchange, ids] of this.#active) if (ids.includes(id)) exchange.abort([id]);
    return true;
  }

  cancelSignIn(): boolean {
    return this.#config.authorizer?.cancelSignIn() ?? false;
  }

  /** Servers may leave the response to a cancelled request open for ever: after a while, nobody reads it any more. */
  async #letGo(id: RequestId): Promise<void> {
    await pause(this.#config.clock, CANCELLED_MS, this.#over.signal);
    for (const [exchange, ids] of this.#active) {
      if (ids.includes(id) && !ids.some((one) => this.#config.sink.awaits(one))) exchange.abort();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    if (!this.#opened) return;
    this.#over.abort();
    this.#introduction.abort();
    this.#config.authorizer?.close();
    for (const exchange of this.#active.keys()) exchange.abort();
    if (this.#session !== undefined && this.#era !== 'modern') await this.#endSession();
    this.#config.link.close();
    this.#tellEnd();
  }

  #tellEnd(failure?: Failure): void {
    if (this.#told) return;
    this.#told = true;
    this.#config.sink.ended({ code: null, signal: null, ...(failure && { failure }) });
  }

  /** Servers may refuse to (405) or not answer at all: a goodbye must not keep us. */
  async #endSession(): Promise<void> {
    const exchange = new HttpExchange(this.#around);
    const callOff = this.#config.clock.after(HTTP_CLOSE_MS, () => exchange.abort());
    try {
      const headers = this.#headers([]);
      exchange.announce('DELETE', this.#config.url, headers);
      await exchange.body(await exchange.send('DELETE', this.#config.url, headers));
    } catch (error) {
      if (!exchange.aborted) exchange.end('failure', asConnectionError(error));
    }
    callOff();
  }

  async reconnect(retryMs: number): Promise<void> {
    if (this.#closing !== undefined) return;
    const { clock, sink } = this.#config;
    // Connected, and silent: only the headers of a stream may take that long.
    const silent = new AbortController();
    const callOff = clock.after(SERVER_RETRY_ANSWER_MS, () => {
      sink.onReached?.();
      silent.abort();
    });
    await new Promise<void>((done) => {
      silent.signal.addEventListener('abort', () => done(), { once: true });
      if (this.#era === 'legacy' && this.#offersStream) void this.#listen({ retryMs, done });
      else void this.#knock(retryMs, silent.signal).then(done);
    });
    callOff();
  }

  /** A GET, whose answer only says that the server is back: an hour of attempts must not be an hour of messages. */
  async #knock(retryMs: number, silent: AbortSignal): Promise<void> {
    const exchange = new HttpExchange(this.#around, 'reconnect');
    this.#active.set(exchange, []);
    silent.addEventListener('abort', () => exchange.abort(), { once: true });
    try {
      const headers = this.#headers([['Accept', 'text/event-stream']]);
      exchange.announce('GET', this.#config.url, headers);
      const { status } = await exchange.send('GET', this.#config.url, headers);
      const away = gatewayFailure(status);
      if (away) exchange.end('server', away, [], retryMs);
      exchange.abort();
    } catch (error) {
      if (!exchange.aborted) exchange.end('failure', asConnectionError(error), [], retryMs);
    }
    this.#active.delete(exchange);
  }

  #post(bytes: Uint8Array, text: string): number {
    this.#requireUsable();
    if (!this.#opened) throw notConnected();
    const message = parseOutgoing(text);
    const headers = this.#headers(requestHeaders(message, this.#era, this.#version, this.#params), message);
    if (message.method === INITIALIZED) this.#introduction = new AbortController();
    const exchange = new HttpExchange(this.#around);
    const losses = this.#forgotten ? this.#losses - 1 : this.#losses;
    exchange.announce('POST', this.#config.url, headers, bytes);
    const seq = this.#config.sink.frame('protocol', 'to-server', bytes, 0, bytes.length, 0);
    this.#active.set(exchange, message.ids);
    void this.#carry(exchange, message, { headers, losses }, bytes).finally(() => this.#active.delete(exchange));
    return seq;
  }

  /** Sends one message and sees to it that each request in it is answered or known not to be. Never rejects. */
  async #carry(exchange: HttpExchange, message: OutgoingMessage, sent: Sent, bytes: Uint8Array): Promise<void> {
    let why: HttpFailure | undefined;
    try {
      const answer = await exchange.sendAuthorized('POST', this.#config.url, sent.headers, bytes);
      why = await this.#answered(exchange, message, answer, sent);
    } catch (error) {
      why = asConnectionError(error);
      if (exchange.answered && !exchange.aborted && isNetworkFailure(why)) this.#config.sink.onPossibleRestart?.();
    }
    if (why === undefined || exchange.aborted) return;
    if (message.method === INITIALIZED) this.#introduction.abort();
    exchange.end(why.status === undefined ? 'failure' : 'server', why, message.ids);
    this.#giveUp(message.ids, why);
    // Whatever is asked next, this server will not know who asks.
    if (why.code === 'session-hidden') this.#tellEnd(why);
  }

  #giveUp(ids: readonly RequestId[], why: HttpFailure): void {
    const { sink } = this.#config;
    for (const id of ids) if (sink.awaits(id)) sink.onUnanswered(id, why);
  }

  /** undefined if nothing is left to be told to those who wait. */
  async #answered(
    exchange: HttpExchange,
    message: OutgoingMessage,
    answer: HttpResponse,
    sent: Sent,
  ): Promise<HttpFailure | undefined> {
    const { status } = answer;
    if (status < 200 || status > 299) return this.#refused(exchange, message, answer, sent);
    if (message.method === 'initialize') {
      this.#session = sessionOf(answer);
      this.#forgotten = false;
    }
    const legacy = message.version === undefined && this.#era !== 'modern';
    const type = mediaType(answer.headers);
    if (type === 'text/event-stream') return this.#streamed(exchange, message, answer, legacy);
    const body = await exchange.body(answer);
    if (legacy && message.method === INITIALIZED) void this.#listen();
    if (body !== undefined) this.#deliver(exchange, message, body);
    if (!message.ids.some((id) => this.#config.sink.awaits(id))) return undefined;
    if (body !== undefined) return noAnswer(status);
    // Some legacy servers only take note of a request here, and answer it on their other stream.
    if (status === 202 && legacy && this.#era === 'legacy') return undefined;
    return status === 202 ? noAnswer(status) : notMcp(status, type);
  }

  async #refused(
    exchange: HttpExchange,
    message: OutgoingMessage,
    answer: HttpResponse,
    sent: Sent,
  ): Promise<HttpFailure> {
    const body = await exchange.body(answer);
    const { status } = answer;
    const error = body && readRefusal(body);
    if (!isHandled(status, message, body, error) && this.#isForgotten(status, message, sent, error))
      return sessionForgotten(status, error);
    const hidden = this.#config.link.hidesHeaders && headerOf(sent.headers, 'mcp-session-id') === undefined;
    return (hidden && hiddenSession(status, message.method, error)) || refusedAnswer(answer, sent.headers, error);
  }

  /**
   * True if this refusal of a POST says that the server has forgotten us: 404 to a session (2025-11-25, session
   * management), or 400 after the connection was lost, as many servers say it.
   */
  #isForgotten(
    status: number,
    { method, version }: OutgoingMessage,
    { headers, losses }: Sent,
    error?: RpcError,
  ): boolean {
    const { sink } = this.#config;
    if (this.#era !== 'legacy' || version !== undefined || method === 'initialize') return false;
    if (status !== 404 && status !== 400) return false;
    const session = headerOf(headers, 'mcp-session-id');
    // Sent in a session whose loss is known already.
    if (losses < this.#losses) return true;
    if (status === 404 ? session === undefined : !(sink.mayHaveRestarted?.() ?? false)) {
      if (session !== undefined && /session/i.test(error?.message ?? '')) sink.onPossibleRestart?.();
      return false;
    }
    this.#session = undefined;
    this.#offersStream = false;
    this.#forgotten = true;
    this.#losses++;
    sink.onSessionLost(
      status === 404
        ? 'The server answered a POST in this session with HTTP 404.'
        : 'The server answered a POST with HTTP 400, and may have restarted.',
    );
    return true;
  }

  #deliver(exchange: HttpExchange, message: OutgoingMessage, bytes: Uint8Array): void {
    if (message.method === 'tools/list') this.#params.learnTools(decoder.decode(bytes));
    exchange.deliver(bytes);
  }

  async #streamed(
    exchange: HttpExchange,
    message: OutgoingMessage,
    answer: HttpResponse,
    legacy: boolean,
  ): Promise<HttpFailure | undefined> {
    const place = new StreamPosition();
    const waiting = (): boolean => message.ids.some((id) => this.#config.sink.awaits(id));
    let broke: ConnectionError | undefined;
    try {
      await exchange.stream(answer, (event, isMessage) => {
        place.update(event);
        if (isMessage && message.method === 'tools/list') this.#params.learnTools(decoder.decode(event.data));
      });
    } catch (error) {
      broke = asConnectionError(error);
    }
    if (exchange.aborted) return undefined;
    if (broke && isNetworkFailure(broke)) this.#config.sink.onPossibleRestart?.();
    const lost = waiting();
    const resumable = legacy && place.lastEventId !== undefined && broke?.code !== 'body-too-large';
    if (!lost || resumable) exchange.end(broke ? 'failure' : 'server', broke);
    if (!lost) return undefined;
    const why = resumable ? await resumeStream(this.#streams, place, waiting) : broke;
    return waiting() ? (why ?? noAnswer(answer.status)) : undefined;
  }

  /** The stream that a legacy server may speak on unasked; it needn't offer one. The newest one counts. */
  async #listen(reopening?: Reopening): Promise<void> {
    const losses = this.#losses;
    this.#listener?.abort();
    this.#listener = undefined;
    let listener: HttpExchange | undefined;
    let broke = false;
    const port: ListenPort = {
      ...this.#streams,
      began: (exchange) => {
        listener = exchange;
        this.#listener = exchange;
        return this.#streams.began(exchange);
      },
      answered: (opened) => {
        this.#streams.answered(opened);
        if (opened) this.#offersStream = true;
        // Without a session nothing tells whether this is the same server.
        if (opened && broke && this.#session === undefined) this.#config.sink.onPossibleRestart?.();
        broke = false;
      },
      broke: () => {
        broke = true;
      },
    };
    await listen(port, () => this.#losses === losses && this.#listener === listener, reopening);
  }

  /** Ours, and the person's own, which can't take the place of ours. */
  #headers(own: Headers, message?: OutgoingMessage): Headers {
    const legacy = message?.version === undefined && this.#era !== 'modern';
    const opening = message?.method === 'initialize';
    const session =
      legacy && !opening && this.#session !== undefined ? [['Mcp-Session-Id', this.#session] as const] : [];
    const since = '2025-06-18';
    const version = this.#version;
    const speaks =
      legacy && !opening && version !== undefined && version >= since
        ? [['MCP-Protocol-Version', version] as const]
        : [];
    return withAuthorization(withOwn(this.#config.headers, [...own, ...session, ...speaks]), this.#config.authorizer);
  }

  #requireUsable(): void {
    if (this.#closing !== undefined) throw notConnected();
  }
}

/**
 * True for a 400 whose error answers the request by its id and does not speak of the session: the server has read the
 * request and may have run it. A ping never counts: it is safe to repeat.
 */
function isHandled(status: number, { ids, method }: OutgoingMessage, body?: Uint8Array, error?: RpcError): boolean {
  if (status !== 400 || method === 'ping' || body === undefined || error === undefined) return false;
  return answersOneOf(ids, body) && !/session|initiali[sz]/i.test(error.message);
}

/** The session that an answer hands out: visible ASCII, as the specification wants it. Anything else is not sent back. */
function sessionOf(answer: HttpResponse): string | undefined {
  const said = headerOf(answer.headers, 'mcp-session-id');
  return said !== undefined && /^[\x21-\x7e]{1,1024}$/.test(said) ? said : undefined;
}

/**
 * Why a server that hides its headers refuses a request without a session: it gave one out, but its CORS headers keep that
 * from a page. Right after the handshake there is no other reason; later it has to say so. undefined if it is none of that.
 */
export function hiddenSession(
  status: number,
  method: string | undefined,
  error: RpcError | undefined,
): HttpFailure | undefined {
  if (status !== 400 && status !== 404) return undefined;
  if (method !== INITIALIZED && !/session/i.test(error?.message ?? '')) return undefined;
  return {
    code: 'session-hidden',
    message:
      'The server wants its session back, which this page never saw: Mcp-Session-Id is missing from its Access-Control-Expose-Headers.',
    advice: 'Have it send `Access-Control-Expose-Headers: Mcp-Session-Id`; through the proxy no CORS is needed.',
    status,
    ...(error && { error }),
  };
}
