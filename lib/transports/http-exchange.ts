import { joinBytes } from '@/lib/json/typed-arrays';
import type { Clock } from '@/lib/wire/clock';
import { isGzip } from '@/lib/wire/gzip';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { runYielding } from '@/lib/wire/in-slices';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import { type HttpAuthorizer, readChallenge, wantsAuthorization } from './challenge';
import { gatewayFailure, isNetworkFailure, mayBeMessage, readRefusal, refusesSession } from './http-failures';
import {
  type Headers,
  type HttpLink,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  isJsonBody,
  mediaType,
} from './http-link';
import { HttpLogger } from './http-tap';
import { maskedUrl } from './masking';
import { withOwn } from './request-headers';
import { SseParser, type StreamEvent, tooLarge } from './sse-parser';
import { ConnectionError, CUT, type HttpSink, TAKEN } from './transport';

/** Authorizations that one request may go through, because its token is missing, expired or too narrow. */
export const AUTHORIZATIONS = 3;

/** Settings and dependencies of a transport over HTTP. */
export interface HttpConfig {
  readonly url: string;
  /** Sent with every request, never shown. */
  readonly headers: Headers;
  readonly sink: HttpSink;
  readonly link: HttpLink;
  readonly clock: Clock;
  /** Returns true if the message `source[start, end)` may concern the engine. Absent: every message may. */
  readonly mayConcernEngine?: (source: Uint8Array, start: number, end: number) => boolean;
  /** Absent: a refusal is final, as with an `Authorization` header that the user gave. */
  readonly authorizer?: HttpAuthorizer;
  /** See {@link HttpRequest}. */
  readonly postsBecomeGets?: true;
}

/** The common parts of all exchanges of one connection. */
export interface ExchangeContext
  extends Pick<HttpConfig, 'sink' | 'link' | 'mayConcernEngine' | 'authorizer' | 'postsBecomeGets'> {
  readonly tap: HttpLogger;
}

