import { type ExchangeFacts, headerIn, mediaTypeOf, originOf } from '@/lib/doctor/exchange-facts';
import { isObject, own } from '@/lib/json/value';
import { HOST_REQUEST } from '@/lib/wire/host-requests';
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

/** Looks for a redirect of a POST to another scheme, host or port, of a server that has tokens or sessions to lose. */
export const redirectedElsewhere: Look = ({ exchanges, signIn }) => {
  const hops = exchanges.flatMap((exchange) => exchange.hops);
  const hasSession = hops.some(({ response }) => headerIn(response?.headers, 'mcp-session-id') !== undefined);
  const hasToken =
    signIn.length > 0 || hops.some(({ request }) => headerIn(request.headers, 'authorization') !== undefined);
  if (!hasSession && !hasToken) return 'holds';
  return brokenAt(
    hops
      .flatMap(({ request, response }) => {
        const location = response && headerIn(response.headers, 'location');
        const isRedirect = response !== undefined && response.status >= 300 && response.status <= 399;
        if (!isRedirect || request.method !== 'POST' || location === undefined) return [];
        const to = URL.canParse(location, request.url) ? new URL(location, request.url).origin : undefined;
        return to !== undefined && to !== originOf(request.url)
          ? [{ seq: response.seq, words: `POST ${request.url} is redirected to ${to}.` }]
          : [];
      })
      .slice(0, 1),
  );
};

/** Looks for a 403 that names no sign-in, as firewalls and checks of `Origin` answer it. */
export const plain403: Look = ({ exchanges, handshake }) =>
  brokenAt(
    exchanges
      .flatMap(({ request, response }) =>
        request.method === 'POST' && !handshake && response?.status === 403 && challengeOf(response) === undefined
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
      .flatMap(({ request, response }) => {
        if (!response || response.status < 400) return [];
        const isChallenge = request.method === 'POST' && headerIn(response.headers, 'cf-mitigated') !== undefined;
        return isChallenge
          ? [
              {
                seq: response.seq,
                words: `POST ${request.url}, sent as mcp-inspect, was answered with a challenge, HTTP ${response.status}.`,
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
export const typeOfAnswers: Look = ({ exchanges, isSse }) =>
  brokenAt(
    exchanges
      .flatMap((exchange) => {
        const { request, response, sent } = exchange;
        const isRequest = isObject(sent?.value) && own(sent.value, 'id') !== undefined;
        return isRequest && !isSse && response?.status === 200 && !MESSAGES.includes(mediaTypeOf(exchange))
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

/** Statuses with which servers refuse an unknown session, beside 404. Others may mean something else. */
const REFUSES_SESSION: readonly number[] = [400, 410, 422];

/** Looks for another refusal than 404 of a request with a session that nobody began. */
export const unknownSession: Look = ({ probe, exchanges, isStdio, isSse }) => {
  const hasSessions = exchanges.some(({ response }) => headerIn(response?.headers, 'mcp-session-id') !== undefined);
  if (isStdio || isSse || !hasSessions) return 'holds';
  const { response } = probe(HOST_REQUEST.session) ?? {};
  if (!response || response.status === 401 || response.status === 403) return { notSeen: 'sessions' };
  return brokenAt(
    REFUSES_SESSION.includes(response.status)
      ? [{ seq: response.seq, words: `A request with an unknown session was answered with HTTP ${response.status}.` }]
      : [],
  );
};

/** Looks for a refusal of a request in a session without `MCP-Protocol-Version`. */
export const withoutVersionHeader: Look = ({ probe, isStdio, isSse, handshake }) => {
  // The modern era demands the header.
  if (isStdio || isSse || (handshake && own(handshake.result, 'protocolVersion') === undefined)) return 'holds';
  const { response } = probe(HOST_REQUEST.noVersion) ?? {};
  // The same request with the header has to work, or its refusal means something else.
  const control = probe(HOST_REQUEST.version)?.response;
  if (!response || !control || control.status >= 400) return { notSeen: 'headers' };
  return brokenAt(
    response.status !== 400
      ? []
      : [
          {
            seq: response.seq,
            words: `A request without \`MCP-Protocol-Version\` was answered with HTTP ${response.status}.`,
          },
        ],
  );
};
