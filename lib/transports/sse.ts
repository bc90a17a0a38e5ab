import type { AuthStep } from '@/lib/wire/auth-step';
import { countOf } from '@/lib/wire/format';
import type { RequestId } from '@/lib/wire/message';
import { METHOD } from '@/lib/wire/protocol-names';
import {
  asConnectionError,
  type ExchangeContext,
  exchangeContext,
  type HttpConfig,
  pause,
  RunningExchange,
  withAuthorization,
} from './http-exchange';
import { notConnected, notMcp, readRefusal, refusedAnswer } from './http-failures';
import { type Headers, mediaType } from './http-link';
import { maskedUrl } from './masking';
import { parseOutgoing, withOwn } from './request-headers';
import { ConnectionError, type HttpFailure, type Transport } from './transport';

/** Milliseconds to wait for the response to the GET, and again for the first event, which names the endpoint. */
const ENDPOINT_MS = 30_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * HTTP+SSE, the transport of 2024-11-05. The server answers on one event stream, which lives as long as the connection.
 * Its first event names the endpoint that messages are posted to.
 */
export class SseTransport implements Transport {
  readonly #config: HttpConfig;
  readonly #context: ExchangeContext;
  readonly #posts = new Set<RunningExchange>();
  /** Aborted when the server has processed `notifications/initialized`. */
  #initialized = new AbortController();
  #stream: RunningExchange | undefined;
  #endpoint: string | undefined;
  /** Settles after `onEnd`. */
  #ended: Promise<void> | undefined;
  #closed = false;
  #version: string | undefined;

  constructor(config: HttpConfig) {
    this.#config = config;
    this.#context = exchangeContext(config);
  }

  async open(withinMs = ENDPOINT_MS): Promise<void> {
    if (this.#closed) throw notConnected();
    const stream = new RunningExchange(this.#context);
    this.#stream = stream;
    let reading: Promise<ConnectionError> | undefined;
    let cancelTimer = (): void => {};
    try {
      await new Promise<void>((resolve, reject) => {
        const wait = (): void => {
          cancelTimer = this.#config.clock.after(withinMs, () => {
            // A sign-in has its own time limit.
            if (stream.authorizing) wait();
            else reject(stream.answered ? noEndpoint(withinMs) : unanswered(withinMs));
          });
        };
        wait();
        const onAnswer = (): void => {
          cancelTimer();
          wait();
        };
        reading = this.#read(stream, onAnswer, resolve);
        void reading.then(reject);
      });
    } catch (error) {
      stream.abort();
      this.#config.link.close();
      throw error;
    } finally {
      cancelTimer();
    }
    this.#ended = reading?.then((failure) => this.#finish(failure));
  }

  send(text: string): number {
    return this.#post(encoder.encode(text), text);
  }

