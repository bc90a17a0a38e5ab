import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import {
  type Headers,
  type HttpLink,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  type RedirectedRequest,
} from '@/lib/transports/http-link';
import { maskedUrl } from '@/lib/transports/masking';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { type AddressClass, type Pinned, pin, type Resolver, systemResolver } from './address-policy';
import { type Dial, type DialingRequest, dialingAgents, neverConnected } from './dial';
import { networkFailure } from './network-failure';
import { loadTls, type TlsMaterial } from './tls-material';

export interface EgressOptions {
  readonly clock: Clock;
  /** For `User-Agent`. */
  readonly version: string;
  /** Link-local addresses and metadata services may be reached. */
  readonly allowLocal: boolean;
  readonly resolve?: Resolver;
  /** Absent: certificates are verified as Node does, and none of ours is shown. */
  readonly tls?: TlsMaterial;
}

/** When dialling failed like this, the next address may do. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
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
  readonly #agents = dialingAgents();
  #tls: TlsMaterial | undefined;

  /** Of the server itself: what a person gave as its URL. */
  #reach: AddressClass | undefined;

  constructor(options: EgressOptions) {
    this.#options = options;
    this.#tls = options.tls;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    let next: RedirectedRequest = { method: request.method, url: request.url, headers: request.headers };
    // A server that told us an address before we know its own gets nothing by it.
    // And its own name may not come to lead nearer to this machine than it did at first.
    let from: AddressClass | undefined = this.#reach ?? (request.toldByServer ? 'public' : undefined);
    for (let hops = 0; ; hops++) {
      const url = httpUrl(next.url);
      const pinned = await this.#pin(url, from, request);
      if (from === undefined) this.#reach = pinned.reach;
      const message = await this.#connect(url, pinned, next, request);
      const headers = headersOf(message);
      const status = message.statusCode ?? 0;
      if (!isRedirect(status, headers)) return answerOf(message, status, headers, url);
      message.destroy();
      try {
        next = redirected(next, status, headers);
        if (hops === LIMITS.redirects) throw tooManyRedirects(url);
      } catch (error) {
        request.onRedirect({ status, headers }, undefined);
        throw error;
      }
      from = pinned.reach;
      request.onRedirect({ status, headers }, next);
    }
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  async #pin(url: URL, from: AddressClass | undefined, { onSocket }: HttpRequest): Promise<Pinned & { ms: number }> {
    const { allowLocal, clock, resolve = systemResolver } = this.#options;
    const begun = clock.now();
    const elapsed = (): number => Math.round((clock.now() - begun) * 10) / 10;
    try {
      return { ...(await pin(url, { allowLocal, ...(from && { from }) }, resolve)), ms: elapsed() };
    } catch (error) {
      const { code = 'unknown', message, cause } = error as NodeJS.ErrnoException;
      const { code: found = code } = (cause ?? {}) as NodeJS.ErrnoException;
      onSocket?.({ ...placeOf(url), addresses: [], dnsMs: elapsed(), failure: { step: 'dns', code: found, message } });
      throw error;
    }
  }

  /** Tries the addresses in turn, but goes on only while nothing can have reached the server. */
  async #connect(
    url: URL,
    { addresses, ms: dnsMs }: Pinned & { ms: number },
    next: RedirectedRequest,
    { body, signal, onSocket }: HttpRequest,
  ): Promise<IncomingMessage> {
    const { clock } = this.#options;
    const place = placeOf(url);
    const tls = url.protocol === 'https:' ? this.#tlsFor(url, place.host) : undefined;
    let failure: unknown;
    for (const address of addresses) {
      const report: Dial['report'] = (attempt) => onSocket?.({ ...attempt, addresses, dnsMs });
      const dial: Dial = { ...place, address, ...(tls && { tls }), clock, signal, report };
      try {
        return await this.#connectTo(dial, url, next, next.method === 'POST' ? body : undefined);
      } catch (error) {
        failure = error;
        const unreached = neverConnected(error) && NOT_CONNECTED.has((error as NodeJS.ErrnoException).code ?? '');
        if (signal.aborted || !unreached) break;
      }
    }
    throw signal.aborted ? closedByUs() : networkFailure(failure, url);
  }

  /** Our certificate, and the leave not to verify, are for the server's own origin and nowhere else. */
  #tlsFor(url: URL, host: string): Dial['tls'] {
    this.#tls ??= loadTls(url.href, {}, process.env);
    const { origin, own, others, insecure } = this.#tls;
    const home = url.origin === origin;
    // Certificates are for names; for an address there is none to send.
    return { context: home ? own : others, servername: isIP(host) ? '' : host, insecure: home && insecure };
  }

  #connectTo(
    dial: Dial,
    url: URL,
    { method, headers }: RedirectedRequest,
    body: Uint8Array | undefined,
  ): Promise<IncomingMessage> {
    const { signal, tls } = dial;
    const options: RequestOptions & DialingRequest = {
      host: dial.address,
      port: dial.port,
      path: `${url.pathname}${url.search}`,
      method,
      agent: tls ? this.#agents.https : this.#agents.http,
      headers: [...this.#ownHeaders(url, body), ...headers].flat(),
      dial,
    };
    return new Promise((resolve, reject) => {
      // The name is how sockets to one address are told apart.
      const request = tls ? httpsRequest({ ...options, servername: tls.servername }) : httpRequest(options);
      // By hand: with Node's own `signal`, an abort after the answer could come out as an error that nobody can catch.
      const abort = (): void => void request.destroy();
      signal.addEventListener('abort', abort, { once: true });
      const done = (): void => signal.removeEventListener('abort', abort);
      request.once('response', (message) => {
        // Errors come out of the reading; without a listener one that comes earlier would end the proxy.
        message.on('error', () => {});
        message.once('end', done);
        resolve(message);
      });
      request.on('error', reject);
      request.once('close', done);
      if (signal.aborted) abort();
      else request.end(body);
    });
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

function placeOf({ protocol, hostname, port }: URL): { readonly host: string; readonly port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
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

function answerOf(message: IncomingMessage, status: number, headers: Headers, url: URL): HttpResponse {
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

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What another origin may learn: how to read the message, and nothing that a person or a server gave us. */
const KEPT = new Set(['accept', 'content-type', 'mcp-protocol-version', 'mcp-method']);

/** True if this status asks for another address. */
export function isRedirect(status: number, headers: Headers): boolean {
  return REDIRECTS.has(status) && headerOf(headers, 'location') !== undefined;
}

/**
 * The request that a redirect asks for. Throws ConnectionError `redirect-refused` if that would leave HTTP, drop
 * encryption, or turn a message into something else.
 */
export function redirected(request: RedirectedRequest, status: number, headers: Headers): RedirectedRequest {
  const location = headerOf(headers, 'location') ?? '';
  if (!URL.canParse(location, request.url)) throw refused(location, 'which is no URL');
  const from = new URL(request.url);
  const to = new URL(location, from);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') throw refused(to.href, 'which is not HTTP');
  if (from.protocol === 'https:' && to.protocol === 'http:') throw refused(to.href, 'which is not encrypted');
  if (to.username !== '' || to.password !== '') throw refused(to.href, 'which names a user');
  if (request.method === 'POST' && status !== 307 && status !== 308) {
    throw refused(to.href, `with HTTP ${status}, which would turn the message into a GET`);
  }
  const same = to.origin === from.origin;
  return {
    method: methodAfter(request.method, status),
    url: to.href,
    headers: same ? request.headers : request.headers.filter(([name]) => KEPT.has(name.toLowerCase())),
  };
}

function methodAfter(method: HttpRequest['method'], status: number): HttpRequest['method'] {
  return status === 303 ? 'GET' : method;
}

function refused(to: string, why: string): ConnectionError {
  return new ConnectionError({
    code: 'redirect-refused',
    message: `The server redirects to ${JSON.stringify(maskedUrl(to).slice(0, 200))}, ${why}, so it was not followed.`,
    advice: 'Give that address itself as the URL if it is the right one.',
  });
}

/** Said in requests, and all that can be read. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** An event stream must come through as it is sent, not when a block is full; and some servers never end theirs properly. */
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(ZLIB)],
  ['x-gzip', () => createGunzip(ZLIB)],
  ['deflate', () => createInflate(ZLIB)],
  ['br', () => createBrotliDecompress(BROTLI)],
]);

/** The body without its `Content-Encoding`. Throws ConnectionError `encoding-unknown`. */
export function decoded(body: Readable, encoding: string | undefined): Readable {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const wanted = names.filter((name) => name !== '' && name !== 'identity').reverse();
  // Each layer multiplies what a few bytes can become.
  if (wanted.length > 2 || wanted.some((name) => !DECODERS.has(name))) {
    throw new ConnectionError({
      code: 'encoding-unknown',
      message: `The server compressed its answer as ${JSON.stringify(encoding)}, which was not asked for.`,
      advice: `Make it answer in one of ${ACCEPTED_ENCODINGS}, or uncompressed.`,
    });
  }
  return wanted.reduce<Readable>((source, name) => pipeline(source, DECODERS.get(name)!(), () => {}), body);
}
