import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import {
  type Headers,
  type HttpLink,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  type RedirectedRequest,
  type SocketAttempt,
} from '@/lib/transports/http-link';
import { maskedUrl } from '@/lib/transports/masking';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { type Pinned, pin, RESOLVED_ELSEWHERE, type Reach, type Resolver, systemResolver } from './address-policy';
import { ACCEPTED_ENCODINGS, decoded } from './content-encoding';
import { type Dial, type DialingRequest, dialingAgents, neverConnected } from './dial';
import { type HttpProxy, httpProxyFor } from './http-proxy';
import { networkFailure } from './network-failure';
import { tenths } from './socket-steps';
import { defaultTls, type TlsMaterial } from './tls-material';

export interface EgressOptions {
  readonly clock: Clock;
  /** For `User-Agent`. */
  readonly version: string;
  /** Allows link-local addresses and metadata services. */
  readonly allowLocal: boolean;
  readonly resolve?: Resolver;
  /** May name HTTP proxies. Absent: every connection is direct. */
  readonly environment?: Readonly<NodeJS.ProcessEnv>;
  /** Absent: certificates are verified with Node's authorities, and no client certificate is sent. */
  readonly tls?: TlsMaterial;
}

/** Errors of connecting after which the next address is tried. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'EAFNOSUPPORT',
  'proxy-cannot-connect',
]);

/** Bytes of the headers of a response that is passed on. Headers of somebody else's are as long as they are. */
const PASSED_HEADER_BYTES = 256 * 1024;

/** How long the checked addresses of a server are used for requests that are passed on, in ms. */
const PASSED_ROUTE_MS = 10_000;

/** A request of another program, which is passed on as it is. */
export interface ForeignRequest {
  readonly method: string;
  /** The origin of the server, which the user gave. */
  readonly origin: URL;
  /** Path and query, as written. */
  readonly target: string;
  /** All headers, `Host` included. */
  readonly headers: Headers;
  /** Its bytes are read as the server takes them. Absent: there is no body. */
  readonly body?: Readable | undefined;
  /** Ends the exchange in any state. */
  readonly signal: AbortSignal;
  onSocket?(attempt: SocketAttempt): void;
}

/** The parts of a request that are sent on a socket. */
interface Outgoing {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body?: Uint8Array | Readable | undefined;
  readonly maxHeaderSize?: number;
}

/** The addresses that a request may connect to, and the HTTP proxy on the way. */
interface Route extends Pinned {
  /** Absent: directly. */
  readonly proxy?: HttpProxy;
  /** Milliseconds for resolving the name. Absent: it was not looked up. */
  readonly ms?: number;
}

/**
 * Sends all requests of the proxy to servers. Only connecting has a timeout; responses and bodies may take any time.
 * Names are resolved once and connected to by address ({@link pin}), perhaps through an HTTP proxy ({@link
 * httpProxyFor}). Redirects are followed one by one ({@link redirected}).
 */
export class Egress implements HttpLink {
  readonly #options: EgressOptions;
  readonly #agents = dialingAgents();
  #tls: TlsMaterial | undefined;
  /** The reach of the URL that the user gave. */
  #reach: Reach | undefined;
  /** The hosts of URLs that the user gave. */
  readonly #typed = new Set<string>();
  /** Those that only an HTTP proxy can resolve. This is found out once, so that a name can't move here later. */
  readonly #elsewhere = new Set<string>();

  /** The route of the latest request that was passed on. */
  #passed: { readonly origin: string; readonly route: Route; readonly until: number } | undefined;

