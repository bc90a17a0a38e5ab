import type { ObstaclePlace } from '@/features/host-judge';
import { type HttpExchangeFacts, headerIn, mediaTypeOf, originOf } from '@/lib/doctor/exchange-facts';
import { isObject, own } from '@/lib/json/value';
import { parseJson } from '@/lib/store/classify';
import { formatDuration } from '@/lib/wire/format';
import { HOST_REQUEST } from '@/lib/wire/host-requests';
import { brokenAt, type Look, type Sight } from '../fact';
import type { HostSession } from '../host-session';

type Hop = Pick<HttpExchangeFacts, 'request' | 'response'>;
type Response = NonNullable<Hop['response']>;

/** Returns the first answer with a fault. Exchanges stand for their last hops. */
function firstAnswer<H extends Hop>(
  hops: readonly H[],
  faultOf: (hop: H, response: Response) => string | undefined,
): Sight {
  for (const hop of hops) {
    const { response } = hop;
    const words = response && faultOf(hop, response);
    if (words !== undefined) return [{ seq: response!.seq, words }];
  }
  return 'holds';
}

const everyHop = ({ exchanges }: HostSession): readonly Hop[] => exchanges.flatMap(({ hops }) => hops);

/** Looks for a POST that is answered with one of these redirects. */
export function postRedirected(...statuses: readonly number[]): Look {
  return (session) =>
    firstAnswer(everyHop(session), ({ request: { method, url } }, { status, headers }) =>
      method === 'POST' && statuses.includes(status)
        ? `POST ${url} was answered with HTTP ${status}, to ${headerIn(headers, 'location') ?? 'nowhere'}.`
        : undefined,
    );
}

/** Looks for a redirect of a POST to another scheme, host or port, of a server that has these to lose. */
export function redirectedElsewhere(...lost: readonly ('token' | 'session')[]): Look {
  return (session) => {
    const hops = everyHop(session);
    const hasSession = hops.some(({ response }) => headerIn(response?.headers, 'mcp-session-id') !== undefined);
    const hasToken =
      session.signIn.length > 0 || hops.some(({ request }) => headerIn(request.headers, 'authorization') !== undefined);
    if (!(hasSession && lost.includes('session')) && !(hasToken && lost.includes('token'))) return 'holds';
    return firstAnswer(hops, ({ request: { method, url } }, { status, headers }) => {
      const location = headerIn(headers, 'location');
      if (method !== 'POST' || status < 300 || status > 399 || location === undefined) return undefined;
      const to = URL.canParse(location, url) ? new URL(location, url).origin : undefined;
      return to !== undefined && to !== originOf(url) ? `POST ${url} is redirected to ${to}.` : undefined;
    });
  };
}

/** Looks for a 403 that names no sign-in, as firewalls and checks of `Origin` answer it. */
export const plain403: Look = ({ exchanges, handshake }) =>
  firstAnswer(handshake ? [] : exchanges, ({ request: { method, url } }, response) =>
    method === 'POST' && response.status === 403 && challengeOf(response) === undefined
      ? `POST ${url} was answered with HTTP 403, without \`WWW-Authenticate\`.`
      : undefined,
  );

/** Looks for the answer of something before the server that keeps bots away. */
export const challengePage: Look = ({ exchanges }) =>
  firstAnswer(exchanges, ({ request: { method, url } }, { status, headers }) =>
    method === 'POST' && status >= 400 && headerIn(headers, 'cf-mitigated') !== undefined
      ? `POST ${url}, sent as mcp-inspect, was answered with a challenge, HTTP ${status}.`
      : undefined,
  );

/** Looks for a 401 without `WWW-Authenticate`, or without the part of it that `needed` finds. */
export function challenge(needed: RegExp, what: string): Look {
  return (session) =>
    firstAnswer(everyHop(session), ({ request: { method, url } }, response) =>
      response.status === 401 && !needed.test(challengeOf(response) ?? '')
        ? `HTTP 401 to ${method} ${url} has no ${what}.`
        : undefined,
    );
}

function challengeOf({ headers }: Response): string | undefined {
  return headerIn(headers, 'www-authenticate');
}

const MESSAGES = ['application/json', 'text/event-stream'];

/** Looks for an answer to a request that has another type than messages have. */
export const typeOfAnswers: Look = ({ exchanges, isSse }) =>
  firstAnswer(isSse ? [] : exchanges, (exchange, { status }) => {
    const { request, sent } = exchange;
    const isRequest = isObject(sent?.value) && own(sent.value, 'id') !== undefined;
    const type = mediaTypeOf(exchange);
    return isRequest && status === 200 && !MESSAGES.includes(type)
      ? `POST ${request.url} was answered as “${type || 'no type'}”.`
      : undefined;
  });

