import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { Headers, HttpAnswer, HttpLink, HttpRequest, RedirectedRequest } from '@/lib/transports/http-link';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { AddressClass } from './address-class';
import { ACCEPTED_ENCODINGS, decoded } from './decoding';
import { networkFailure } from './network-failure';
import { isRedirect, redirected } from './redirect';
import { pin, type Resolver, systemResolver } from './resolve';

export interface EgressOptions {
  readonly clock: Clock;
  /** For `User-Agent`. */
  readonly version: string;
  /** Link-local addresses and metadata services may be reached. */
  readonly allowLocal: boolean;
  readonly resolve?: Resolver;
}

/** No address of these was connected to yet when the request failed like this: the next one may do. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'EAFNOSUPPORT',
]);

/**
 * The one way from the proxy to servers at a URL. Answers and bodies may take as long as they like; only connecting is
 * bounded. Names are resolved once and connected to by address, redirects are followed by hand, both under the rules of
 * `resolve.ts` and `redirect.ts`.
 */
export class Egress implements HttpLink {
  readonly #options: EgressOptions;
  readonly #http = new HttpAgent({ keepAlive: true, maxSockets: LIMITS.socketsPerServer });
  readonly #https = new HttpsAgent({ keepAlive: true, maxSockets: LIMITS.socketsPerServer });

  /** Of the server itself: what a person gave as its URL. */
  #reach: AddressClass | undefined;

  constructor(options: EgressOptions) {
    this.#options = options;
  }

  async ask(request: HttpRequest): Promise<HttpAnswer> {
    const { allowLocal, resolve = systemResolver } = this.#options;
    let next: RedirectedRequest = { method: request.method, url: request.url, headers: request.headers };
    // A server that told us an address before we know its own gets nothing by it.
    let from: AddressClass | undefined = request.toldByServer ? (this.#reach ?? 'public') : undefined;
    for (let hops = 0; ; hops++) {
      const url = httpUrl(next.url);
      const { addresses, reach } = await pin(url, { allowLocal, ...(from && { from }) }, resolve);
      if (from === undefined) this.#reach = reach;
      const message = await this.#connect(url, addresses, next, request);
      const headers = headersOf(message);
      const status = message.statusCode ?? 0;
      if (!isRedirect(status, headers)) return answerOf(message, status, headers, url);
      message.destroy();
      next = redirected(next, status, headers);
      if (hops === LIMITS.redirects) throw tooManyRedirects(url);
      from = reach;
      request.onRedirect({ status, headers }, next);
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /** Tries the addresses in turn, but goes on only while nothing can have reached the server. */
  async #connect(
    url: URL,
    addresses: readonly string[],
    next: RedirectedRequest,
    { body, signal }: HttpRequest,
  ): Promise<IncomingMessage> {
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await this.#connectTo(address, url, next, next.method === 'POST' ? body : undefined, signal);
      } catch (error) {
        failure = error;
        if (signal.aborted || !NOT_CONNECTED.has((error as NodeJS.ErrnoException).code ?? '')) break;
      }
    }
    throw signal.aborted ? closedByUs() : networkFailure(failure, url);
  }

  #connectTo(
    address: string,
    url: URL,
    { method, headers }: RedirectedRequest,
    body: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const options = {
      host: address,
      port: url.port || (secure ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      method,
      agent: (secure ? this.#https : this.#http) as Agent,
      headers: [...this.#ownHeaders(url, body), ...headers].flat(),
      // Certificates are for names; for an address there is none to send.
      ...(secure && { servername: isIP(host) ? '' : host }),
    };
    return new Promise((resolve, reject) => {
      const request = secure ? httpsRequest(options) : httpRequest(options);
      // By hand: with Node's own `signal`, an abort after the answer could come out as an error that nobody can catch.
      const abort = (): void => void request.destroy();
      signal.addEventListener('abort', abort, { once: true });
      const done = (): void => signal.removeEventListener('abort', abort);
      const callOff = this.#boundConnecting(request);
      request.once('response', (message) => {
        // Errors come out of the reading; without a listener one that comes earlier would end the proxy.
        message.on('error', () => {});
        message.once('end', done);
        resolve(message);
      });
      request.on('error', reject);
      request.once('close', () => {
        callOff();
        done();
      });
      if (signal.aborted) abort();
      else request.end(body);
    });
  }

  #boundConnecting(request: ClientRequest): () => void {
    let callOff = (): void => {};
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      callOff = this.#options.clock.after(LIMITS.connectMs, () => {
        const error: NodeJS.ErrnoException = new Error('connecting took too long');
        error.code = 'ETIMEDOUT';
        request.destroy(error);
      });
      socket.once('connect', () => callOff());
    });
    return () => callOff();
  }

  #ownHeaders(url: URL, body: Uint8Array | undefined): Headers {
    return [
      ['Host', url.host],
      ['User-Agent', `mcp-inspect/${this.#options.version}`],
      ['Accept-Encoding', ACCEPTED_ENCODINGS],
      ...(body === undefined ? [] : [['Content-Length', String(body.length)] as const]),
    ];
  }
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ConnectionError({
    code: 'not-http',
    message: `${JSON.stringify(text.slice(0, 200))} is not a http or https URL.`,
    advice: 'Correct the URL.',
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
  return headers;
}

function answerOf(message: IncomingMessage, status: number, headers: Headers, url: URL): HttpAnswer {
  try {
    const body = decoded(message, message.headers['content-encoding']);
    body.on('error', () => {});
    return { status, headers, url: url.href, body: chunks(body, url) };
  } catch (error) {
    message.destroy();
    throw error;
  }
}

async function* chunks(body: Readable, url: URL): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    throw networkFailure(error, url);
  }
}

function tooManyRedirects(url: URL): ConnectionError {
  return new ConnectionError({
    code: 'redirect-loop',
    message: `The server redirects more than ${LIMITS.redirects} times; the last address was ${url.origin}${url.pathname}.`,
    advice: 'Give the address where it ends as the URL.',
  });
}

function closedByUs(): ConnectionError {
  return new ConnectionError({
    code: 'closed',
    message: 'The exchange was closed from our side.',
    advice: 'Send it again.',
  });
}