  constructor(options: EgressOptions) {
    this.#options = options;
    this.#tls = options.tls;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    let next: RedirectedRequest = { method: request.method, url: request.url, headers: request.headers };
    // An address that the server named must be public while the server's own class is unknown. Later requests to the
    // server must not resolve to a less public class than the first one, either.
    let from: Reach | undefined = this.#reach ?? (request.fromServer ? 'public' : undefined);
    for (let hops = 0; ; hops++) {
      const url = httpUrl(next.url);
      if (!request.fromServer && hops === 0) this.#typed.add(url.hostname);
      const route = await this.#route(url, from, request);
      if (from === undefined) this.#reach = route.reach;
      const body = next.method === 'POST' ? request.body : undefined;
      const headers = [...this.#ownHeaders(url, body, next.headers), ...next.headers];
      const target = `${url.pathname}${url.search}`;
      const message = await this.#connect(url, route, { method: next.method, target, headers, body }, request);
      const answered = headersOf(message);
      const status = message.statusCode ?? 0;
      if (!isRedirect(status, answered)) return answerOf(message, status, answered, url);
      message.destroy();
      try {
        next = redirected(next, status, answered, request.postsBecomeGets);
        if (hops === LIMITS.redirects) throw tooManyRedirects(url);
      } catch (error) {
        request.onRedirect({ status, headers: answered }, undefined);
        throw error;
      }
      from = route.reach;
      request.onRedirect({ status, headers: answered }, next);
    }
  }

  /**
   * Passes a request of another program on, and resolves with the response as it comes: encoded, and perhaps a
   * redirect, which the other program follows or not. Rejects with a ConnectionError, even when aborted.
   */
  async pass({ origin, ...request }: ForeignRequest): Promise<IncomingMessage> {
    const now = this.#options.clock.now();
    if (this.#passed?.origin !== origin.origin || now >= this.#passed.until) {
      this.#typed.add(origin.hostname);
      const found = await this.#route(origin, this.#reach, request);
      this.#reach ??= found.reach;
      this.#passed = { origin: origin.origin, route: found, until: now + PASSED_ROUTE_MS };
    }
    const { route } = this.#passed;
    return this.#connect(origin, route, { ...request, maxHeaderSize: PASSED_HEADER_BYTES }, request);
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  /** Checks the address of a URL, and finds out whether an HTTP proxy connects to it. */
  async #route(url: URL, from: Reach | undefined, { onSocket }: Pick<HttpRequest, 'onSocket'>): Promise<Route> {
    const { allowLocal, clock, environment, resolve = systemResolver } = this.#options;
    const begun = clock.now();
    const elapsed = (): number => tenths(clock.now() - begun);
    try {
      const proxy = environment && httpProxyFor(url, environment);
      if (!proxy) return { ...(await pin(url, { allowLocal, ...(from && { from }) }, resolve)), ms: elapsed() };
      if (this.#elsewhere.has(url.hostname)) return { ...RESOLVED_ELSEWHERE, proxy };
      // A host that once resolved here has to do so again.
      const elsewhere = !this.#typed.has(url.hostname) ? 'named' : from === undefined ? 'typed' : undefined;
      const pinned = await pin(url, { allowLocal, ...(from && { from }), ...(elsewhere && { elsewhere }) }, resolve);
      if (pinned.reach === 'unknown') this.#elsewhere.add(url.hostname);
      // An address of this machine or link means another one at the HTTP proxy.
      const isNear = pinned.reach === 'loopback' || pinned.reach === 'local';
      return { ...pinned, ms: elapsed(), ...(!isNear && { proxy }) };
    } catch (error) {
      const { code = 'unknown', message, cause } = error as NodeJS.ErrnoException;
      const { code: found = code } = (cause ?? {}) as NodeJS.ErrnoException;
      const step = code === 'proxy-invalid' ? 'proxy' : 'dns';
      onSocket?.({ ...placeOf(url), addresses: [], dnsMs: elapsed(), failure: { step, code: found, message } });
      throw error;
    }
  }

  /** Tries the addresses in turn. Stops as soon as bytes may have reached the server. */
  async #connect(
    url: URL,
    { addresses, ms: dnsMs, proxy }: Route,
    outgoing: Outgoing,
    { signal, onSocket }: Pick<HttpRequest, 'signal' | 'onSocket'>,
  ): Promise<IncomingMessage> {
    const { clock } = this.#options;
    const place = placeOf(url);
    const tls = url.protocol === 'https:' ? this.#tlsFor(url, place.host) : undefined;
    const through = proxy && this.#tunnelBy(proxy);
    // A verified certificate proves which server answers, so the HTTP proxy gets the name, which its own rules need.
    // Without one, a name could resolve to another address there (DNS rebinding), so it gets the checked address.
    const isNamed = through && (addresses.length === 0 || tls?.insecure === false);
    let failure: unknown;
    for (const to of isNamed ? [place.host] : addresses) {
      const report: Dial['report'] = (attempt) =>
        onSocket?.({ ...attempt, addresses, ...(dnsMs !== undefined && { dnsMs }) });
      const dial: Dial = { ...place, to, ...(through && { through }), ...(tls && { tls }), clock, signal, report };
      try {
        return await this.#connectTo(dial, outgoing);
      } catch (error) {
        failure = error;
        const unreached = neverConnected(error) && NOT_CONNECTED.has((error as NodeJS.ErrnoException).code ?? '');
        if (signal.aborted || !unreached) break;
      }
    }
    throw signal.aborted ? closedByUs() : networkFailure(failure, url);
  }

  #tunnelBy(proxy: HttpProxy): Dial['through'] {
    const { resolve = systemResolver } = this.#options;
    return {
      proxy,
      userAgent: this.#userAgent,
      resolve,
      context: this.#material(proxy.origin).others,
    };
  }