/** Looks for an answer to a notification for which `isFine` is false. */
function notificationAnswers(isFine: (status: number, type: string) => boolean): Look {
  return ({ exchanges, process, isSse, handshake }) => {
    if (process || isSse) return 'holds';
    if (!handshake) return { notSeen: 'handshake' };
    return firstAnswer(exchanges, (exchange, { status }) => {
      const { sent } = exchange;
      const method = isObject(sent?.value) && own(sent.value, 'id') === undefined && own(sent.value, 'method');
      const type = mediaTypeOf(exchange);
      return typeof method !== 'string' || status >= 400 || isFine(status, type)
        ? undefined
        : `\`${method}\` was answered with HTTP ${status}, as “${type || 'no type'}”.`;
    });
  };
}

/** Looks for a stream on which nothing came for longer than a host waits. */
export function silentStream(seconds: number): Look {
  return ({ streams }) => {
    const silent = streams.find(({ silentUs }) => silentUs > seconds * 1_000_000);
    if (silent) {
      const words = `Nothing came on an event stream for ${formatDuration(silent.silentUs)}, not even a comment.`;
      return [{ seq: silent.seq, words }];
    }
    const isSeen = streams.every(({ openUs, isKeptAlive }) => isKeptAlive || openUs > seconds * 1_000_000);
    return isSeen ? 'holds' : { notSeen: 'streams' };
  };
}

/** A request whose answer nobody can read. */
export interface UnreadAnswer extends ObstaclePlace {
  readonly method: string;
}

/**
 * Finds the first of these requests whose answer over HTTP came and can't be read: the body ends before the length that
 * its headers give, or without a message.
 */
export function unreadAnswer({ exchanges }: HostSession, methods: readonly string[]): UnreadAnswer | undefined {
  for (const { sent, response, body, end } of exchanges) {
    const method = isObject(sent?.value) ? own(sent.value, 'method') : undefined;
    if (typeof method !== 'string' || !methods.includes(method) || !response || response.status > 299) continue;
    const { seq, headers } = response;
    const length = headerIn(headers, 'content-length');
    // Only a whole message shows that no more was to come.
    if (body?.cut && length !== undefined && body.bytes < Number(length) && isObject(parseJson(body.text ?? ''))) {
      const words = `\`${method}\` was answered with ${body.bytes} bytes, and a Content-Length of ${length}.`;
      return { method, seq, words };
    }
    if (end?.message !== undefined && end.unanswered !== undefined) return { method, seq, words: end.message };
  }
  return undefined;
}

/** Looks for a notification that is answered with another status than 202, and without a type. */
export const bareNotificationAnswer = notificationAnswers((status, type) => status === 202 || MESSAGES.includes(type));

/** Looks for a notification that is answered with a stream. */
export const streamedNotificationAnswer = notificationAnswers((_status, type) => type !== 'text/event-stream');

/** Statuses with which servers refuse an unknown session, beside 404. Others may mean something else. */
const REFUSES_SESSION: readonly number[] = [400, 401, 403, 410, 422];

/** Looks for another refusal than 404 of a request with a session that nobody began. */
export const unknownSession: Look = ({ probe, exchanges, process, isSse }) => {
  const hasSessions = exchanges.some(({ response }) => headerIn(response?.headers, 'mcp-session-id') !== undefined);
  if (process || isSse || !hasSessions) return 'holds';
  const { response } = probe(HOST_REQUEST.session) ?? {};
  // The same request in a session of ours has to work, or a refusal of the person means something else.
  const control = probe(HOST_REQUEST.version)?.response;
  const isOfPerson = response?.status === 401 || response?.status === 403;
  if (!response || (isOfPerson && !(control && control.status < 400))) return { notSeen: 'sessions' };
  return brokenAt(
    REFUSES_SESSION.includes(response.status)
      ? [{ seq: response.seq, words: `A request with an unknown session was answered with HTTP ${response.status}.` }]
      : [],
  );
};

/** Looks for a refusal of a request in a session without `MCP-Protocol-Version`. */
export const withoutVersionHeader: Look = ({ probe, process, isSse, handshake }) => {
  // The modern era demands the header.
  if (process || isSse || (handshake && own(handshake.result, 'protocolVersion') === undefined)) return 'holds';
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
