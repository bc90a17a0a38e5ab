import type { RequestId } from '@/lib/json/value';
import {
  asConnectionError,
  type ExchangeContext,
  exchangeContext,
  type HttpConfig,
  HttpExchange,
  pause,
  withAuthorization,
} from './http-exchange';
import { notConnected, notMcp, readRefusal, refusedAnswer } from './http-failures';
import { type Headers, mediaType } from './http-link';
import { maskedUrl } from './masking';
import { INITIALIZED, parseOutgoing, withOwn } from './request-headers';
import { ConnectionError, type HttpFailure, type Transport } from './transport';

/** How long the first event of HTTP+SSE, the address for messages, may take. */
const ENDPOINT_MS = 30_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * HTTP+SSE, the transport of 2024-11-05: one event stream that the server answers on for as long as the connection lives,
 * and an address, told by its first event, that takes each message as a POST. Without the stream there is no connection.
 */
export class SseTransport implements Transport {
  readonly #config: HttpConfig;
  readonly #around: ExchangeContext;
  readonly #posts = new Set<HttpExchange>();
  /** Aborted when the server has taken `notifications/initialized`. */
  #introduction = new AbortController();
  #stream: HttpExchange | undefined;
  #endpoint: string | undefined;
  /** Settles after `ended`. */
  #over: Promise<void> | undefined;
  #closed = false;
  #version: string | undefined;

  constructor(config: HttpConfig) {
    this.#config = config;
    this.#around = exchangeContext(config);
  }

  async open(): Promise<void> {
    if (this.#closed) throw notConnected();
    const stream = new HttpExchange(this.#around);
    this.#stream = stream;
    let reading: Promise<ConnectionError> | undefined;
    let callOff = (): void => {};
    try {
      await new Promise<void>((resolve, reject) => {
        const wait = (): void => {
          callOff = this.#config.clock.after(ENDPOINT_MS, () => {
            // The server can't go on while it is being signed in to.
            if (stream.authorizing) wait();
            else reject(noEndpoint());
          });
        };
        wait();
        const answered = (): void => {
          callOff();
          wait();
        };
        reading = this.#read(stream, answered, resolve);
        void reading.then(reject);
      });
    } catch (error) {
      stream.abort();
      this.#config.link.close();
      throw error;
    } finally {
      callOff();
    }
    this.#over = reading?.then((failure) => this.#finish(failure));
  }

  send(text: string): number {
    return this.#post(encoder.encode(text), text);
  }

