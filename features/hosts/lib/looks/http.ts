import { type ExchangeFacts, headerIn, mediaTypeOf } from '@/lib/doctor/exchange-facts';
import { isObject, own } from '@/lib/json/value';
import { brokenAt, type Look } from '../fact';

/** Looks for a POST that is answered with one of these redirects. */
export function postRedirected(...statuses: readonly number[]): Look {
  return ({ exchanges }) =>
    brokenAt(
      exchanges
        .flatMap(({ hops }) =>
          hops.flatMap(({ request, response }) =>
            request.method === 'POST' && response !== undefined && statuses.includes(response.status)
              ? [
                  {
                    seq: response.seq,
                    words: `POST ${request.url} was answered with HTTP ${response.status}, to ${headerIn(response.headers, 'location') ?? 'nowhere'}.`,
                  },
                ]
              : [],
          ),
        )
        .slice(0, 1),
    );
}

/** Looks for a redirect to another scheme, host or port, with which clients drop the token. */
export const redirectedElsewhere: Look = ({ exchanges }) =>
  brokenAt(
    exchanges
      .flatMap(({ hops }) =>
        hops.flatMap(({ request, response }) => {
          const location = response && headerIn(response.headers, 'location');
          if (!response || location === undefined || response.status < 300 || response.status > 399) return [];
          const to = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
          return to && to.origin !== new URL(request.url).origin
            ? [{ seq: response.seq, words: `${request.url} redirects to ${to.origin}.` }]
            : [];
        }),
      )
      .slice(0, 1),
  );

/** Looks for a 403 that names no sign-in, as firewalls and checks of `Origin` answer it. */
export const plain403: Look = ({ exchanges }) =>
  brokenAt(
    exchanges
      .flatMap(({ request, response }) =>
        request.method === 'POST' && response?.status === 403 && challengeOf(response) === undefined
          ? [
              {
                seq: response.seq,
                words: `POST ${request.url} was answered with HTTP 403, without \`WWW-Authenticate\`.`,
              },
            ]
          : [],
      )
      .slice(0, 1),
  );

/** Looks for the answer of something before the server that keeps bots away. */
export const challengePage: Look = ({ exchanges }) =>
  brokenAt(
    exchanges
      .flatMap((exchange) => {
        const { request, response } = exchange;
        if (!response || response.status < 400) return [];
        const isChallenge =
          headerIn(response.headers, 'cf-mitigated') !== undefined ||
          ((response.status === 403 || response.status === 503) && mediaTypeOf(exchange) === 'text/html');
        return isChallenge
          ? [
              {
                seq: response.seq,
                words: `${request.method} ${request.url} was answered with a page, HTTP ${response.status}.`,
              },
            ]
          : [];
      })
      .slice(0, 1),
  );

/** Looks for a 401 without `WWW-Authenticate`, or without the part of it that `needed` finds. */
export function challenge(needed: RegExp, what: string): Look {
  return ({ exchanges }) =>
    brokenAt(
      exchanges
        .flatMap(({ hops }) =>
          hops.flatMap(({ request, response }) =>
            response?.status === 401 && !needed.test(challengeOf(response) ?? '')
              ? [{ seq: response.seq, words: `HTTP 401 to ${request.method} ${request.url} has no ${what}.` }]
              : [],
          ),
        )
        .slice(0, 1),
    );
}

function challengeOf({ headers }: NonNullable<ExchangeFacts['response']>): string | undefined {
  return headerIn(headers, 'www-authenticate');
}

const MESSAGES = ['application/json', 'text/event-stream'];

/** Looks for an answer to a request that has another type than messages have. */
export const typeOfAnswers: Look = ({ exchanges }) =>
  brokenAt(
    exchanges
      .flatMap((exchange) => {
        const { request, response, sent } = exchange;
        const isRequest = isObject(sent?.value) && own(sent.value, 'id') !== undefined;
        return isRequest && response?.status === 200 && !MESSAGES.includes(mediaTypeOf(exchange))
          ? [
              {
                seq: response.seq,
                words: `POST ${request.url} was answered as “${mediaTypeOf(exchange) || 'no type'}”.`,
              },
            ]
          : [];
      })
      .slice(0, 1),
  );

/** Looks for an answer to a notification for which `isFine` is false. */
function notificationAnswers(isFine: (status: number, type: string) => boolean): Look {
  return ({ exchanges, isStdio, isSse, handshake }) => {
    if (isStdio || isSse) return 'holds';
    if (!handshake) return { notSeen: 'handshake' };
    return brokenAt(
      exchanges
        .flatMap((exchange) => {
          const { response, sent } = exchange;
          const method = isObject(sent?.value) && own(sent.value, 'id') === undefined && own(sent.value, 'method');
          if (!response || typeof method !== 'string' || response.status >= 400) return [];
          const type = mediaTypeOf(exchange);
          return isFine(response.status, type)
            ? []
            : [
                {
                  seq: response.seq,
                  words: `\`${method}\` was answered with HTTP ${response.status}, as “${type || 'no type'}”.`,
                },
              ];
        })
        .slice(0, 1),
    );
  };
}

/** Looks for a notification that is answered with another status than 202, and without a type. */
export const bareNotificationAnswer = notificationAnswers((status, type) => status === 202 || MESSAGES.includes(type));

/** Looks for a notification that is answered with a stream. */
export const streamedNotificationAnswer = notificationAnswers((_status, type) => type !== 'text/event-stream');

/** Looks for another status than 404 to a request with a session that nobody began. */
export const unknownSession: Look = ({ probe, exchanges, isStdio, isSse }) => {
  const hasSessions = exchanges.some(({ response }) => headerIn(response?.headers, 'mcp-session-id') !== undefined);
  if (isStdio || isSse || !hasSessions) return 'holds';
  const { response } = probe('host-session') ?? {};
  if (!response) return { notSeen: 'sessions' };
  return brokenAt(
    response.status === 404
      ? []
      : [{ seq: response.seq, words: `A request with an unknown session was answered with HTTP ${response.status}.` }],
  );
};

/** Looks for a refusal of a request in a session without `MCP-Protocol-Version`. */
export const withoutVersionHeader: Look = ({ probe, isStdio, isSse, handshake }) => {
  // The modern era demands the header.
  if (isStdio || isSse || (handshake && own(handshake.result, 'protocolVersion') === undefined)) return 'holds';
  const { response } = probe('host-no-version') ?? {};
  if (!response) return { notSeen: 'headers' };
  return brokenAt(
    response.status < 400
      ? []
      : [
          {
            seq: response.seq,
            words: `A request without \`MCP-Protocol-Version\` was answered with HTTP ${response.status}.`,
          },
        ],
  );
};
