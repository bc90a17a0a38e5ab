import type { RequestId } from '@/lib/json/value';
import type { Clock } from '@/lib/wire/clock';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { type HttpAuthorizer, readChallenge, wantsAuthorization } from './challenge';
import { gatewayFailure, isNetworkFailure, mayBeMessage } from './http-failures';
import {
  type Headers,
  type HttpLink,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  isJsonBody,
  mediaType,
} from './http-link';
import { HttpTap } from './http-tap';
import { maskedUrl } from './masking';
import { withOwn } from './request-headers';
import { SseParser, type StreamEvent, tooLarge } from './sse-parser';
import { ConnectionError, type HttpSink } from './transport';

/** Refusals of one request that are answered with another `Authorization`: a token that is old, missing or too narrow. */
export const AUTHORIZATIONS = 3;

/** What a transport over HTTP needs. */
export interface HttpConfig {
  readonly url: string;
  /** Sent with every request, and never shown. */
  readonly headers: Headers;
  readonly sink: HttpSink;
  readonly link: HttpLink;
  readonly clock: Clock;
  /** True if these bytes, one message, may concern the engine. Absent: all may. */
  readonly concerns?: (bytes: Uint8Array) => boolean;
  /** Absent: what the server refuses stays refused, as with an `Authorization` of the person's own. */
  readonly authorizer?: HttpAuthorizer;
}

/** What its exchanges have in common. */
export function exchangeContext({ sink, link, concerns, url, headers, authorizer }: HttpConfig): ExchangeContext {
  const tap = new HttpTap(sink, { url, headers });
  return { sink, link, tap, ...(concerns && { concerns }), ...(authorizer && { authorizer }) };
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const callOff = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      callOff();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** What exchanges of one connection have in common. */
export interface ExchangeContext {
  readonly sink: HttpSink;
  readonly tap: HttpTap;
  readonly link: HttpLink;
  /** True if these bytes, one message, may concern the engine. Absent: all may. */
  readonly concerns?: (bytes: Uint8Array) => boolean;
  readonly authorizer?: HttpAuthorizer;
}

const decoder = new TextDecoder();

/** One HTTP request and what comes back, every step of it in the log. */
export class HttpExchange {
  readonly number: number;
  readonly #around: ExchangeContext;
  readonly #controller = new AbortController();
  readonly #about: 'reconnect' | undefined;
  #ended = false;
  #answered = false;
  #authorizing = false;

  /** `about`: why it carries no message. */
  constructor(around: ExchangeContext, about?: 'reconnect') {
    this.#around = around;
    this.#about = about;
    this.number = around.sink.nextExchange();
  }

  /** True once it was closed from our side: whatever fails afterwards is no news. */
  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** True once an answer began. */
  get answered(): boolean {
    return this.#answered;
  }

  /** True from a refusal that has to do with authorization until the answer that follows it. */
  get authorizing(): boolean {
    return this.#authorizing;
  }

  /** Writes the request; a message that it carries has to be the next frame. */
  announce(method: HttpRequest['method'], url: string, headers: Headers, body?: Uint8Array): void {
    this.#around.tap.logRequest(this.number, method, url, headers, body?.length ?? 0, this.#about);
  }

  /** Sends it. Rejects with a ConnectionError. */
  async send(method: HttpRequest['method'], url: string, headers: Headers, body?: Uint8Array): Promise<HttpResponse> {
    const { tap } = this.#around;
    const answer = await this.#reach({
      method,
      url,
      headers,
      ...(body && { body }),
      signal: this.#controller.signal,
      onSocket: (attempt) => this.#note({ kind: 'socket', exchange: this.number, ...attempt }),
      onProbe: (probe) => this.#note({ kind: 'cors-probe', exchange: this.number, ...probe }),
      onRedirect: (redirect, next) => {
        tap.logResponse(this.number, redirect.status, redirect.headers);
        if (next) tap.logRequest(this.number, next.method, next.url, next.headers, body?.length ?? 0);
      },
    });
    tap.logResponse(this.number, answer.status, answer.headers, answer.partial);
    this.#answered = true;
    const away = gatewayFailure(answer.status);
    if (away) this.#around.sink.onUnreachable?.(away);
    else this.#around.sink.onReached?.();
    return answer;
  }

  /** Asks, and tells the sink if the server can't be reached. */
  async #reach(request: HttpRequest): Promise<HttpResponse> {
    const { link, sink } = this.#around;
    try {
      return await link.send(request);
    } catch (error) {
      const why = asConnectionError(error);
      if (this.aborted) throw why;
      if (isNetworkFailure(why)) sink.onUnreachable?.(why);
      // It answers, though not to us: a page may not read every answer.
      else if (this.#about === 'reconnect') sink.onReached?.();
      throw why;
    }
  }

  /**
   * Sends it, and again with another `Authorization` each time the server wants to know better who asks, as long as the
   * authorizer finds one; the answers on the way are of the same exchange. Rejects with a ConnectionError.
   */
  async sendAuthorized(
    method: HttpRequest['method'],
    url: string,
    headers: Headers,
    body?: Uint8Array,
  ): Promise<HttpResponse> {
    const { authorizer, tap } = this.#around;
    let sent = headers;
    for (let before = 0; ; before++) {
      const answer = await this.send(method, url, sent, body);
      const { status } = answer;
      this.#authorizing = false;
      if (authorizer === undefined || !wantsAuthorization(status, answer.headers)) return answer;
      // After a redirect to another origin it is not our server that asks.
      if (before === AUTHORIZATIONS || new URL(answer.url).origin !== new URL(url).origin) return answer;
      this.#authorizing = true;
      this.#showBody(await collectStart(answer.body, LIMITS.httpTextBytes));
      await authorizer.authorize({
        status,
        challenge: readChallenge(answer.headers),
        sent: headerOf(sent, 'authorization'),
        before,
        signal: this.#controller.signal,
      });
      sent = withAuthorization(sent, authorizer);
      tap.logRequest(this.number, method, url, sent, body?.length ?? 0);
    }
  }

  /**
   * Reads a body that is not an event stream. JSON is a protocol frame, and returned. Other text, and the JSON of a
   * refusal that is not a message, is shown with the exchange. Rejects with a ConnectionError.
   */
  async body(answer: HttpResponse): Promise<Uint8Array | undefined> {
    const bytes = await collect(answer.body);
    if (bytes.length === 0) return undefined;
    if (!isJsonBody(mediaType(answer.headers), bytes) || (answer.status >= 400 && !mayBeMessage(bytes))) {
      this.#showBody(bytes);
      return undefined;
    }
    this.#note({ kind: 'body', exchange: this.number, bytes: bytes.length });
    this.#around.sink.frame('protocol', 'to-client', bytes, 0, bytes.length, 0);
    return bytes;
  }

  /** Hands a message that has its frame to the engine, if that may want it. */
  deliver(bytes: Uint8Array): void {
    const { sink, concerns } = this.#around;
    if (concerns === undefined || concerns(bytes)) sink.message(decoder.decode(bytes));
  }

  /**
   * Reads an event stream to its end. `onEvent` is called after the event's frames; messages in it are delivered after
   * that. Rejects with a ConnectionError when the stream breaks.
   */
  async stream(answer: HttpResponse, onEvent: (event: StreamEvent, isMessage: boolean) => void): Promise<void> {
    const events = new SseParser(LIMITS.httpBodyBytes, (event) => {
      if (this.aborted) return;
      const { data, ...about } = event;
      const isMessage = data !== undefined && data.length > 0 && (event.event ?? 'message') === 'message';
      const shown = isMessage || data === undefined ? about : { ...about, data: shownData(event.event, data) };
      this.#note({ kind: 'sse', exchange: this.number, ...shown });
      if (isMessage) this.#around.sink.frame('protocol', 'to-client', data, 0, data.length, 0);
      onEvent(event, isMessage);
      if (isMessage) this.deliver(data);
    });
    for await (const chunk of answer.body) events.feed(chunk);
  }

  /** Writes how it ended. `unanswered`: requests that got no answer by it. `retryMs`: when we try again. */
  end(
    by: 'server' | 'client' | 'failure',
    why?: Pick<Failure, 'code' | 'message'>,
    unanswered: readonly RequestId[] = [],
    retryMs?: number,
  ): void {
    this.#ended = true;
    this.#note({
      kind: 'end',
      exchange: this.number,
      by,
      ...(why && { code: why.code, message: why.message }),
      ...(unanswered.length > 0 && { unanswered }),
      ...(retryMs !== undefined && { retryMs }),
    });
  }

  /** Closes it from our side, in whatever state it is. `cancelled`: the requests given up by that. */
  abort(cancelled: readonly RequestId[] = []): void {
    if (this.aborted) return;
    this.#controller.abort();
    if (this.#ended) return;
    this.#note({ kind: 'end', exchange: this.number, by: 'client', ...(cancelled.length > 0 && { cancelled }) });
  }

  /** Shows a body that is no message. */
  #showBody(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const text = decoder.decode(bytes.subarray(0, LIMITS.httpTextBytes));
    this.#note({ kind: 'body', exchange: this.number, bytes: bytes.length, text });
  }

  #note(frame: HttpFrame): void {
    this.#around.tap.logStep(frame);
  }
}