  /** A body has no line to end, so `terminate` means nothing here. */
  sendRaw(bytes: Uint8Array): number {
    return this.#post(bytes.slice(), decoder.decode(bytes));
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  whenInitialized(withinMs: number): Promise<void> {
    return pause(this.#config.clock, withinMs, this.#introduction.signal);
  }

  cancelSignIn(): boolean {
    return this.#config.authorizer?.cancelSignIn() ?? false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#config.authorizer?.close();
    this.#stream?.abort();
    await this.#over;
  }

  /**
   * Reads the stream to its end and says why it ended; `answered` when it begins, `ready` once it has told where messages
   * go. Never rejects.
   */
  async #read(stream: HttpExchange, answered: () => void, ready: () => void): Promise<ConnectionError> {
    const { url } = this.#config;
    const headers = this.#headers([['Accept', 'text/event-stream']]);
    try {
      stream.announce('GET', url, headers);
      const answer = await stream.sendAuthorized('GET', url, headers);
      const type = mediaType(answer.headers);
      if (answer.status !== 200 || type !== 'text/event-stream') {
        await stream.body(answer);
        const why = answer.status === 200 ? notMcp(200, type) : refusedAnswer(answer, headers);
        if (!stream.aborted) stream.end('server', why);
        return new ConnectionError(why);
      }
      answered();
      await stream.stream(answer, ({ event, data }) => {
        if (event !== 'endpoint' || data === undefined || this.#endpoint !== undefined) return;
        this.#endpoint = endpointOf(decoder.decode(data), answer.url, url);
        ready();
      });
      if (!stream.aborted) stream.end('server');
      return this.#endpoint === undefined ? noEndpoint() : streamLost('The server ended its event stream.');
    } catch (error) {
      const failure = asConnectionError(error);
      if (!stream.aborted) stream.end('failure', failure);
      return this.#endpoint === undefined || failure.code === 'body-too-large' ? failure : streamLost(failure.message);
    }
  }

  #finish(failure: ConnectionError): void {
    const asked = this.#closed;
    this.#closed = true;
    this.#introduction.abort();
    for (const post of this.#posts) post.abort();
    this.#config.authorizer?.close();
    this.#config.link.close();
    this.#config.sink.ended({ code: null, signal: null, ...(!asked && { failure }) });
  }

  #post(bytes: Uint8Array, text: string): number {
    const endpoint = this.#endpoint;
    if (this.#closed || endpoint === undefined) throw notConnected();
    const { ids, method } = parseOutgoing(text);
    const headers = this.#headers([['Content-Type', 'application/json']]);
    const exchange = new HttpExchange(this.#around);
    exchange.announce('POST', endpoint, headers, bytes);
    const seq = this.#config.sink.frame('protocol', 'to-server', bytes, 0, bytes.length, 0);
    this.#posts.add(exchange);
    const carried = this.#carry(exchange, endpoint, headers, bytes, ids).finally(() => this.#posts.delete(exchange));
    if (method === INITIALIZED) {
      const introduction = new AbortController();
      this.#introduction = introduction;
      void carried.then(() => introduction.abort());
    }
    return seq;
  }

  /** The answer comes on the stream; the POST's own only says that the message was taken. Never rejects. */
  async #carry(
    exchange: HttpExchange,
    endpoint: string,
    headers: Headers,
    bytes: Uint8Array,
    ids: readonly RequestId[],
  ): Promise<void> {
    let why: HttpFailure;
    try {
      const answer = await exchange.sendAuthorized('POST', endpoint, headers, bytes);
      const body = await exchange.body(answer);
      if (answer.status >= 200 && answer.status <= 299) return;
      why = refusedAnswer(answer, headers, body && readRefusal(body));
    } catch (error) {
      why = asConnectionError(error);
    }
    if (exchange.aborted) return;
    exchange.end(why.status === undefined ? 'failure' : 'server', why, ids);
    const { sink } = this.#config;
    for (const id of ids) if (sink.awaits(id)) sink.onUnanswered(id, why);
  }

  #headers(own: Headers): Headers {
    const version = this.#version;
    const speaks = version !== undefined && version >= '2025-06-18' ? [['MCP-Protocol-Version', version] as const] : [];
    return withAuthorization(withOwn(this.#config.headers, [...own, ...speaks]), this.#config.authorizer);
  }
}

/**
 * Where messages go, as the stream at `base` says. Everything sent there has our headers, so it may only be the origin that
 * the person gave, `home`: not one that a redirect led to either.
 */
function endpointOf(said: string, base: string, home: string): string {
  const endpoint = URL.canParse(said, base) ? new URL(said, base) : undefined;
  if (endpoint !== undefined && endpoint.origin === new URL(home).origin && !endpoint.username && !endpoint.password) {
    return endpoint.href;
  }
  throw new ConnectionError({
    code: 'endpoint-refused',
    message: `The server wants messages sent to ${JSON.stringify(maskedUrl(said).slice(0, 200))}, which is not the origin of its URL.`,
    advice:
      'Make its endpoint event name a path on the same scheme, host and port, or give the address that it redirects to.',
  });
}

function noEndpoint(): ConnectionError {
  return new ConnectionError({
    code: 'no-endpoint',
    message: 'The server opened an event stream, but did not say where to send messages.',
    advice: 'Check that the URL is that of an HTTP+SSE server: most are at /sse.',
  });
}

function streamLost(what: string): ConnectionError {
  return new ConnectionError({
    code: 'stream-lost',
    message: `${what.replace(/\.$/, '')}, and without it this transport has no connection.`,
    advice: 'Restart the connection; if it happens again, see the server’s own log.',
  });
}
