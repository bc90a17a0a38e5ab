import type { Era, Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId, RpcError } from '@/lib/wire/message';
import { type ListenPort, listen, type Reopening, resumeStream, type StreamPort } from './follow-streams';
import { type HttpConfig, pause, surroundingsOf } from './http-config';
import { asConnectionError, HttpExchange, type HttpSurroundings, withAuthorization } from './http-exchange';
import {
  gatewayFailure,
  isNetworkFailure,
  noAnswer,
  notConnected,
  notMcp,
  refusedAnswer,
  sessionForgotten,
} from './http-failures';
import { type Headers, type HttpAnswer, headerOf, mediaType } from './http-link';
import { INITIALIZED, type Outgoing, readOutgoing } from './outgoing';
import { ParamHeaders } from './param-headers';
import { answersOneOf, readRefusal } from './refusal';
import { requestHeaders, withOwn } from './request-headers';
import { hiddenSession, sessionOf } from './session-header';
import { StreamPlace } from './stream-place';
import type { ConnectionError, Transport, Unanswered } from './transport';

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
  readonly #around: HttpSurroundings;
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
    this.#around = surroundingsOf(config);
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

  negotiated(version: string, era: Era): void {
    this.#version = version;
    this.#era = era;
  }

  introduced(withinMs: number): Promise<void> {
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

  abandonSignIn(): boolean {
    return this.#config.authorizer?.abandon() ?? false;
  }

  /** Servers may leave the response to a cancelled request open for ever: after a while, nobody reads it any more. */
  async #letGo(id: RequestId): Promise<void> {
    await pause(this.#config.clock, LIMITS.cancelledMs, this.#over.signal);
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
    const callOff = this.#config.clock.after(LIMITS.httpCloseMs, () => exchange.abort());
    try {
      const headers = this.#headers([]);
      exchange.announce('DELETE', this.#config.url, headers);
      await exchange.body(await exchange.ask('DELETE', this.#config.url, headers));
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
    const callOff = clock.after(LIMITS.serverRetryAnswerMs, () => {
      sink.reached?.();
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
      const { status } = await exchange.ask('GET', this.#config.url, headers);
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
    const message = readOutgoing(text);
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
  async #carry(exchange: HttpExchange, message: Outgoing, sent: Sent, bytes: Uint8Array): Promise<void> {
    let why: Unanswered | undefined;
    try {
      const answer = await exchange.askWithin('POST', this.#config.url, sent.headers, bytes);
      why = await this.#answered(exchange, message, answer, sent);
    } catch (error) {
      why = asConnectionError(error);
      if (exchange.answered && !exchange.aborted && isNetworkFailure(why)) this.#config.sink.doubtful?.();
    }
    if (why === undefined || exchange.aborted) return;
    if (message.method === INITIALIZED) this.#introduction.abort();
    exchange.end(why.status === undefined ? 'failure' : 'server', why, message.ids);
    this.#giveUp(message.ids, why);
    // Whatever is asked next, this server will not know who asks.
    if (why.code === 'session-hidden') this.#tellEnd(why);
  }

  #giveUp(ids: readonly RequestId[], why: Unanswered): void {
    const { sink } = this.#config;
    for (const id of ids) if (sink.awaits(id)) sink.unanswered(id, why);
  }

  /** undefined if nothing is left to be told to those who wait. */
  async #answered(
    exchange: HttpExchange,
    message: Outgoing,
    answer: HttpAnswer,
    sent: Sent,
  ): Promise<Unanswered | undefined> {
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

  async #refused(exchange: HttpExchange, message: Outgoing, answer: HttpAnswer, sent: Sent): Promise<Unanswered> {
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
  #isForgotten(status: number, { method, version }: Outgoing, { headers, losses }: Sent, error?: RpcError): boolean {
    const { sink } = this.#config;
    if (this.#era !== 'legacy' || version !== undefined || method === 'initialize') return false;
    if (status !== 404 && status !== 400) return false;
    const session = headerOf(headers, 'mcp-session-id');
    // Sent in a session whose loss is known already.
    if (losses < this.#losses) return true;
    if (status === 404 ? session === undefined : !(sink.mayHaveRestarted?.() ?? false)) {
      if (session !== undefined && /session/i.test(error?.message ?? '')) sink.doubtful?.();
      return false;
    }
    this.#session = undefined;
    this.#offersStream = false;
    this.#forgotten = true;
    this.#losses++;
    sink.sessionLost(
      status === 404
        ? 'The server answered a POST in this session with HTTP 404.'
        : 'The server answered a POST with HTTP 400, and may have restarted.',
    );
    return true;
  }

  #deliver(exchange: HttpExchange, message: Outgoing, bytes: Uint8Array): void {
    if (message.method === 'tools/list') this.#params.learn(decoder.decode(bytes));
    exchange.deliver(bytes);
  }

  async #streamed(
    exchange: HttpExchange,
    message: Outgoing,
    answer: HttpAnswer,
    legacy: boolean,
  ): Promise<Unanswered | undefined> {
    const place = new StreamPlace();
    const waiting = (): boolean => message.ids.some((id) => this.#config.sink.awaits(id));
    let broke: ConnectionError | undefined;
    try {
      await exchange.stream(answer, (event, isMessage) => {
        place.note(event);
        if (isMessage && message.method === 'tools/list') this.#params.learn(decoder.decode(event.data));
      });
    } catch (error) {
      broke = asConnectionError(error);
    }
    if (exchange.aborted) return undefined;
    if (broke && isNetworkFailure(broke)) this.#config.sink.doubtful?.();
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
        if (opened && broke && this.#session === undefined) this.#config.sink.doubtful?.();
        broke = false;
      },
      broke: () => {
        broke = true;
      },
    };
    await listen(port, () => this.#losses === losses && this.#listener === listener, reopening);
  }

  /** Ours, and the person's own, which can't take the place of ours. */
  #headers(own: Headers, message?: Outgoing): Headers {
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
function isHandled(status: number, { ids, method }: Outgoing, body?: Uint8Array, error?: RpcError): boolean {
  if (status !== 400 || method === 'ping' || body === undefined || error === undefined) return false;
  return answersOneOf(ids, body) && !/session|initiali[sz]/i.test(error.message);
}
