import type { AuthStep } from '@/lib/wire/auth-step';
import type { Era, Failure } from '@/lib/wire/lifecycle';
import type { RequestId, RpcError } from '@/lib/wire/message';
import { METHOD } from '@/lib/wire/protocol-names';
import { ParamHeaders } from '@/lib/wire/repeated-headers';
import {
  type ListenPort,
  listenToEvents,
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
  pause,
  RunningExchange,
  withAuthorization,
} from './http-exchange';
import {
  answersOneOf,
  deniesSession,
  gatewayFailure,
  isNetworkFailure,
  noAnswer,
  notConnected,
  notMcp,
  readRefusal,
  refusedAnswer,
  refusesSession,
  sessionForgotten,
} from './http-failures';
import { type Headers, type HttpResponse, headerOf, mediaType } from './http-link';
import { sendAsHosts } from './look-further';
import { type OutgoingMessage, parseOutgoing, requestHeaders, withOwn } from './request-headers';
import type { ConnectionError, HttpFailure, Transport } from './transport';

/** Milliseconds that the response to a cancelled request is still read. */
export const CANCELLED_MS = 5000;
/** Milliseconds to wait for the DELETE of a session, so that a slow server can't keep us from closing. */
const HTTP_CLOSE_MS = 2000;
/** Milliseconds to wait for a response when reconnecting. Longer than connecting and TLS may take. */
const SERVER_RETRY_ANSWER_MS = 30_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How a message was sent. */
interface Sent {
  readonly headers: Headers;
  /** Number of sessions lost before the message was sent. A lost session that was not replaced does not count. */
  readonly losses: number;
}

/**
 * Streamable HTTP of both eras: every message is a POST, answered by JSON or an event stream. The legacy era adds
 * sessions, a stream for the server's own messages, and resumption. The modern era adds headers that repeat parts of
 * the message, and cancels by closing the response.
 */
export class StreamableHttp implements Transport {
  readonly hasManyStreams = true;
  readonly #config: HttpConfig;
  readonly #context: ExchangeContext;
  readonly #streams: StreamPort;
  readonly #params = new ParamHeaders();
  /** Running exchanges, with the requests they carry. */
  readonly #active = new Map<RunningExchange, readonly RequestId[]>();
  /** Aborted when the transport closes. */
  readonly #closed = new AbortController();
  /**
   * Aborted when the server has processed `notifications/initialized` and has opened or refused the listening stream.
   */
  #initialized = new AbortController();
  #opened = false;
  /** `onEnd` was called. */
  #reportedEnd = false;
  #closing: Promise<void> | undefined;
  #era: Era | undefined;
  #version: string | undefined;
  #session: string | undefined;
  /** Number of lost sessions, including those without an id. */
  #losses = 0;
  /** The last session was lost, and no new one has begun. */
  #forgotten = false;
  /** The server has accepted a request in this session. */
  #worked = false;
  /** The latest GET for the listening stream. */
  #listener: RunningExchange | undefined;
  /** The server has opened a listening stream. */
  #offersStream = false;