  /** An HTTP body is not a line, so `terminate` has no effect. */
  sendRaw(bytes: Uint8Array): number {
    return this.#post(bytes.slice(), decoder.decode(bytes));
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  whenInitialized(withinMs: number): Promise<void> {
    return pause(this.#config.clock, withinMs, this.#initialized.signal);
  }

  cancelSignIn(): boolean {
    return this.#config.authorizer?.cancelSignIn() ?? false;
  }

  runAuthStep(step: AuthStep, signal: AbortSignal): Promise<void> | undefined {
    return this.#config.authorizer?.runStep?.(step, signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#config.authorizer?.close();
    this.#stream?.abort();
    await this.#ended;
  }

  /**
   * Reads the stream and resolves with the reason of its end. Calls `onAnswer` when it begins, and `onReady` when it
   * has named the endpoint. Never rejects.
   */
  async #read(stream: RunningExchange, onAnswer: () => void, onReady: () => void): Promise<ConnectionError> {
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
      onAnswer();
      await stream.stream(answer, ({ event, data }) => {
        if (event !== 'endpoint' || data === undefined || this.#endpoint !== undefined) return;
        this.#endpoint = endpointOf(decoder.decode(data), answer.url, url);
        onReady();
      });
      if (!stream.aborted) stream.end('server');
      return this.#endpoint === undefined ? endedEarly() : streamLost('The server ended its event stream.');
    } catch (error) {
      const failure = asConnectionError(error);
      if (!stream.aborted) stream.end('failure', failure);
      return this.#endpoint === undefined || failure.code === 'body-too-large' ? failure : streamLost(failure.message);
    }
  }

  #finish(failure: ConnectionError): void {
    const closedByUs = this.#closed;
    this.#closed = true;
    this.#initialized.abort();
    for (const post of this.#posts) post.abort();
    this.#config.authorizer?.close();
    this.#config.link.close();
    this.#config.sink.onEnd({ code: null, signal: null, ...(!closedByUs && { failure }) });
  }

  #post(bytes: Uint8Array, text: string): number {
    const endpoint = this.#endpoint;
    if (this.#closed || endpoint === undefined) throw notConnected();
    const { ids, method } = parseOutgoing(text);
    const headers = this.#headers([['Content-Type', 'application/json']]);
    const exchange = new RunningExchange(this.#context);
    exchange.announce('POST', endpoint, headers, bytes);
    const seq = this.#config.sink.appendFrame('protocol', 'to-server', bytes, 0, bytes.length, 0);
    this.#posts.add(exchange);
    const carried = this.#sendMessage(exchange, endpoint, headers, bytes, ids).finally(() =>
      this.#posts.delete(exchange),
    );
    if (method === METHOD.initialized) {
      const initialized = new AbortController();
      this.#initialized = initialized;
      void carried.then(() => initialized.abort());
    }
    return seq;
  }

  /** Sends one message. The answer comes on the stream; the HTTP response only confirms the message. Never rejects. */
  async #sendMessage(
    exchange: RunningExchange,
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
 * Returns the endpoint that the stream at `base` named. Messages carry the user's headers, so the endpoint must have
 * the origin of `home`, the URL that the user gave. The origin of a redirect's target is not accepted.
 */
function endpointOf(said: string, base: string, home: string): string {
  const endpoint = URL.canParse(said, base) ? new URL(said, base) : undefined;
  if (endpoint !== undefined && endpoint.origin === new URL(home).origin && !endpoint.username && !endpoint.password) {
    return endpoint.href;
  }
  throw new ConnectionError({
    code: 'endpoint-refused',
    message: `The server named the endpoint ${JSON.stringify(maskedUrl(said).slice(0, 200))}, whose origin is not ${new URL(home).origin}, that of its URL.`,
    advice:
      'Make its endpoint event name a path, or a URL with the same scheme, host and port. If the server redirects, connect to the final URL.',
  });
}

function unanswered(withinMs: number): ConnectionError {
  return new ConnectionError({
    code: 'get-unanswered',
    message: `The server did not answer the GET that starts HTTP+SSE within ${countOf(withinMs / 1000, 'second')}.`,
    advice: 'Check that the URL is that of an HTTP+SSE server, and that no proxy buffers its stream.',
  });
}

function noEndpoint(withinMs: number): ConnectionError {
  return new ConnectionError({
    code: 'no-endpoint',
    message: `The server opened an event stream, but sent no endpoint event within ${countOf(withinMs / 1000, 'second')}.`,
    advice: NOT_SSE,
  });
}

function endedEarly(): ConnectionError {
  return new ConnectionError({
    code: 'no-endpoint',
    message: 'The server opened an event stream, and ended it without an endpoint event.',
    advice: NOT_SSE,
  });
}

const NOT_SSE = 'Check that the URL is that of an HTTP+SSE server: most are at /sse.';

function streamLost(what: string): ConnectionError {
  return new ConnectionError({
    code: 'stream-lost',
    message: `${what.replace(/\.$/, '')}. HTTP+SSE needs this stream, so the connection is lost.`,
    advice: 'Restart the connection. If it happens again, check the server’s own log.',
  });
}
