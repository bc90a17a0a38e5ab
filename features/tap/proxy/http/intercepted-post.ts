import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { textOrJson } from '@/lib/json/value';
import { mayBeMessage } from '@/lib/transports/http-failures';
import { type Headers, headerOf, isJsonBody, mediaType } from '@/lib/transports/http-link';
import { parseOutgoing } from '@/lib/transports/request-headers';
import { ConnectionError } from '@/lib/transports/transport';
import { INTERCEPT_LIMITS } from '@/lib/wire/intercept';
import { standardHeaders } from '@/lib/wire/repeated-headers';
import type { Egress } from '@/proxy/egress/egress';
import { EventRelay } from './event-relay';
import type { ExchangeFeed, RecordedExchange } from './exchange-feed';
import { brokenOff, recordedFailure, requireStatus } from './failures';
import type { HostResponse, ResponseHead } from './host-response';
import type { PassingSession } from './passing-session';
import { type Origins, pairs, responseHeaders, responseReason, rewrittenRequestHeaders } from './rewrites';
import type { ExchangeRoute, Fate, Made } from './session-rules';

/** The proxy around an exchange. */
export interface AroundPost {
  readonly url: URL;
  readonly origins: Origins;
  readonly egress: Pick<Egress, 'pass'>;
  readonly log: ExchangeFeed | undefined;
  note(sentence: string): void;
  /** Says what can't work, from the beginning of a response. */
  onResponse(status: number, headers: Headers, hadToken: boolean): void;
  bindId(session: PassingSession, id: string): void;
  onEndpoint(session: PassingSession, text: string): void;
}

/** The request of a host: a POST with a message. */
export interface PostRequest {
  readonly target: string;
  /** As the host sent them. */
  readonly headers: Headers;
}

/** A message that a host posts, and the response, while rules decide over both. */
export class InterceptedPost {
  readonly #around: AroundPost;
  readonly #session: PassingSession;
  readonly #request: PostRequest;
  readonly #host: HostResponse;
  readonly #abort = new AbortController();
  #isMessage = true;

  constructor(around: AroundPost, session: PassingSession, request: PostRequest, host: HostResponse) {
    this.#around = around;
    this.#session = session;
    this.#request = request;
    this.#host = host;
  }

