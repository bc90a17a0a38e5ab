import { describeCorsProbe } from '@/lib/wire/cors';
import type { HttpFrame, ShownHeaders } from '@/lib/wire/http-frame';

/** An http frame in words: what happened, and what it is about. Both may be a server's text. */
export interface HttpLabel {
  readonly what: string;
  readonly about: string | undefined;
}

type Words = { readonly [K in HttpFrame['kind']]: (frame: Extract<HttpFrame, { kind: K }>) => HttpLabel };

const HTTP_LABELS: Words = {
  request: ({ method, url, headers, about }) => {
    const after = headerValue(headers, 'last-event-id');
    const resumes = after === undefined ? undefined : `resumes after event ${after}`;
    const asks = (about && ASKS[about](url)) ?? resumes;
    return { what: `${method} ${pathOf(url)}`, about: asks };
  },
  socket: ({ host, port, address, tls, failure }) => {
    const where =
      address === undefined || address === host ? `${host} port ${port}` : `${host} at ${address} port ${port}`;
    if (failure) return { what: NO_SOCKET[failure.step], about: `${where}: ${failure.code}` };
    if (!tls) return { what: 'connected', about: where };
    return { what: 'connected', about: `${where}, ${tls.protocol}${tls.verified ? '' : ', certificate NOT verified'}` };
  },
  response: ({ status, headers }) => {
    if (status === 0) return { what: 'redirect', about: 'a page is told no more of it' };
    const type = headerValue(headers, 'content-type');
    if (status >= 300 && status < 400) {
      return { what: 'redirect', about: headerValue(headers, 'location') };
    }
    return { what: isStream(type) ? 'stream opened' : 'response', about: type };
  },
  'cors-probe': (frame) => ({ what: 'CORS check', about: describeCorsProbe(frame) }),
  body: ({ text }) => ({ what: 'body', about: text }),
  sse: ({ event, id, retry, comment, data }) => {
    if (comment !== undefined) return { what: 'stream comment', about: comment };
    if (retry !== undefined) return { what: 'stream retry', about: `${retry} ms` };
    const about = [event, data, id !== undefined && `id ${id}`].filter((part) => part);
    return { what: 'stream event', about: about.length === 0 ? undefined : about.join(' · ') };
  },
  end: ({ by, code, message }) => {
    if (code === 'no-stream' || code === 'stream-refused') return { what: 'no stream', about: message };
    return by === 'server' && message !== undefined
      ? { what: 'no answer', about: message }
      : { what: ENDS[by], about: message };
  },
};

const ASKS = {
  authorization: (url: string) => `OAuth, at ${hostOf(url)}`,
  reconnect: () => 'is the server back?',
};

const NO_SOCKET = { dns: 'no address', tcp: 'not connected', tls: 'no TLS' } as const;

const ENDS = { server: 'stream closed by the server', client: 'closed by us', failure: 'HTTP failed' } as const;

/** What happened on HTTP, in a few words. */
export function httpLabel(frame: HttpFrame): HttpLabel {
  // The table is keyed by the same union, which TypeScript can't follow through an index.
  return (HTTP_LABELS[frame.kind] as (frame: HttpFrame) => HttpLabel)(frame);
}

/** The first value of a header, whatever the case of its name; undefined if there is none. */
export function headerValue(headers: ShownHeaders, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** True for the media type of an event stream. */
export function isStream(type: string | undefined): boolean {
  return /^text\/event-stream\b/i.test(type ?? '');
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Path and query of a URL, which is shown as it is if it has none. */
function pathOf(url: string): string {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url);
  return found ? found[1] || '/' : url;
}
