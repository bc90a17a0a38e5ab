import { redactBody, secretsInBody } from '@/lib/auth/oauth-fetch';
import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { shownData } from '@/lib/transports/http-exchange';
import { mayBeMessage } from '@/lib/transports/http-failures';
import { type Headers, type HttpRequest, headerOf, isJsonBody, mediaType } from '@/lib/transports/http-link';
import { secretsInUrl } from '@/lib/transports/masking';
import { parseOutgoing } from '@/lib/transports/request-headers';
import { SseParser, type StreamEvent } from '@/lib/transports/sse-parser';
import type { Direction } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, type RequestId } from '@/lib/wire/message';
import type { ExchangeEnd, ExchangeRecord } from './exchange-feed';
import type { RecordedSession } from './recorded-session';
import { requestingHost } from './sessions';

/** Bytes of a body that is parsed to find out whose it is. */
const PARSED_BYTES = 1024 * 1024;

const decoder = new TextDecoder();

/** The other exchanges and the sessions, as far as one exchange needs them. */
interface Surroundings {
  readonly url: string;
  sessionOf(message: JsonObject | undefined): RecordedSession;
  bindId(session: RecordedSession, id: string): void;
  bindEndpoint(session: RecordedSession, target: string): void;
  forget(session: RecordedSession): void;
  logMessage(session: RecordedSession, direction: Direction, source: Uint8Array, start?: number, end?: number): void;
  /** This is a GET, and its response an event stream. */
  onStream(session: RecordedSession): void;
  /** Counts bytes in memory. Returns false if there are too many. */
  hold(more: number): boolean;
}

/** One request and its response. Logs both as our own transports do. */
export class TappedExchange {
  readonly #request: Extract<ExchangeRecord, { is: 'request' }>;
  readonly #around: Surroundings;
  session: RecordedSession | undefined;
  #number = 0;
  #chunks: Uint8Array[] = [];
  #held = 0;
  #bytes = 0;
  #sockets: Extract<ExchangeRecord, { is: 'socket' }>[] = [];
  #method = '';
  #ids = new Map<string, RequestId>();
  #isModern = false;
  #isMessage = false;
  #status = 0;
  #headers: Headers = [];
  #events: SseParser | undefined;
  #hasEventId = false;
  #isLost = false;
  /** True if the messages of the response come in records of their own. */
  #isTold = false;

  constructor(request: Extract<ExchangeRecord, { is: 'request' }>, around: Surroundings) {
    this.#request = request;
    this.#around = around;
  }