export function exchangeContext({
  sink,
  link,
  mayConcernEngine,
  url,
  headers,
  authorizer,
  postsBecomeGets,
}: HttpConfig): ExchangeContext {
  const tap = new HttpLogger(sink, { url, headers });
  return {
    sink,
    link,
    tap,
    ...(mayConcernEngine && { mayConcernEngine }),
    ...(authorizer && { authorizer }),
    ...(postsBecomeGets && { postsBecomeGets }),
  };
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancelTimer = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      cancelTimer();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Bytes of a refusal that are searched for words about the session. */
const REFUSAL_BYTES = 1000;

/** One HTTP request and its response. Logs every step. */
export class RunningExchange {
  readonly number: number;
  readonly #context: ExchangeContext;
  readonly #controller = new AbortController();
  readonly #about: 'reconnect' | 'server-card' | undefined;
  #ended = false;
  #answered = false;
  #authorizing = false;
  #otherText = '';
  /** A rule took the body, so it must not be delivered. */
  #bodyTaken = false;
  /** Returns what has come of the body, or of the event, that is being read. */
  #arrived: (() => Uint8Array | undefined) | undefined;

  /** `about`: the purpose of an exchange that carries no message. */
  constructor(context: ExchangeContext, about?: 'reconnect' | 'server-card') {
    this.#context = context;
    this.#about = about;
    this.number = context.sink.nextExchange();
  }

  /** True once we have closed the exchange. Later failures are only a consequence. */
  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** True once a response began. */
  get answered(): boolean {
    return this.#answered;
  }

  /** True from a refusal that asks for authorization until the next response. */
  get authorizing(): boolean {
    return this.#authorizing;
  }

  /** Logs the request. The message that it carries has to be the next frame. */
  announce(method: HttpRequest['method'], url: string, headers: Headers, body?: Uint8Array): void {
    this.#context.tap.logRequest(this.number, method, url, headers, body?.length ?? 0, this.#about);
  }

  /** Sends the request. Rejects with a ConnectionError. */
  async send(method: HttpRequest['method'], url: string, headers: Headers, body?: Uint8Array): Promise<HttpResponse> {
    const { tap, authorizer, postsBecomeGets } = this.#context;
    const proven = authorizer?.prove?.(method, url, headers);
    const answer = await this.#reach({
      method,
      url,
      headers: proven ? await proven : headers,
      ...(body && { body }),
      ...(postsBecomeGets && { postsBecomeGets }),
      signal: this.#controller.signal,
      onSocket: (attempt) => this.#note({ kind: 'socket', exchange: this.number, ...attempt }),
      onProbe: (probe) => this.#note({ kind: 'cors-probe', exchange: this.number, ...probe }),
      onRedirect: (redirect, next) => {
        tap.logResponse(this.number, redirect.status, redirect.headers);
        const bytes = next?.method === method ? (body?.length ?? 0) : 0;
        if (next) tap.logRequest(this.number, next.method, next.url, next.headers, bytes);
      },
    });
    tap.logResponse(this.number, answer.status, answer.headers, answer.partial);
    authorizer?.onResponse?.(url, answer.headers);
    this.#answered = true;
    const away = gatewayFailure(answer.status);
    if (away) this.#context.sink.onUnreachable?.(away);
    else this.#context.sink.onReached?.();
    return answer;
  }

  /** Sends, and reports to the sink whether the server was reached. */
  async #reach(request: HttpRequest): Promise<HttpResponse> {
    const { link, sink } = this.#context;
    try {
      return await link.send(request);
    } catch (error) {
      const why = asConnectionError(error);
      if (this.aborted) throw why;
      if (isNetworkFailure(why)) sink.onUnreachable?.(why);
      // The server did respond, but the page may not read the response.
      else if (this.#about === 'reconnect') sink.onReached?.();
      throw why;
    }
  }

  /**
   * Sends the request, and sends it again with a new `Authorization` while the server asks for one and the authorizer
   * obtains it. All responses belong to this exchange. Rejects with a ConnectionError.
   */
  async sendAuthorized(
    method: HttpRequest['method'],
    url: string,
    headers: Headers,
    body?: Uint8Array,
  ): Promise<HttpResponse> {
    const { authorizer, tap } = this.#context;
    let sent = headers;
    for (let before = 0; ; before++) {
      const answer = await this.send(method, url, sent, body);
      const { status } = answer;
      this.#authorizing = false;
      if (authorizer === undefined || !wantsAuthorization(status, answer.headers)) return answer;
      // After a redirect to another origin, the refusal is not from our server.
      if (before === AUTHORIZATIONS || new URL(answer.url).origin !== new URL(url).origin) return answer;
      const text = await collectStart(answer.body, LIMITS.httpTextBytes);
      if (isAboutSession(answer, sent, text)) return { ...answer, body: once(text) };
      this.#authorizing = true;
      this.#showBody(text);
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

  /** The start of the body if it was text, or JSON that is not a message; else ''. */
  get otherText(): string {
    return this.#otherText;
  }

  /**
   * Reads a body that is not an event stream. JSON becomes a protocol frame and is returned. Other text becomes part of
   * an http frame, and so does JSON in a refusal that is not a message. Rejects with a ConnectionError.
   */
  async body(answer: HttpResponse): Promise<Uint8Array | undefined> {
    const chunks: Uint8Array[] = [];
    this.#arrived = () => joinBytes(chunks);
    const bytes = await collect(answer.body, LIMITS.httpBodyBytes, chunks);
    this.#arrived = undefined;
    if (bytes.length === 0) return undefined;
    if (isGzip(bytes) && answer.status <= 299) {
      this.#showBody(bytes);
      throw encodingMissing();
    }
    if (!isJsonBody(mediaType(answer.headers), bytes) || (answer.status >= 400 && !mayBeMessage(bytes))) {
      this.#showBody(bytes);
      this.#otherText = decoder.decode(bytes.subarray(0, REFUSAL_BYTES));
      return undefined;
    }
    this.#note({ kind: 'body', exchange: this.number, bytes: bytes.length });
    const seq = this.#context.sink.appendFrame('protocol', 'to-client', bytes, 0, bytes.length, 0);
    if (seq === CUT) throw streamCut();
    this.#bodyTaken = seq === TAKEN;
    return bytes;
  }

  /** Reads a body that is not a message, and logs its first 64 KB. Rejects with a ConnectionError. */
  async text(answer: HttpResponse): Promise<void> {
    this.#showBody(await collectStart(answer.body, LIMITS.httpTextBytes + 1));
  }

  /** Passes the logged body on if it may concern the engine. */
  deliverBody(bytes: Uint8Array): void {
    if (!this.#bodyTaken) this.#deliver(bytes, 0, bytes.length);
  }

  /** Passes the logged message `source[start, end)` on if it may concern the engine. */
  #deliver(source: Uint8Array, start: number, end: number): void {
    const { sink, mayConcernEngine } = this.#context;
    if (mayConcernEngine && !mayConcernEngine(source, start, end)) return;
    sink.onMessage(decoder.decode(source.subarray(start, end)));
  }

  /**
   * Reads an event stream to its end. For each event: logs it, calls `onEvent`, then delivers its message. Rejects with
   * a ConnectionError when the stream breaks.
   */
  async stream(answer: HttpResponse, onEvent: (event: StreamEvent, isMessage: boolean) => void): Promise<void> {
    const { sink, tap } = this.#context;
    const { signal } = this.#controller;
    const events = new SseParser(LIMITS.httpBodyBytes, (event, source, start) => {
      if (signal.aborted) return;
      const { data, ...about } = event;
      if (data !== undefined && data.length > 0 && (event.event ?? 'message') === 'message') {
        const end = start + data.length;
        tap.logMessageEvent(this.number, event.id, event.event);
        const seq = sink.appendFrame('protocol', 'to-client', source, start, end, 0);
        // As if it had broken before this event, so that a resumed stream sends it again.
        if (seq === CUT) throw streamCut();
        onEvent(event, true);
        if (seq !== TAKEN) this.#deliver(source, start, end);
        return;
      }
      const shown = data && { data: shownData(event.event, data) };
      this.#note({ kind: 'sse', exchange: this.number, ...about, ...shown });
      onEvent(event, false);
    });
    this.#arrived = () => events.unfinished()?.data;
    let isFirst = true;
    for await (const chunk of answer.body) {
      if (isFirst && isGzip(chunk)) throw encodingMissing();
      isFirst = false;
      // Others have their turn, whatever the server sends.
      await runYielding(events.feedInSteps(chunk));
    }
    const cut = signal.aborted ? undefined : events.unfinished();
    this.#arrived = undefined;
    if (events.fieldless !== '') this.#showBody(encoder.encode(events.fieldless));
    if (!cut?.data) return;
    const { data, event, id } = cut;
    const start = shownData(event, data.subarray(0, LIMITS.httpTextBytes));
    const about = { ...(event !== undefined && { event }), ...(id !== undefined && { id }) };
    this.#note({ kind: 'sse', exchange: this.number, ...about, data: start, unfinished: true });
  }

  /**
   * Logs the end. `unanswered`: requests that the exchange left without an answer. `retryMs`: milliseconds until the
   * next attempt.
   */
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

  /** Closes the exchange from our side, in any state. `cancelled`: the requests that this cancels. */
  abort(cancelled: readonly RequestId[] = []): void {
    if (this.aborted) return;
    this.#controller.abort();
    if (this.#ended) return;
    this.#showBody(this.#arrived?.() ?? NOTHING, true);
    this.#note({ kind: 'end', exchange: this.number, by: 'client', ...(cancelled.length > 0 && { cancelled }) });
  }

  /** Logs a body that is not a message. `isCut`: it has no end. */
  #showBody(bytes: Uint8Array, isCut = false): void {
    if (bytes.length === 0) return;
    const text = isGzip(bytes) ? '(compressed)' : decoder.decode(bytes.subarray(0, LIMITS.httpTextBytes));
    this.#note({ kind: 'body', exchange: this.number, bytes: bytes.length, text, ...(isCut && { cut: true }) });
  }

  #note(frame: HttpFrame): void {
    this.#context.tap.logStep(frame);
  }
}

