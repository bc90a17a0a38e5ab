import { headerOf, mediaType } from '@/lib/transports/http-link';
import { describeCorsProbe } from '@/lib/wire/cors';
import { type HttpFrame, readHttpFrame } from '@/lib/wire/http-frame';
import { HARMLESS_ENDS, type HttpExchange } from '../exchanges/http-exchanges';
import { previewLine } from './labels';
import type { HttpRow } from './row';
import { statusSeverity } from './severity';

/** Builds the row of http frame `seq` from its text and its exchange. */
export function httpRow(seq: number, text: string, exchange: HttpExchange | undefined): HttpRow {
  const frame = readHttpFrame(text);
  if (!frame) return { ...NOTHING, what: previewLine(text) };
  const { what, about } = httpLabel(frame);
  const status = frameStatus(seq, exchange);
  const expected = exchange?.expected ?? false;
  return {
    kind: frame.kind,
    what: previewLine(what),
    about: about === undefined ? undefined : previewLine(about),
    status,
    severity: status === undefined || expected ? undefined : statusSeverity(status, exchange?.method),
    bytes: 'bytes' in frame && frame.bytes > 0 ? frame.bytes : undefined,
    ended: exchange !== undefined && (exchange.ends.at(-1) ?? 0) > (exchange.requests.at(-1) ?? 0),
    expectedRefusal: expected && (frame.kind === 'response' || (frame.kind === 'end' && !EXPLAINED.has(frame.code))),
  };
}

/** End codes whose label already says that nothing failed. */
const EXPLAINED: ReadonlySet<string | undefined> = new Set([...HARMLESS_ENDS, 'session-lost']);

const NOTHING = {
  kind: undefined,
  about: undefined,
  status: undefined,
  severity: undefined,
  bytes: undefined,
  ended: false,
  expectedRefusal: false,
};

/** Returns the HTTP status of http frame `seq`: a response's own, or a request's once it was answered. */
export function frameStatus(seq: number, exchange: HttpExchange | undefined): number | undefined {
  if (!exchange) return undefined;
  const place = exchange.requests.includes(seq) ? exchange.requests.indexOf(seq) : exchange.responses.indexOf(seq);
  return place < 0 ? undefined : exchange.statuses[place];
}

/** Returns the HTTP status of an exchange's newest request if it is 300 or more; undefined if it has none. */
export function refusalStatus(exchange: HttpExchange | undefined): number | undefined {
  const status = exchange?.statuses[exchange.requests.length - 1];
  return status !== undefined && status >= 300 ? status : undefined;
}

/**
 * Returns the frames between which the duration of http frame `seq` is measured: from a request to the end of its
 * exchange, or from the request to a response. undefined while that is unknown, and for events.
 */
export function httpSpan(seq: number, exchange: HttpExchange): readonly [from: number, to: number] | undefined {
  const { requests, responses, ends } = exchange;
  const place = requests.indexOf(seq);
  if (place >= 0) {
    const answer = responses[place];
    const last = ends.at(-1);
    // The end of an earlier attempt does not end this one.
    const over = last !== undefined && last > seq ? last : exchange.streams ? undefined : answer;
    const end = place === requests.length - 1 ? over : answer;
    return end === undefined ? undefined : [seq, end];
  }
  const request = requests[responses.indexOf(seq)] ?? (seq === ends.at(-1) ? requests.at(-1) : undefined);
  return request === undefined ? undefined : [request, seq];
}

/** The label of an http frame: what happened, and details. Both may be server text. */
type HttpLabel = Pick<HttpRow, 'what' | 'about'>;

type HttpLabels = { readonly [K in HttpFrame['kind']]: (frame: Extract<HttpFrame, { kind: K }>) => HttpLabel };

const HTTP_LABELS: HttpLabels = {
  request: ({ method, url, headers, about }) => {
    const after = headerOf(headers, 'last-event-id');
    const resumes = after === undefined ? undefined : `resumes after event ${after}`;
    const asks = (about && ASKS[about](url)) ?? resumes;
    return { what: `${method} ${pathOf(url)}`, about: asks };
  },
  socket: ({ host, port, address, httpProxy, tls, failure }) => {
    const at =
      address === undefined || address === host ? `${host} port ${port}` : `${host} at ${address} port ${port}`;
    const where = httpProxy ? `${at} by the HTTP proxy ${httpProxy.url}` : at;
    if (failure) return { what: NO_SOCKET[failure.step], about: `${where}: ${failure.code}` };
    if (!tls) return { what: 'connected', about: where };
    return { what: 'connected', about: `${where}, ${tls.protocol}${tls.verified ? '' : ', certificate NOT verified'}` };
  },
  response: ({ status, headers }) => {
    if (status === 0) return { what: 'redirect', about: 'browsers hide its target' };
    const type = headerOf(headers, 'content-type');
    if (status >= 300 && status < 400) {
      return { what: 'redirect', about: headerOf(headers, 'location') };
    }
    return { what: mediaType(headers) === 'text/event-stream' ? 'stream opened' : 'response', about: type };
  },
  'cors-probe': (frame) => ({ what: 'CORS check', about: describeCorsProbe(frame) }),
  body: ({ text }) => ({ what: 'body', about: text }),
  sse: ({ event, id, retry, comment, data, unfinished }) => {
    if (comment !== undefined) return { what: 'stream comment', about: comment };
    if (retry !== undefined) return { what: 'stream retry', about: `${retry} ms` };
    const about = [event, data, id !== undefined && `id ${id}`].filter((part) => part);
    const what = unfinished ? 'unfinished event' : 'stream event';
    return { what, about: about.length === 0 ? undefined : about.join(' · ') };
  },
  end: ({ by, code, message }) => {
    if (code === 'no-stream' || code === 'stream-refused') return { what: 'no stream', about: message };
    return by === 'server' && message !== undefined
      ? { what: 'no MCP response', about: message }
      : { what: ENDS[by], about: message };
  },
};

const ASKS = {
  authorization: (url: string) => `OAuth, at ${hostOf(url)}`,
  reconnect: () => 'reconnect attempt',
  'server-card': () => 'Server Card',
};

const NO_SOCKET = { dns: 'no address', proxy: 'no tunnel', tcp: 'not connected', tls: 'no TLS' } as const;

const ENDS = { server: 'stream closed by the server', client: 'closed by the client', failure: 'HTTP failed' } as const;

/** Formats an http frame. */
function httpLabel(frame: HttpFrame): HttpLabel {
  // TypeScript cannot relate the key to the union member.
  return (HTTP_LABELS[frame.kind] as (frame: HttpFrame) => HttpLabel)(frame);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns path and query of a URL, or the text itself if it is not a URL. */
function pathOf(url: string): string {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url);
  return found ? found[1] || '/' : url;
}
