import type { Era, Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import { followStreams, type StreamPort } from './follow-streams';
import { type HttpConfig, pause, surroundingsOf } from './http-config';
import { asConnectionError, HttpExchange, type HttpSurroundings, withAuthorization } from './http-exchange';
import { noAnswer, notConnected, notMcp, refusedAnswer } from './http-failures';
import { type Headers, type HttpAnswer, headerOf, mediaType } from './http-link';
import { INITIALIZED, type Outgoing, readOutgoing } from './outgoing';
import { ParamHeaders } from './param-headers';
import { readRefusal } from './refusal';
import { requestHeaders, withOwn } from './request-headers';
import { hiddenSession, sessionOf } from './session-header';
import { StreamPlace } from './stream-place';
import type { ConnectionError, Transport, Unanswered } from './transport';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

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
      refused: (status, sent) => this.#noteSession(status, sent),
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

  #post(bytes: Uint8Array, text: string): number {
    this.#requireUsable();
    if (!this.#opened) throw notConnected();
    const message = readOutgoing(text);
    const headers = this.#headers(requestHeaders(message, this.#era, this.#version, this.#params), message);
    if (message.method === INITIALIZED) this.#introduction = new AbortController();
    const exchange = new HttpExchange(this.#around);
    exchange.announce('POST', this.#config.url, headers, bytes);
    const seq = this.#config.sink.frame('protocol', 'to-server', bytes, 0, bytes.length, 0);
    this.#active.set(exchange, message.ids);
    void this.#carry(exchange, message, headers, bytes).finally(() => this.#active.delete(exchange));
    return seq;
  }

  /** Sends one message and sees to it that each request in it is answered or known not to be. Never rejects. */
  async #carry(exchange: HttpExchange, message: Outgoing, headers: Headers, bytes: Uint8Array): Promise<void> {
    let why: Unanswered | undefined;
    try {
      const answer = await exchange.askWithin('POST', this.#config.url, headers, bytes);
      why = await this.#answered(exchange, message, answer, headers);
    } catch (error) {
      why = asConnectionError(error);
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
    sent: Headers,
  ): Promise<Unanswered | undefined> {
    const { status } = answer;
    if (status < 200 || status > 299) return this.#refused(exchange, message, answer, sent);
    if (message.method === 'initialize') this.#session = sessionOf(answer);
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

  async #refused(exchange: HttpExchange, message: Outgoing, answer: HttpAnswer, sent: Headers): Promise<Unanswered> {
    const body = await exchange.body(answer);
    this.#noteSession(answer.status, sent);
    const error = body && readRefusal(body);
    const hidden = this.#config.link.hidesHeaders && headerOf(sent, 'mcp-session-id') === undefined;
    return (hidden && hiddenSession(answer.status, message.method, error)) || refusedAnswer(answer, sent, error);
  }

  /** 404 to a request with a session: the server no longer knows it. */
  #noteSession(status: number, sent: Headers): void {
    const session = headerOf(sent, 'mcp-session-id');
    if (status !== 404 || session === undefined || session !== this.#session) return;
    this.#session = undefined;
    this.#config.sink.sessionLost();
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
    const lost = waiting();
    const resumable = legacy && place.lastEventId !== undefined && broke?.code !== 'body-too-large';
    if (!lost || resumable) exchange.end(broke ? 'failure' : 'server', broke);
    if (!lost) return undefined;
    const why = resumable ? await followStreams(this.#streams, place, waiting) : broke;
    return waiting() ? (why ?? noAnswer(answer.status)) : undefined;
  }

  /** The stream that a legacy server may speak on unasked. It needn't have one: 405 is fine. */
  async #listen(): Promise<void> {
    const session = this.#session;
    await followStreams(this.#streams, undefined, () => this.#session === session);
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