  constructor(config: HttpConfig) {
    this.#config = config;
    this.#context = exchangeContext(config);
    this.#streams = {
      config,
      context: this.#context,
      closed: this.#closed.signal,
      headers: (own) => this.#headers(own),
      track: (exchange) => {
        this.#active.set(exchange, []);
        return () => this.#active.delete(exchange);
      },
      onAnswer: () => this.#initialized.abort(),
    };
  }

  async open(): Promise<void> {
    this.#requireUsable();
    this.#opened = true;
  }

  send(text: string): number {
    return this.#post(encoder.encode(text), text);
  }

  /** An HTTP body is not a line, so `terminate` has no effect. */
  sendRaw(bytes: Uint8Array): number {
    return this.#post(bytes.slice(), decoder.decode(bytes));
  }

  setProtocolVersion(version: string, era: Era): void {
    this.#version = version;
    this.#era = era;
  }

  whenInitialized(withinMs: number): Promise<void> {
    return pause(this.#config.clock, withinMs, this.#initialized.signal);
  }

  cancel(id: RequestId): boolean {
    if (this.#era !== 'modern') {
      void this.#abortLater(id);
      return false;
    }
    for (const [exchange, ids] of this.#active) if (ids.includes(id)) exchange.abort([id]);
    return true;
  }

  cancelSignIn(): boolean {
    return this.#config.authorizer?.cancelSignIn() ?? false;
  }

  runAuthStep(step: AuthStep, signal: AbortSignal): Promise<void> | undefined {
    return this.#config.authorizer?.runStep?.(step, signal);
  }

  sendAsHosts(signal: AbortSignal): Promise<void> {
    return sendAsHosts(this.#config, this.#context, this.#session, signal);
  }

  /** Stops reading the response to a cancelled request after a while, because servers may never end it. */
  async #abortLater(id: RequestId): Promise<void> {
    await pause(this.#config.clock, CANCELLED_MS, this.#closed.signal);
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
    this.#closed.abort();
    this.#initialized.abort();
    this.#config.authorizer?.close();
    for (const exchange of this.#active.keys()) exchange.abort();
    if (this.#session !== undefined && this.#era !== 'modern') await this.#endSession();
    this.#config.link.close();
    this.#reportEnd();
  }

  #reportEnd(failure?: Failure): void {
    if (this.#reportedEnd) return;
    this.#reportedEnd = true;
    this.#config.sink.onEnd({ code: null, signal: null, ...(failure && { failure }) });
  }

  /** Deletes the session. Servers may refuse (405) or not answer. */
  async #endSession(): Promise<void> {
    const exchange = new RunningExchange(this.#context);
    const cancelTimer = this.#config.clock.after(HTTP_CLOSE_MS, () => exchange.abort());
    try {
      const headers = this.#headers([]);
      exchange.announce('DELETE', this.#config.url, headers);
      await exchange.body(await exchange.send('DELETE', this.#config.url, headers));
    } catch (error) {
      if (!exchange.aborted) exchange.end('failure', asConnectionError(error));
    }
    cancelTimer();
  }

  async reconnect(retryMs: number): Promise<void> {
    if (this.#closing !== undefined) return;
    const { clock, sink } = this.#config;
    // The server accepted the connection, so it is back. Only the headers of a stream may take this long.
    const silent = new AbortController();
    const cancelTimer = clock.after(SERVER_RETRY_ANSWER_MS, () => {
      sink.onReached?.();
      silent.abort();
    });
    await new Promise<void>((done) => {
      silent.signal.addEventListener('abort', () => done(), { once: true });
      if (this.#era === 'legacy' && this.#offersStream) void this.#listen({ retryMs, done });
      else void this.#tryGet(retryMs, silent.signal).then(done);
    });
    cancelTimer();
  }

  /** Sends a GET to find out whether the server is back. A message would fill the log in an hour of attempts. */
  async #tryGet(retryMs: number, silent: AbortSignal): Promise<void> {
    const exchange = new RunningExchange(this.#context, 'reconnect');
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
    if (message.method === METHOD.initialized) this.#initialized = new AbortController();
    const exchange = new RunningExchange(this.#context);
    const losses = this.#forgotten ? this.#losses - 1 : this.#losses;
    exchange.announce('POST', this.#config.url, headers, bytes);
    const seq = this.#config.sink.appendFrame('protocol', 'to-server', bytes, 0, bytes.length, 0);
    this.#active.set(exchange, message.ids);
    void this.#sendMessage(exchange, message, { headers, losses }, bytes).finally(() => this.#active.delete(exchange));
    return seq;
  }

  /** Sends one message, and reports every request in it that stays unanswered. Never rejects. */
  async #sendMessage(
    exchange: RunningExchange,
    message: OutgoingMessage,
    sent: Sent,
    bytes: Uint8Array,
  ): Promise<void> {
    let why: HttpFailure | undefined;
    try {
      const answer = await exchange.sendAuthorized('POST', this.#config.url, sent.headers, bytes);
      why = await this.#readAnswer(exchange, message, answer, sent);
    } catch (error) {
      why = asConnectionError(error);
      if (exchange.answered && !exchange.aborted && isNetworkFailure(why)) this.#config.sink.onPossibleRestart?.();
    }
    if (why === undefined || exchange.aborted) return;
    if (message.method === METHOD.initialized) this.#initialized.abort();
    exchange.end(why.status === undefined ? 'failure' : 'server', why, message.ids);
    const { sink } = this.#config;
    for (const id of message.ids) if (sink.awaits(id)) sink.onUnanswered(id, why);
    // Every further request would fail the same way.
    if (why.code === 'session-hidden') this.#reportEnd(why);
  }

  /** Reads a response. Returns the reason if it leaves requests of the message unanswered. */
  async #readAnswer(
    exchange: RunningExchange,
    message: OutgoingMessage,
    answer: HttpResponse,
    sent: Sent,
  ): Promise<HttpFailure | undefined> {
    const { status } = answer;
    if (status < 200 || status > 299) return this.#refused(exchange, message, answer, sent);
    const worked = this.#worked;
    if (message.method === 'initialize') {
      this.#session = sessionOf(answer);
      this.#forgotten = false;
      this.#worked = false;
    } else if (message.ids.length > 0) this.#worked = true;
    const legacy = message.version === undefined && this.#era !== 'modern';
    const type = mediaType(answer.headers);
    if (type === 'text/event-stream') return this.#readStream(exchange, message, answer, legacy);
    const body = await exchange.body(answer);
    const refusal = body && worked && deniesSession(body);
    if (refusal && this.#isForgotten(status, message, sent, true, refusal)) return sessionForgotten(status, refusal);
    if (legacy && message.method === METHOD.initialized) void this.#listen();
    if (body !== undefined) this.#deliver(exchange, message, body);
    if (!message.ids.some((id) => this.#config.sink.awaits(id))) return undefined;
    if (body !== undefined) return noAnswer(status, type, message.method);
    // Some legacy servers answer a request with 202, and send its result on their listening stream.
    if (status === 202 && legacy && this.#era === 'legacy') return undefined;
    return status === 202 ? noAnswer(status, type, message.method) : notMcp(status, type);
  }

  async #refused(
    exchange: RunningExchange,
    message: OutgoingMessage,
    answer: HttpResponse,
    sent: Sent,
  ): Promise<HttpFailure> {
    const body = await exchange.body(answer);
    const { status } = answer;
    const error = body && readRefusal(body);
    const text = exchange.otherText;
    const answers = body !== undefined && answersOneOf(message.ids, body);
    const isPlain = headerOf(answer.headers, 'www-authenticate') === undefined && !(status === 400 && answers);
    const isWorded = isPlain && SESSION_STATUSES.has(status) && refusesSession(text, error);
    const refused = this.#worked && (isWorded || status === 410);
    if (!isHandled(status, message, body, error) && this.#isForgotten(status, message, sent, refused, error))
      return sessionForgotten(status, error, text);
    const hidden = this.#config.link.hidesHeaders && headerOf(sent.headers, 'mcp-session-id') === undefined;
    return (hidden && hiddenSession(status, message.method, error)) || refusedAnswer(answer, sent.headers, error);
  }

  /**
   * True if the refusal of a POST means that the session is gone: 404 to a session (2025-11-25, session management),
   * or, as with many servers, 400 after the connection was lost. `refused`: a session that had worked was refused, in
   * words or with 410.
   */
  #isForgotten(
    status: number,
    { method, version }: OutgoingMessage,
    { headers, losses }: Sent,
    refused: boolean,
    error?: RpcError,
  ): boolean {
    const { sink } = this.#config;
    if (this.#era !== 'legacy' || version !== undefined || method === 'initialize') return false;
    if (!refused && status !== 404 && status !== 400) return false;
    const session = headerOf(headers, 'mcp-session-id');
    // The message was sent in a session that is known to be lost.
    if (losses < this.#losses) return true;
    const isGone = refused && session !== undefined && session === this.#session;
    if (!isGone && (status === 404 ? session === undefined : !(sink.mayHaveRestarted?.() ?? false))) {
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
        : isGone
          ? `The server refused, with HTTP ${status}, a session that it had accepted before.`
          : 'The server answered a POST with HTTP 400, and may have restarted.',
    );
    return true;
  }

  #deliver(exchange: RunningExchange, message: OutgoingMessage, bytes: Uint8Array): void {
    if (message.method === 'tools/list') this.#params.learnTools(decoder.decode(bytes));
    exchange.deliverBody(bytes);
  }

  async #readStream(
    exchange: RunningExchange,
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
    return waiting() ? (why ?? noAnswer(answer.status, mediaType(answer.headers), message.method)) : undefined;
  }

  /** Opens the stream for a legacy server's own messages. Servers need not offer one. Replaces an earlier stream. */
  async #listen(reopening?: Reopening): Promise<void> {
    const losses = this.#losses;
    this.#listener?.abort();
    this.#listener = undefined;
    let listener: RunningExchange | undefined;
    let broke = false;
    const port: ListenPort = {
      ...this.#streams,
      track: (exchange) => {
        listener = exchange;
        this.#listener = exchange;
        return this.#streams.track(exchange);
      },
      onAnswer: (opened) => {
        this.#streams.onAnswer(opened);
        if (opened) this.#offersStream = true;
        // Without a session, nothing shows whether the server restarted.
        if (opened && broke && this.#session === undefined) this.#config.sink.onPossibleRestart?.();
        broke = false;
      },
      onBroken: () => {
        broke = true;
      },
    };
    await listenToEvents(port, () => this.#losses === losses && this.#listener === listener, reopening);
  }

  /** Returns the user's headers and ours, which win over the same name. */
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

/** Statuses with which servers refuse, in words, a session that they don't know any more. */
const SESSION_STATUSES: ReadonlySet<number> = new Set([400, 401]);

/**
 * Returns true for a 400 with an error that has the request's id and does not mention the session. Then the server has
 * read the request and may have run it. Returns false for a ping, which is safe to repeat.
 */
function isHandled(status: number, { ids, method }: OutgoingMessage, body?: Uint8Array, error?: RpcError): boolean {
  if (status !== 400 || method === 'ping' || body === undefined || error === undefined) return false;
  return answersOneOf(ids, body) && !/session|initiali[sz]/i.test(error.message);
}

/** Returns the session id in a response, which may be a long token. An id with other than visible ASCII is ignored. */
function sessionOf(answer: HttpResponse): string | undefined {
  const said = headerOf(answer.headers, 'mcp-session-id');
  return said !== undefined && /^[\x21-\x7e]+$/.test(said) ? said : undefined;
}

/**
 * Returns a failure if a server refuses a request because the page could not read the session id: its CORS headers
 * don't expose it. That is clear right after the handshake. Later, the error has to mention the session.
 */
export function hiddenSession(
  status: number,
  method: string | undefined,
  error: RpcError | undefined,
): HttpFailure | undefined {
  if (status !== 400 && status !== 404) return undefined;
  if (method !== METHOD.initialized && !/session/i.test(error?.message ?? '')) return undefined;
  return {
    code: 'session-hidden',
    message:
      'The server expects a session id that this page can’t read: its Access-Control-Expose-Headers lacks Mcp-Session-Id.',
    advice: 'Make it send `Access-Control-Expose-Headers: Mcp-Session-Id`, or connect through the proxy.',
    status,
    ...(error && { error }),
  };
}
