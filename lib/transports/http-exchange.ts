import type { HttpFrame } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import type { Headers, HttpAnswer, HttpLink, HttpRequest } from './http-link';
import { mediaType } from './http-link';
import type { HttpTap } from './http-tap';
import { maskedUrl } from './masked-url';
import { SseEvents, type StreamEvent, tooLarge } from './sse-events';
import { ConnectionError, type HttpSink } from './transport';

/** What exchanges of one connection have in common. */
export interface HttpSurroundings {
  readonly sink: HttpSink;
  readonly tap: HttpTap;
  readonly link: HttpLink;
  /** True if these bytes, one message, may concern the engine. Absent: all may. */
  readonly concerns?: (bytes: Uint8Array) => boolean;
}

const decoder = new TextDecoder();

/** One HTTP request and what comes back, every step of it in the log. */
export class HttpExchange {
  readonly number: number;
  readonly #around: HttpSurroundings;
  readonly #controller = new AbortController();
  #ended = false;

  constructor(around: HttpSurroundings) {
    this.#around = around;
    this.number = around.sink.nextExchange();
  }

  /** True once it was closed from our side: whatever fails afterwards is no news. */
  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Writes the request; a message that it carries has to be the next frame. */
  announce(method: HttpRequest['method'], url: string, headers: Headers, body?: Uint8Array): void {
    this.#around.tap.request(this.number, method, url, headers, body?.length ?? 0);
  }

  /** Sends it. Rejects with a ConnectionError. */
  async ask(method: HttpRequest['method'], url: string, headers: Headers, body?: Uint8Array): Promise<HttpAnswer> {
    const { link, tap } = this.#around;
    const answer = await link.ask({
      method,
      url,
      headers,
      ...(body && { body }),
      signal: this.#controller.signal,
      onRedirect: (redirect, next) => {
        tap.response(this.number, redirect.status, redirect.headers);
        tap.request(this.number, next.method, next.url, next.headers, body?.length ?? 0);
      },
    });
    tap.response(this.number, answer.status, answer.headers);
    return answer;
  }

  /**
   * Reads a body that is no event stream. One that calls itself JSON, or looks like it and calls itself nothing, is a
   * protocol frame, and returned; other text is shown with the exchange. Rejects with a ConnectionError.
   */
  async body(answer: HttpAnswer): Promise<Uint8Array | undefined> {
    const bytes = await collect(answer.body);
    if (bytes.length === 0) return undefined;
    const body = { kind: 'body', exchange: this.number, bytes: bytes.length } as const;
    if (!isJson(mediaType(answer.headers), bytes)) {
      this.#note({ ...body, text: decoder.decode(bytes.subarray(0, LIMITS.httpTextBytes)) });
      return undefined;
    }
    this.#note(body);
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
  async stream(answer: HttpAnswer, onEvent: (event: StreamEvent, isMessage: boolean) => void): Promise<void> {
    const events = new SseEvents(LIMITS.httpBodyBytes, (event) => {
      if (this.aborted) return;
      const { data, ...about } = event;
      const isMessage = data !== undefined && data.length > 0 && (event.event ?? 'message') === 'message';
      const shown = isMessage || data === undefined ? about : { ...about, data: shownData(event.event, data) };
      this.#note({ kind: 'sse', exchange: this.number, ...shown });
      if (isMessage) this.#around.sink.frame('protocol', 'to-client', data, 0, data.length, 0);
      onEvent(event, isMessage);
      if (isMessage) this.deliver(data);
    });
    for await (const chunk of answer.body) events.push(chunk);
  }

  /** Writes how it ended. `unanswered`: requests that got no answer by it. */
  end(by: 'server' | 'client' | 'failure', message?: string, unanswered: readonly RequestId[] = []): void {
    this.#ended = true;
    this.#note({
      kind: 'end',
      exchange: this.number,
      by,
      ...(message !== undefined && { message }),
      ...(unanswered.length > 0 && { unanswered }),
    });
  }

  /** Closes it from our side, in whatever state it is. `cancelled`: the requests given up by that. */
  abort(cancelled: readonly RequestId[] = []): void {
    if (this.aborted) return;
    this.#controller.abort();
    if (this.#ended) return;
    this.#note({ kind: 'end', exchange: this.number, by: 'client', ...(cancelled.length > 0 && { cancelled }) });
  }

  #note(frame: HttpFrame): void {
    this.#around.tap.note(frame);
  }
}

/** The address that HTTP+SSE names has the session in it. */
function shownData(event: string | undefined, data: Uint8Array): string {
  const text = decoder.decode(data);
  return event === 'endpoint' ? maskedUrl(text) : text;
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LIMITS.httpBodyBytes) throw tooLarge(LIMITS.httpBodyBytes);
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

function isJson(type: string, bytes: Uint8Array): boolean {
  if (type === '') return bytes[0] === 0x7b || bytes[0] === 0x5b;
  return type === 'application/json' || type.endsWith('+json');
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