/** True for a refusal that does not ask for a sign-in, but says that the server does not know the session. */
function isAboutSession({ headers }: HttpResponse, sent: Headers, body: Uint8Array): boolean {
  if (readChallenge(headers).scheme !== undefined || headerOf(sent, 'mcp-session-id') === undefined) return false;
  return refusesSession(decoder.decode(body.subarray(0, REFUSAL_BYTES)), readRefusal(body));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Returns the headers with the authorizer's current `Authorization`, if it has one. */
export function withAuthorization(headers: Headers, authorizer: HttpAuthorizer | undefined): Headers {
  const own = authorizer?.headers() ?? [];
  return own.length === 0 ? headers : withOwn(headers, own);
}

/**
 * Returns the text to show for an event that is not a message. The `endpoint` of HTTP+SSE holds a session, which is
 * masked.
 */
export function shownData(event: string | undefined, data: Uint8Array): string {
  const text = decoder.decode(data);
  return event === 'endpoint' ? maskedUrl(text) : text;
}

/**
 * Reads a whole body. Rejects with a ConnectionError if it is longer than `limit` bytes or breaks. `chunks` then has
 * what has come.
 */
export async function collect(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  chunks: Uint8Array[] = [],
): Promise<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

const NOTHING = new Uint8Array();

/** Reads the first `most` bytes of a body and drops the rest. */
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

function encodingMissing(): ConnectionError {
  return new ConnectionError({
    code: 'encoding-missing',
    message: 'The server’s response is compressed with gzip, but has no `Content-Encoding: gzip` header.',
    advice: 'Make the server, or a proxy in front of it, send that header, or no compression.',
  });
}

function streamCut(): ConnectionError {
  return new ConnectionError({
    code: 'stream-cut',
    message: 'A rule cut the stream of this exchange.',
    advice: 'Remove the rule to go on.',
  });
}

/** Turns any error into a ConnectionError. */
export function asConnectionError(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  return new ConnectionError({
    code: 'network-error',
    message: `The HTTP exchange failed: ${error instanceof Error ? error.message : String(error)}.`,
    advice: 'Check the URL and that the server runs.',
  });
}