  get #userAgent(): string {
    return `mcp-inspect/${this.#options.version}`;
  }

  #material(url: string): TlsMaterial {
    this.#tls ??= defaultTls(url);
    return this.#tls;
  }

  /** Uses the client certificate, and skips verification, only for the server's own origin. */
  #tlsFor(url: URL, host: string): Dial['tls'] {
    const { origin, own, others, insecure } = this.#material(url.href);
    const isOwn = url.origin === origin;
    // SNI is for names only.
    return { context: isOwn ? own : others, servername: isIP(host) ? '' : host, insecure: isOwn && insecure };
  }

  #connectTo(dial: Dial, { method, target, headers, body, maxHeaderSize }: Outgoing): Promise<IncomingMessage> {
    const { signal, tls } = dial;
    const options: RequestOptions & DialingRequest = {
      host: dial.to,
      port: dial.port,
      path: target,
      method,
      agent: tls ? this.#agents.https : this.#agents.http,
      headers: headers.flat(),
      ...(maxHeaderSize !== undefined && { maxHeaderSize }),
      dial,
    };
    return new Promise((resolve, reject) => {
      // The pool keys its sockets by `servername`, so that hosts with the same address do not share one.
      const request = tls ? httpsRequest({ ...options, servername: tls.servername }) : httpRequest(options);
      // Node's own `signal` option can emit an uncaught error when it is aborted after the response.
      const abort = (): void => void request.destroy();
      signal.addEventListener('abort', abort, { once: true });
      const done = (): void => signal.removeEventListener('abort', abort);
      request.once('response', (message) => {
        // Reading reports errors. Without a listener, an earlier one would end the proxy.
        message.on('error', () => {});
        message.once('end', done);
        resolve(message);
      });
      request.on('error', reject);
      request.once('close', () => {
        done();
        // After a 101, Node closes without an error.
        reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' }));
      });
      if (signal.aborted) abort();
      // Nothing is read before there is a socket, because the next address may need it all.
      else if (body instanceof Readable) request.once('socket', () => body.pipe(request));
      else request.end(body);
    });
  }

  /** Returns our headers. A Host of the caller replaces the usual one: a check sends a foreign one on purpose. */
  #ownHeaders(url: URL, body: Uint8Array | undefined, headers: Headers): Headers {
    return [
      ...(headerOf(headers, 'host') === undefined ? [['Host', url.host] as const] : []),
      ['User-Agent', this.#userAgent],
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
    message: `${JSON.stringify(text.slice(0, 200))} is not an http or https URL.`,
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
    return { status, headers, url: url.href, body: chunks(body, url) };
  } catch (error) {
    message.destroy();
    throw error;
  }
}

async function* chunks(body: AsyncIterable<Uint8Array>, url: URL): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw networkFailure(error, url);
  }
}

function tooManyRedirects(url: URL): ConnectionError {
  return new ConnectionError({
    code: 'redirect-loop',
    message: `The server redirects more than ${LIMITS.redirects} times. The last URL was ${maskedUrl(url.href).slice(0, 200)}.`,
    advice: 'Use the final URL, or fix the redirects on the server.',
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

/** Headers that another origin may get. None of them comes from the user or the server. */
const KEPT = new Set(['accept', 'content-type', 'mcp-protocol-version', 'mcp-method']);

/** True if a response is a redirect. */
function isRedirect(status: number, headers: Headers): boolean {
  return REDIRECTS.has(status) && headerOf(headers, 'location') !== undefined;
}

/**
 * Returns the request that follows a redirect. Throws ConnectionError `redirect-refused` if it would leave HTTP, drop
 * encryption, or change a POST into a GET, unless `postsBecomeGets`.
 */
export function redirected(
  request: RedirectedRequest,
  status: number,
  headers: Headers,
  postsBecomeGets = false,
): RedirectedRequest {
  const location = headerOf(headers, 'location') ?? '';
  if (!URL.canParse(location, request.url)) throw refused(location, 'invalid URL', FIX_LOCATION);
  const from = new URL(request.url);
  const to = new URL(location, from);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') throw refused(to.href, 'not an HTTP URL', FIX_LOCATION);
  if (from.protocol === 'https:' && to.protocol === 'http:') throw refused(to.href, 'not encrypted');
  if (to.username !== '' || to.password !== '') throw refused(to.href, 'the URL contains a user name');
  const changesPost = request.method === 'POST' && status !== 307 && status !== 308;
  if (changesPost && !postsBecomeGets) throw refused(to.href, `HTTP ${status} would turn the message into a GET`);
  const method = changesPost || status === 303 ? 'GET' : request.method;
  const isKept = (name: string): boolean =>
    (to.origin === from.origin || KEPT.has(name)) && !(changesPost && name === 'content-type');
  return { method, url: to.href, headers: request.headers.filter(([name]) => isKept(name.toLowerCase())) };
}

const FIX_LOCATION = 'Fix the Location header on the server.';

function refused(
  to: string,
  why: string,
  advice = 'If that is the right address, use it as the URL.',
): ConnectionError {
  return new ConnectionError({
    code: 'redirect-refused',
    message: `The server’s redirect to ${JSON.stringify(maskedUrl(to).slice(0, 200))} was not followed: ${why}.`,
    advice,
  });
}
