import type { HttpLink, HttpRequest, HttpResponse } from '@/lib/transports/http-link';
import { maskedUrl } from '@/lib/transports/masking';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** The browser's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends requests with the browser's own `fetch`, so the server's CORS headers decide which are allowed and which
 * response headers are visible. Sends no cookies and no referrer.
 */
export class FetchLink implements HttpLink {
  readonly hidesHeaders = true;
  readonly #fetch: Fetch;
  readonly #explain: (request: HttpRequest) => Promise<Failure>;

  /** `explain` finds out why the browser hid a response. */
  constructor(fetch: Fetch, explain: (request: HttpRequest) => Promise<Failure>) {
    this.#fetch = (url, init) =>
      fetch(url, { ...init, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' });
    this.#explain = explain;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    let { url } = request;
    for (let hops = 0; ; hops++) {
      const response = await this.#send(request, url);
      // The user's headers must not go to another origin, and a browser hides where a redirect leads.
      if (response.type !== 'opaqueredirect') return answerOf(response, request, url);
      if (hops === LIMITS.redirects) throw new ConnectionError(TOO_MANY);
      url = await this.#redirectOf(request, url);
      request.onRedirect({ status: 0, headers: [] }, { method: request.method, url, headers: request.headers });
    }
  }

  close(): void {
    // The browser owns its sockets.
  }

  async #send({ method, headers, body, signal, ...rest }: HttpRequest, url: string): Promise<Response> {
    try {
      return await this.#fetch(url, {
        method,
        headers: headers.map(([name, value]) => [name, value] as [string, string]),
        ...(body && { body: body.slice() }),
        redirect: 'manual',
        signal,
      });
    } catch {
      if (signal.aborted) throw new ConnectionError(ABORTED);
      const failure = await this.#explain({ method, headers, body, signal, ...rest, url });
      throw new ConnectionError(signal.aborted ? ABORTED : failure);
    }
  }

  /**
   * Follows a redirect without headers, and returns the final URL. Rejects if the request is not a GET, since a browser
   * hides whether a redirect keeps the method. Also rejects if the redirect leads to another origin.
   */
  async #redirectOf({ method, signal }: HttpRequest, from: string): Promise<string> {
    const over = new AbortController();
    const stop = (): void => over.abort();
    signal.addEventListener('abort', stop, { once: true });
    const followed = await this.#fetch(from, { method: 'GET', redirect: 'follow', signal: over.signal }).catch(
      () => {},
    );
    signal.removeEventListener('abort', stop);
    over.abort();
    if (signal.aborted) throw new ConnectionError(ABORTED);
    const to = followed?.url === from ? undefined : followed?.url;
    if (method !== 'GET') throw new ConnectionError(refused(method, to));
    if (to !== undefined && to !== '' && new URL(to).origin === new URL(from).origin) return to;
    throw new ConnectionError(elsewhere(to));
  }
}

function answerOf(response: Response, { signal }: HttpRequest, url: string): HttpResponse {
  return {
    status: response.status,
    headers: [...response.headers],
    url: response.url || url,
    ...(response.type === 'cors' && { partial: true as const }),
    body: chunksOf(response.body, signal),
  };
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    throw new ConnectionError(signal.aborted ? ABORTED : BROKEN);
  } finally {
    // Also runs when the reader stops early.
    await reader.cancel().catch(() => {});
  }
}

const ABORTED: Failure = {
  code: 'aborted',
  message: 'mcp-inspect closed the HTTP exchange.',
  advice: 'Send it again if you still need it.',
};

const BROKEN: Failure = {
  code: 'connection-broken',
  message: 'The connection to the server broke before the response was complete.',
  advice: 'Check that the server still runs, then try again.',
};

const TOO_MANY: Failure = {
  code: 'too-many-redirects',
  message: `The server redirects more than ${LIMITS.redirects} times.`,
  advice: 'Use the final URL.',
};

function elsewhere(to: string | undefined): Failure {
  return {
    code: 'redirected-elsewhere',
    message: `The server redirects ${shown(to)}, and a page cannot follow without sending its headers there.`,
    advice: 'Use the final URL if you trust it, or connect through the proxy.',
  };
}

function refused(method: string, to: string | undefined): Failure {
  return {
    code: 'redirect-refused',
    message: `The server redirects a ${method} ${shown(to)}, and a page cannot tell whether to repeat it there.`,
    advice: 'Use the final URL if you trust it, or connect through the proxy.',
  };
}

function shown(to: string | undefined): string {
  return to === undefined || to === ''
    ? 'to an address that the browser hides'
    : `to ${JSON.stringify(maskedUrl(to).slice(0, 200))}`;
}
