import type { CorsProbeFrame } from '@/lib/wire/cors';
import type { SocketFrame } from '@/lib/wire/http-frame';

/** Header fields in the order sent; names may repeat. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** What an attempt at a socket came to; see {@link SocketFrame}. */
export type SocketAttempt = Omit<SocketFrame, 'kind' | 'exchange'>;

/** One HTTP request of a transport. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Headers;
  readonly body?: Uint8Array;
  /** The server told us this URL: it may not lead nearer to this machine than the server's own. */
  readonly toldByServer?: boolean;
  /** Ends the exchange in any state; what awaits it is rejected. */
  readonly signal: AbortSignal;
  /** The answer was kept from us, and a small request was made to find out why. */
  onProbe?(probe: Omit<CorsProbeFrame, 'kind' | 'exchange'>): void;
  /** A socket was opened for it, or could not be. Not called where one is used again. */
  onSocket?(attempt: SocketAttempt): void;
  /** A redirect was answered; it is followed with `next`, or not at all. */
  onRedirect(
    redirect: { readonly status: number; readonly headers: Headers },
    next: RedirectedRequest | undefined,
  ): void;
}

/** What a redirect turned a request into. */
export interface RedirectedRequest {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly headers: Headers;
}

export interface HttpResponse {
  readonly status: number;
  /** Names as the server wrote them. */
  readonly headers: Headers;
  /** There may be more headers: a browser shows a page only what the server exposes. */
  readonly partial?: true;
  /** Of the last request, after redirects. */
  readonly url: string;
  /** Decompressed. Throws ConnectionError when the connection breaks. Leaving the loop early ends the exchange. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * How HTTP transports reach a server: the proxy's egress, or a page's own fetch. Never times out on a slow answer or an
 * idle body.
 */
export interface HttpLink {
  /** Headers of answers may be there without being seen, sessions among them. */
  readonly hidesHeaders?: true;
  /** Rejects with a ConnectionError, also once aborted. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Lets idle connections go. */
  close(): void;
}

/** The first value of a header, whatever the case of its name. */
export function headerOf(headers: Headers, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The media type of an answer, without parameters, in lower case; '' if it names none. */
export function mediaType(headers: Headers): string {
  return (headerOf(headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Whether a body is a message, or junk in the place of one: it calls itself JSON, or looks like it and calls itself nothing. */
export function isJsonBody(type: string, bytes: Uint8Array): boolean {
  if (type === '') return bytes[0] === 0x7b || bytes[0] === 0x5b;
  return type === 'application/json' || type.endsWith('+json');
}
