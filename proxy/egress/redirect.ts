import { type Headers, type HttpRequest, headerOf, type RedirectedRequest } from '@/lib/transports/http-link';
import { maskedUrl } from '@/lib/transports/masked-url';
import { ConnectionError } from '@/lib/transports/transport';

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