/** The headers with what the authorizer has to say, in place of what was said before. */
export function withAuthorization(headers: Headers, authorizer: HttpAuthorizer | undefined): Headers {
  const value = authorizer?.header();
  return value === undefined ? headers : withOwn(headers, [['Authorization', value]]);
}

/** The text of an event that is no message: the address that HTTP+SSE names has the session in it, which is masked. */
export function shownData(event: string | undefined, data: Uint8Array): string {
  const text = decoder.decode(data);
  return event === 'endpoint' ? maskedUrl(text) : text;
}

/** All of a body. Rejects with a ConnectionError if it is too large or breaks. */
export async function collect(
  body: AsyncIterable<Uint8Array>,
  limit: number = LIMITS.httpBodyBytes,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The beginning of a body that nobody needs all of; the rest is not waited for. */
async function collectStart(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const start = new Uint8Array(most);
  let at = 0;
  for await (const chunk of body) {
    start.set(chunk.subarray(0, most - at), at);
    at = Math.min(most, at + chunk.length);
    if (at === most) break;
  }
  return start.subarray(0, at);
}

/** Any error as one for people. */
export function asConnectionError(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  return new ConnectionError({
    code: 'network-error',
    message: `The HTTP exchange failed: ${error instanceof Error ? error.message : String(error)}.`,
    advice: 'Check the URL and that the server runs.',
  });
}