  /** Takes a piece of the request's body; an empty one ends it. */
  onRequestBytes(bytes: Uint8Array): void {
    if (this.session || this.#isLost) return;
    if (bytes.length === 0) this.#logRequest();
    else this.#keep(bytes);
  }

  onResponseBytes(bytes: Uint8Array): void {
    if (this.#isLost) return;
    if (!this.#events) this.#keep(bytes);
    else if (!this.#hold(bytes.length)) this.#lose();
    else this.#feed(this.#events, bytes);
  }

  #feed(events: SseParser, bytes: Uint8Array): void {
    try {
      events.feed(bytes);
    } catch {
      this.#lose();
    }
  }

  onRecord(record: Exclude<ExchangeRecord, { is: 'request' | 'missing' | 'event' | 'message' }>): void {
    if (record.is === 'socket') {
      if (this.session) this.session.tap.logStep({ kind: 'socket', exchange: this.#number, ...record.attempt });
      else this.#sockets.push(record);
    } else if (record.is === 'response') this.#onResponse(record);
    else if (record.is === 'told') this.#isTold = record.told;
    else if (record.is === 'lost') this.#lose();
    else this.#onEnd(record);
  }

  #keep(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > LIMITS.httpBodyBytes || !this.#hold(bytes.length)) this.#lose();
    else this.#chunks.push(bytes);
  }

  #hold(more: number): boolean {
    this.#held += more;
    return this.#around.hold(more);
  }

  #release(): void {
    this.#around.hold(-this.#held);
    this.#held = 0;
  }

  #takeBody(): Buffer {
    const body = this.#chunks.length === 1 ? asBuffer(this.#chunks[0]!) : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.#release();
    return body;
  }

  /** Logs the request once its body is there, because its message has to be the next frame. */
  #logRequest(): void {
    const { method, target, headers } = this.#request;
    const body = this.#takeBody();
    const path = target.split('?', 1)[0]!;
    const message = method === 'POST' && body.length <= PARSED_BYTES ? objectIn(body) : undefined;
    const session = this.#around.sessionOf(message);
    this.session = session;
    this.#number = session.nextExchange();
    const isElsewhere = !target.startsWith('/');
    const url = isElsewhere ? target : `${new URL(this.#around.url).origin}${target}`;
    const isOther =
      isElsewhere || (!session.hasEndpoint && path !== new URL(this.#around.url).pathname && !isRpc(message));
    this.#isMessage = !isOther;
    const logged = method as HttpRequest['method'];
    session.tap.logRequest(this.#number, logged, url, headers, body.length, isOther ? 'authorization' : undefined);
    if (isOther) {
      if (body.length > 0) this.#logOther(body, true);
    } else if (body.length > 0 && method === 'POST') {
      const outgoing = parseOutgoing(body.length <= PARSED_BYTES ? decoder.decode(body) : '');
      this.#method = outgoing.method ?? '';
      this.#isModern = outgoing.version !== undefined;
      for (const id of outgoing.ids) this.#ids.set(idKey(id), id);
      session.begin(requestingHost(message, headers));
      this.#around.logMessage(session, 'to-server', body);
    }
    // A host that asks for a stream waits for it, perhaps for ever.
    const isStreamWanted = /text\/event-stream/i.test(headerOf(headers, 'accept') ?? '');
    if (!isOther && method === 'GET' && isStreamWanted) session.begin(requestingHost(undefined, headers));
    for (const { attempt } of this.#sockets)
      session.tap.logStep({ kind: 'socket', exchange: this.#number, ...attempt });
  }

  #onResponse({ status, headers }: Extract<ExchangeRecord, { is: 'response' }>): void {
    // A server may answer before it has read everything.
    if (!this.session) this.#logRequest();
    const session = this.session!;
    this.#status = status;
    this.#headers = headers;
    session.tap.logResponse(this.#number, status, headers);
    const id = headerOf(headers, 'mcp-session-id');
    const asked = headerOf(this.#request.headers, 'mcp-session-id');
    if (id !== undefined && id !== asked && status < 300) this.#around.bindId(session, id);
    if (mediaType(headers) === 'text/event-stream' && headerOf(headers, 'content-encoding') === undefined) {
      if (this.#request.method === 'GET') this.#around.onStream(session);
      this.#events = new SseParser(LIMITS.httpBodyBytes, (event, source, start) => this.#onEvent(event, source, start));
    }
  }

  #onEvent(event: StreamEvent, source: Uint8Array, start: number): void {
    const session = this.session!;
    this.#release();
    const { data, ...about } = event;
    if (event.id) this.#hasEventId = true;
    if (data !== undefined && data.length > 0 && (event.event ?? 'message') === 'message') {
      session.tap.logMessageEvent(this.#number, event.id, event.event);
      if (!this.#isTold) this.#around.logMessage(session, 'to-client', source, start, start + data.length);
      this.#settle(data);
      return;
    }
    if (event.event === 'endpoint' && data !== undefined) this.#onEndpoint(session, decoder.decode(data));
    const shown = data && { data: shownData(event.event, data) };
    session.tap.logStep({ kind: 'sse', exchange: this.#number, ...about, ...shown });
  }

  #onEndpoint(session: RecordedSession, text: string): void {
    const base = new URL(this.#request.target, this.#around.url);
    if (!URL.canParse(text, base)) return;
    const { pathname, search } = new URL(text, base);
    session.addSecrets(secretsInUrl(text));
    session.hasEndpoint = true;
    session.begin(requestingHost(undefined, this.#request.headers));
    this.#around.bindEndpoint(session, `${pathname}${search}`);
  }

  #onEnd({ by, code, message }: ExchangeEnd): void {
    if (this.#isLost) return;
    if (!this.session) this.#logRequest();
    const session = this.session!;
    const isStream = this.#events !== undefined;
    if (!isStream && this.#status !== 0 && by === 'server') {
      const body = this.#takeBody();
      if (body.length > 0) this.#logBody(body);
    } else {
      this.#release();
      const ids = [...this.#ids.values()];
      const isCancelled = by === 'client' && this.#isModern;
      // A legacy stream with ids is resumed.
      const isUnanswered = !isCancelled && by !== 'client' && !(this.#hasEventId && !this.#isModern);
      session.tap.logStep({
        kind: 'end',
        exchange: this.#number,
        by,
        ...(code !== undefined && { code }),
        ...(message !== undefined && { message }),
        ...(ids.length > 0 && isUnanswered && { unanswered: ids }),
        ...(ids.length > 0 && isCancelled && { cancelled: ids }),
      });
    }
    this.#endSession(session);
  }

  #logBody(body: Buffer): void {
    const session = this.session!;
    if (!this.#isMessage) {
      this.#logOther(body, false);
      return;
    }
    const exchange = this.#number;
    const isCoded = headerOf(this.#headers, 'content-encoding') !== undefined;
    if (isCoded || !isJsonBody(mediaType(this.#headers), body) || (this.#status >= 400 && !mayBeMessage(body))) {
      const text = isCoded ? '(compressed)' : decoder.decode(body.subarray(0, LIMITS.httpTextBytes));
      session.tap.logStep({ kind: 'body', exchange, bytes: body.length, text });
      return;
    }
    session.tap.logStep({ kind: 'body', exchange, bytes: body.length });
    if (!this.#isTold) this.#around.logMessage(session, 'to-client', body);
  }

  /** Logs a body of OAuth, without its secrets. */
  #logOther(body: Buffer, isRequest: boolean): void {
    const { tap } = this.session!;
    const text = decoder.decode(body.subarray(0, LIMITS.httpTextBytes));
    const secrets = secretsInBody(text);
    this.session!.addSecrets(secrets);
    const shown = redactBody(text, secrets);
    if (isRequest) tap.logRequestBody(this.#number, shown, body.length);
    else tap.logStep({ kind: 'body', exchange: this.#number, bytes: body.length, text: shown });
  }

  /** Notes which requests a message answers. */
  #settle(data: Uint8Array): void {
    if (this.#ids.size === 0 || data.length > PARSED_BYTES) return;
    const message = objectIn(data);
    if (message && own(message, 'method') === undefined) this.#ids.delete(idKey(own(message, 'id')));
  }

  /** Ends the session if this was its last exchange. */
  #endSession(session: RecordedSession): void {
    const { method, headers } = this.#request;
    const hasId = headerOf(headers, 'mcp-session-id') !== undefined;
    const isDeleted = method === 'DELETE' && hasId && this.#status >= 200 && this.#status < 300;
    const isLeft = session.hasEndpoint && method === 'GET' && this.#events !== undefined;
    const isUnknown = hasId && this.#status === 404 && method === 'POST';
    if (isUnknown) {
      const reason = 'The server answered a POST in this session with HTTP 404.';
      session.files.logEvent({ event: 'session-lost', reason });
    }
    if (isDeleted || isLeft || isUnknown) this.#around.forget(session);
  }

  /** Records no more of this exchange. */
  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#chunks = [];
    this.#release();
    this.session?.files.logEvent({ event: 'missing', frames: 1, folded: true });
  }
}

function objectIn(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseBounded(decoder.decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRpc(message: JsonObject | undefined): boolean {
  return message !== undefined && Object.hasOwn(message, 'jsonrpc');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