  /** Shows the message to the rules, and passes it on if none takes it. */
  begin(body: Uint8Array): void {
    const session = this.#session;
    session.onMessage('to-server', body);
    this.#host.enter();
    if (session.rules?.onMessage('to-server', body, this.#requestRoute(body)) === 'taken') return;
    this.#send(body, this.#headersOf(body.length));
    this.#host.leave();
  }

  /** Passes a body on that is not a message. */
  pass(body: Uint8Array): void {
    this.#isMessage = false;
    this.#send(body, this.#headersOf(body.length));
  }

  /** The host has left. */
  abort(): void {
    this.#abort.abort();
  }

  #requestRoute(body: Uint8Array): ExchangeRoute {
    const [session, host] = [this.#session, this.#host];
    return {
      host,
      toServer: (bytes) => {
        const headers = this.#headersOf(bytes.length);
        this.#send(bytes, Buffer.compare(bytes, body) === 0 ? headers : this.#followBody(headers, bytes));
      },
      toClient: (bytes, made, log) => {
        const to = session.hasEndpoint ? session.stream : host;
        return to !== undefined && sendMessage(to, bytes, made, log);
      },
      settle: (fate) => {
        // A request that is dropped gets no answer, so the host waits for one.
        if (fate !== 'dropped' || session.hasEndpoint || !parseOutgoing(String(Buffer.from(body))).ids.length) {
          queueMicrotask(() => host.leave());
        }
      },
      cut: () => host.cut(),
    };
  }

  #headersOf(bytes: number): Headers {
    const headers = rewrittenRequestHeaders(this.#request.headers, this.#around.origins);
    const rest = headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    return [...rest, ['Content-Length', String(bytes)]];
  }

  /** Repeats the parts of a changed message in headers, if the host did that (2026-07-28). */
  #followBody(headers: Headers, bytes: Uint8Array): Headers {
    if (headerOf(headers, 'mcp-method') === undefined) return headers;
    const { text, method, params } = parseOutgoing(new TextDecoder().decode(bytes));
    const called = method === 'tools/call' ? textOrJson(params.name) : undefined;
    const { tools } = this.#session.rules ?? {};
    const isKnown = called === undefined || tools?.knows(called) === true;
    // Without the tool's schema, nobody knows which arguments they repeat.
    const repeated = isKnown ? /^mcp-(?:method|name|param-.*)$/i : /^mcp-(?:method|name)$/i;
    return [
      ...headers.filter(([name]) => !repeated.test(name)),
      ...standardHeaders(method, params),
      ...(isKnown && called !== undefined ? tools!.headersFor(called, text) : []),
    ];
  }

  #send(bytes: Uint8Array, headers: Headers): void {
    const { log } = this.#around;
    const { target } = this.#request;
    const exchange = log?.begin('POST', target, headers, this.#isMessage ? this.#session.name : undefined);
    if (bytes.length > 0) void exchange?.onBody('request', bytes);
    exchange?.onRequestEnd();
    this.#host.enter();
    this.#host.onLeave(() => exchange?.onEnd({ by: 'client' }));
    this.#exchange(bytes, headers, exchange)
      .finally(() => this.#host.leave())
      // One exchange must not end the others.
      .catch(() => this.#host.cut());
  }

  async #exchange(bytes: Uint8Array, headers: Headers, exchange: RecordedExchange | undefined): Promise<void> {
    const { url, egress, note } = this.#around;
    try {
      const message = await egress.pass({
        method: 'POST',
        origin: url,
        target: this.#request.target,
        headers,
        signal: this.#abort.signal,
        body: Readable.from([bytes], { objectMode: false }),
        onSocket: (attempt) => exchange?.onSocket(attempt),
      });
      await this.#read(message, exchange);
    } catch (error) {
      const { code, message, advice } = error as ConnectionError;
      if (this.#abort.signal.aborted) return;
      exchange?.onEnd({ by: 'failure', code, message });
      note(error instanceof ConnectionError ? `${message} ${advice}` : `Passing a request failed: ${message}`);
      const body = Buffer.from(`mcp-inspect tap: ${message}\n`);
      const type = ['Content-Type', 'text/plain; charset=utf-8'] as const;
      this.#host.sendBody({ status: 502, headers: [type] }, body);
    }
  }

  /** Reads a response of the server. Rejects if it breaks off before it has begun to pass. */
  async #read(message: IncomingMessage, exchange: RecordedExchange | undefined): Promise<void> {
    const { origins, onResponse, bindId } = this.#around;
    const [session, host] = [this.#session, this.#host];
    const status = requireStatus(message);
    const given = pairs(message.rawHeaders);
    exchange?.onResponse(status, given);
    onResponse(status, given, headerOf(this.#request.headers, 'authorization') !== undefined);
    const asked = headerOf(this.#request.headers, 'mcp-session-id');
    const id = headerOf(given, 'mcp-session-id');
    if (this.#isMessage && id !== undefined && id !== asked && status < 300) bindId(session, id);
    const head = { status, text: responseReason(message), headers: responseHeaders(given, origins) };
    const type = mediaType(given);
    const isCoded = headerOf(given, 'content-encoding') !== undefined;
    if (type === 'text/event-stream' && !isCoded && this.#isMessage) {
      host.beginStream(head);
      await this.#relay(message, exchange);
      return;
    }
    // After a 404, the session is over, and its recording too.
    const isLost = status === 404 && asked !== undefined;
    const isOther = !this.#isMessage || isCoded || isLost || (type !== '' && !isJsonBody(type, NOTHING));
    const body = await this.#readBody(message, exchange, head, isOther);
    if (!body) return;
    const isMessage = body.length > 0 && isJsonBody(type, body) && (status < 400 || mayBeMessage(body));
    if (isMessage) exchange?.tellMessages(true);
    exchange?.onEnd({ by: 'server' });
    if (isMessage) this.#onMessage(head, body);
    else host.sendBody(head, body);
  }

  /** Reads a body that may be a message. Passes any other one on, and returns undefined. */
  async #readBody(
    message: IncomingMessage,
    exchange: RecordedExchange | undefined,
    head: ResponseHead,
    isOther: boolean,
  ): Promise<Buffer | undefined> {
    const host = this.#host;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let passes = isOther;
    if (passes) host.beginOther(head);
    try {
      for await (const chunk of message as AsyncIterable<Buffer>) {
        await exchange?.onBody('response', chunk);
        bytes += chunk.length;
        if (!passes) chunks.push(chunk);
        else host.pass(chunk);
        if (!passes && bytes > INTERCEPT_LIMITS.messageBytes) {
          passes = true;
          const begun = Buffer.concat(chunks.splice(0));
          this.#session.rules?.onMessage('to-client', begun, this.#bodyRoute());
          host.beginOther(head);
          host.pass(begun);
        }
        await host.drained();
      }
    } catch {
      throw brokenOff();
    }
    if (!message.complete) throw brokenOff();
    if (!passes) return Buffer.concat(chunks);
    exchange?.onEnd({ by: 'server' });
    return undefined;
  }

  #onMessage(head: ResponseHead, body: Buffer): void {
    const [session, host] = [this.#session, this.#host];
    session.onMessage('to-client', body);
    host.setHead(head);
    session.rules?.learnTools(body);
    host.enter();
    if (session.rules?.onMessage('to-client', body, this.#bodyRoute()) === 'taken') return;
    this.#around.log?.logMessage({ session: session.name, channel: 'protocol', direction: 'to-client' }, body);
    host.send(body);
    host.leave();
  }

  #bodyRoute(): ExchangeRoute {
    const host = this.#host;
    return {
      host,
      toServer: () => {},
      toClient: (bytes: Uint8Array, made: Made, log: () => void) => sendMessage(host, bytes, made, log),
      // Without its answer, the host waits.
      settle: (fate: Fate) => void (fate !== 'dropped' && queueMicrotask(() => host.leave())),
      cut: () => host.cut(),
    };
  }

  #relay(message: IncomingMessage, exchange: RecordedExchange | undefined): Promise<void> {
    const [around, session] = [this.#around, this.#session];
    const relay = new EventRelay({
      session,
      host: this.#host,
      exchange,
      log: around.log,
      onEndpoint: () => {},
      post: (bytes) => postAnswer(around, session, this.#request, bytes),
    });
    return new Promise((resolve) => {
      message.on('data', (chunk: Buffer) => {
        const waiting = relay.feed(chunk);
        if (!waiting) return;
        message.pause();
        void waiting.then(() => message.resume());
      });
      message.once('close', () => {
        const isBroken = !message.complete;
        if (!this.#abort.signal.aborted) {
          exchange?.onEnd(isBroken ? { by: 'failure', ...recordedFailure(brokenOff()) } : { by: 'server' });
        }
        relay.end(isBroken);
        resolve();
      });
    });
  }
}

const NOTHING = new Uint8Array(0);
/** Headers of a request that say nothing about another one of the same session. */
const OWN_HEADERS =
  /^(?:content-length|content-type|accept|last-event-id|mcp-method|mcp-name|mcp-param-.*|transfer-encoding)$/i;

/** Sends a host a message outside an event of the server. Returns false if it can't get it. */
function sendMessage(host: HostResponse, bytes: Uint8Array, made: Made, log: () => void): boolean {
  if (host.isOver || (made === 'progress' && !host.canStream)) return false;
  if (made === 'progress') host.beginStream();
  log();
  host.send(bytes);
  return true;
}

/** Posts the answer of a rule to a request of the server, as the host of another request would. */
export function postAnswer(
  { url, origins, egress, log }: AroundPost,
  session: PassingSession,
  like: PostRequest,
  bytes: Uint8Array,
): void {
  const headers: Headers = [
    ...rewrittenRequestHeaders(like.headers, origins).filter(([name]) => !OWN_HEADERS.test(name)),
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ['Content-Length', String(bytes.length)],
  ];
  const target = session.endpoint ?? like.target;
  const exchange = log?.begin('POST', target, headers, session.name);
  void exchange?.onBody('request', bytes);
  exchange?.onRequestEnd();
  const body = Readable.from([bytes], { objectMode: false });
  const { signal } = new AbortController();
  egress
    .pass({ method: 'POST', origin: url, target, headers, body, signal, onSocket: (at) => exchange?.onSocket(at) })
    .then(async (message) => {
      exchange?.onResponse(message.statusCode ?? 0, pairs(message.rawHeaders));
      for await (const chunk of message as AsyncIterable<Buffer>) void exchange?.onBody('response', chunk);
      exchange?.onEnd({ by: 'server' });
    })
    .catch((error: ConnectionError) => exchange?.onEnd({ by: 'failure', ...recordedFailure(error) }));
}
