import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { METHOD } from '@/lib/wire/protocol-names';
import { exchangesOf, type HttpExchangeFacts, headerIn, isRedirectStatus } from './exchange-facts';

/** Something about a connection that works, but that other clients may fail on. */
export interface ConnectionHint {
  /** Stable. */
  readonly code: string;
  readonly message: string;
}

/** Returns the GET for the server's own messages, while it has no response. */
export function streamRequestOf(log: Log): HttpExchangeFacts | undefined {
  return exchangesOf(log).findLast(
    ({ request, response, end, sent }) =>
      request.method === 'GET' &&
      sent === undefined &&
      response === undefined &&
      end === undefined &&
      /text\/event-stream/.test(headerIn(request.headers, 'accept') ?? ''),
  );
}

/** Returns hints about a connection that is open. */
export function connectionHints(log: Log): readonly ConnectionHint[] {
  const stream = streamRequestOf(log);
  const exchanges = exchangesOf(log);
  return [
    ...redirectHints(exchanges),
    ...refusedStart(exchanges),
    ...(stream
      ? [
          {
            code: 'get-unanswered',
            message: `The server does not answer GET ${stream.request.url}, so clients that wait for it hang. Answer with an event stream, or with HTTP 405.`,
          },
        ]
      : []),
  ];
}

/** Names the redirect that requests follow. */
function redirectHints(exchanges: readonly HttpExchangeFacts[]): readonly ConnectionHint[] {
  for (const { hops, request } of exchanges) {
    const [first] = hops;
    const status = first?.response?.status;
    if (first === undefined || status === undefined || !isRedirectStatus(status) || hops.length < 2) continue;
    return [
      {
        code: 'redirected',
        message: `${first.request.url} redirects (HTTP ${status}) to ${request.url}. Some clients don’t follow redirects, so use that URL.`,
      },
    ];
  }
  return [];
}

/** Names the refusal of the notification that ends the handshake. */
export function refusedStart(exchanges: readonly HttpExchangeFacts[]): readonly ConnectionHint[] {
  const refused = exchanges.find(
    ({ sent, response }) => methodIn(sent?.value) === METHOD.initialized && (response?.status ?? 0) >= 400,
  );
  if (refused === undefined) return [];
  const message = `The server answered ${METHOD.initialized} with HTTP ${refused.response!.status}, expected 202. It may not have begun the session.`;
  return [{ code: 'initialized-refused', message }];
}

function methodIn(message: unknown): unknown {
  return isObject(message) ? own(message, 'method') : undefined;
}
