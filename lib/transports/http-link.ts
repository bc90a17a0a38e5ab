import type { CorsProbeFrame, SocketFrame } from '@/lib/wire/http-frame';

/** Header fields in the order sent; names may repeat. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** The result of opening a socket; see {@link SocketFrame}. */
export type SocketAttempt = Omit<SocketFrame, 'kind' | 'exchange'>;

/** One HTTP request of a transport. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers: Headers;
  readonly body?: Uint8Array;
  /** A redirect by HTTP 301, 302 or 303 turns a POST into a GET. Absent: such a redirect is refused. */
  readonly postsBecomeGets?: true;
  /** True if the server named this URL. Then it must not lead to a less public address than the server's own. */
  readonly fromServer?: boolean;
  /** Ends the exchange in any state. Pending promises are rejected. */
  readonly signal: AbortSignal;
  /** Called when the browser withheld the response, and a small request was sent to find out why. */
  onProbe?(probe: Omit<CorsProbeFrame, 'kind' | 'exchange'>): void;
  /** Called when a socket was opened or failed to open. Not called for a reused socket. */
  onSocket?(attempt: SocketAttempt): void;
  /** Called when the server redirects. `next` is the request that follows; undefined if none does. */
  onRedirect(
    redirect: { readonly status: number; readonly headers: Headers },
    next: RedirectedRequest | undefined,
  ): void;
}

/** The request that follows a redirect. */
export interface RedirectedRequest {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly headers: Headers;
}

export interface HttpResponse {
  readonly status: number;
  /** Names as the server wrote them. */
  readonly headers: Headers;
  /** There may be more headers: a browser shows a page only those that the server exposes. */
  readonly partial?: true;
  /** The URL of the last request, after redirects. */
  readonly url: string;
  /**
   * The decompressed body. Throws ConnectionError when the connection breaks. Leaving the loop early ends the exchange.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends HTTP requests for a transport: the proxy's egress, or a page's own fetch. Never times out on a slow response or
 * an idle body.
 */
export interface HttpLink {
  /** Responses may have headers that can't be seen, such as `Mcp-Session-Id`. */
  readonly hidesHeaders?: true;
  /** Rejects with a ConnectionError, even when aborted. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Closes idle sockets. */
  close(): void;
}

/** Returns the first value of a header. `name` is lower case. */
export function headerOf(headers: Headers, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/**
 * Reads the value of `Retry-After`, seconds or a date, as milliseconds from `now`, without an upper bound. undefined
 * for a date that has passed, and for anything else.
 */
export function retryAfterMs(text: string, now: number): number | undefined {
  const value = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse would take `-5` for a year.
  const ms = /^[a-z]/i.test(value) ? Date.parse(value) - now : Number.NaN;
  return ms >= 0 ? ms : undefined;
}

/** Returns the media type of a response, without parameters, in lower case. '' if there is none. */
export function mediaType(headers: Headers): string {
  return (headerOf(headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/**
 * Returns true if a body is JSON by its media type or, without a media type, by its first byte. The body may still be
 * invalid JSON.
 */
export function isJsonBody(type: string, bytes: Uint8Array): boolean {
  if (type === '') return bytes[0] === 0x7b || bytes[0] === 0x5b;
  return type === 'application/json' || type.endsWith('+json');
}
