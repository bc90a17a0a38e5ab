import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { HttpProxyHop, SocketFrame } from '@/lib/wire/http-frame';
import { type Failure, type LifecycleEvent, validLifecycleEvent } from '@/lib/wire/lifecycle';
import type { RpcError } from '@/lib/wire/message';
import { exchangesOf, type HttpExchangeFacts, headerIn, type Located, mediaTypeOf, originOf } from './exchange-facts';
import { SILENCE } from './silence';
import { type Unmatched, unmatchedIn } from './unmatched';

type UrlStart = Extract<LifecycleEvent, { event: 'start'; transport: 'auto' | 'http' | 'sse' }>;

/** Facts from the log of a failed connection to a URL, or of a failed request on an open one. */
export interface AttemptFacts {
  readonly start: UrlStart;
  /**
   * The URL as shown, with secrets masked and placeholders not filled in; undefined if that text is not a valid URL.
   */
  readonly url: URL | undefined;
  readonly failure: Failure;
  /** The frame that reports the failure; the newest frame without one. */
  readonly failureSeq: number;
  /** The handshake was done before the failure, so the URL is right. */
  readonly opened: boolean;
  /** The protocol version of that handshake. */
  readonly version: string | undefined;
  /** The authorization failure, if that made the connection fail. */
  readonly signIn: Failure | undefined;
  /** Set while a person has to sign in. */
  readonly waitsFor: { readonly issuer: string } | undefined;
  /** A text that looks like the missing answer. */
  readonly unmatched: Unmatched | undefined;
  /** The exchange that failed; undefined if the connection did not get that far. */
  readonly exchange: HttpExchangeFacts | undefined;
  /** HTTP+SSE was used: it was chosen, or auto mode fell back to it. */
  readonly isSse: boolean;
  /** The refusal that made auto mode fall back to HTTP+SSE, and the GET that followed. */
  readonly fellBack: { readonly refusal: HttpExchangeFacts; readonly get: HttpExchangeFacts | undefined } | undefined;
  /** The server has answered an earlier exchange at the same origin. */
  readonly answeredBefore: boolean;
  /** The request whose event stream named an endpoint for messages (HTTP+SSE), and the event. */
  readonly announced:
    | { readonly stream: HttpExchangeFacts; readonly event: HttpExchangeFacts['events'][number]; readonly text: string }
    | undefined;
  /** The newest earlier request with the session id of the refused exchange that the server accepted. */
  readonly accepted: Located<{ readonly method: string }> | undefined;
  /** Attempts to open the exchange's socket, one per address. */
  readonly sockets: readonly Located<SocketFrame>[];
  /** The last attempt. */
  readonly socket: Located<SocketFrame> | undefined;
  /** Status of the exchange's response. */
  readonly status: number | undefined;
  /** Media type of that response, in lower case; '' if it has none. */
  readonly type: string;
  /** Returns the first value of a header of that response. `name` is in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Text of a body that is not JSON. */
  readonly text: string;
  /** Method of the message that the exchange carried. */
  readonly method: string | undefined;
  /** JSON-RPC error in the response. */
  readonly error: Located<{ readonly error: RpcError }> | undefined;
  /** Requests that "Try other addresses" sent. */
  readonly further: readonly HttpExchangeFacts[];
  /** The addresses that "Try other addresses" searched last. */
  readonly looked: 'paths' | 'loopback' | undefined;
}

/**
 * Reads the facts. `ended` is a failure that is not in the log, of one request. Returns undefined unless the log is
 * that of a connection to a URL with a failure.
 */
export function attemptFactsOf(log: Log, ended?: Failure): AttemptFacts | undefined {
  const { start, failure: logged, seqs, authorization, opened = false, version } = log.state.connection;
  const failure = ended ?? logged;
  if (!start || start.transport === 'stdio' || !failure || !Array.isArray(start.headerNames)) return undefined;
  const failedSeq = eventSeq(log, seqs, 'handshake-failed') ?? eventSeq(log, seqs, 'failed');
  const lookedSeq = eventSeq(log, seqs, 'look-further');
  const exchanges = exchangesOf(log, opened);
  const began = (exchange: HttpExchangeFacts): number => exchange.sent?.seq ?? exchange.hops[0]!.request.seq;
  const limit = failedSeq ?? lookedSeq ?? Number.POSITIVE_INFINITY;
  const attempts = exchanges.filter((one) => began(one) < limit && isMcp(one));
  const fallback = eventSeq(log, seqs, 'fallback');
  const isSse = start.transport === 'sse' || fallback !== undefined;
  const exchange = opened ? lateFailure(attempts, failure) : decisive(attempts, failure, isSse, fallback);
  const sockets = socketsOf(attempts, exchange);
  const { response } = exchange ?? {};
  const asked = exchange && methodOf(exchange);
  return {
    start,
    url: URL.canParse(start.url) ? new URL(start.url) : undefined,
    failure,
    failureSeq: failedSeq ?? log.size,
    opened,
    version: opened ? version : undefined,
    signIn: authorization?.phase === 'refused' && authorization.code === failure.code ? authorization : undefined,
    waitsFor: authorization?.phase === 'needed' ? authorization : undefined,
    unmatched: unmatchedIn(log),
    exchange,
    isSse,
    fellBack: fallback === undefined ? undefined : aroundFallback(attempts, fallback),
    answeredBefore: attempts.some(
      (one) =>
        exchange !== undefined &&
        began(one) < began(exchange) &&
        one.response !== undefined &&
        originOf(one.request.url) === originOf(exchange.request.url),
    ),
    announced: announcedBy(attempts),
    accepted: exchange && acceptedBefore(attempts, exchange),
    sockets,
    socket: sockets.at(-1),
    status: response?.status,
    type: exchange ? mediaTypeOf(exchange) : '',
    header: (name) => headerIn(response?.headers, name),
    text: exchange?.body?.text ?? '',
    method: asked,
    error: exchange && errorIn(exchange),
    further: lookedSeq === undefined ? [] : exchanges.filter((one) => one.hops[0]!.request.seq > lookedSeq),
    looked: lookedSeq === undefined ? undefined : lookedWhere(log, lookedSeq),
  };
}

/** Returns true for an exchange that carries messages or asks for them. Sign-in requests and DELETE do not. */
function isMcp({ sent, request }: HttpExchangeFacts): boolean {
  const listens = request.method === 'GET' && /text\/event-stream/.test(headerIn(request.headers, 'accept') ?? '');
  return sent !== undefined || listens;
}

/**
 * Returns the exchange that decided the outcome. After a fallback to HTTP+SSE, its exchanges count only if its stream
 * opened, or if nothing came in time. Otherwise the earlier refusal says more.
 */
function decisive(
  attempts: readonly HttpExchangeFacts[],
  { code }: Failure,
  isSse: boolean,
  fallback: number | undefined,
): HttpExchangeFacts | undefined {
  const isSilent = SILENCE.has(code);
  const counts = isSilent || announcedBy(attempts) !== undefined;
  const considered =
    fallback === undefined ? attempts : attempts.filter(({ request }) => request.seq > fallback === counts);
  if (!isSilent) return considered.findLast(failed) ?? considered.at(-1);
  // The stream for a server's own messages is optional, except in HTTP+SSE.
  return considered.findLast((one) => isWaiting(one) && (isSse || one.sent !== undefined)) ?? considered.at(-1);
}

/** True for an exchange that did not fail and has no answer. A notification before it is none. */
function isWaiting({ answer, end }: HttpExchangeFacts): boolean {
  const isAnswered = answer !== undefined && !(isObject(answer.value) && own(answer.value, 'method') !== undefined);
  return !isAnswered && end?.code === undefined;
}

function aroundFallback(attempts: readonly HttpExchangeFacts[], fallback: number): AttemptFacts['fellBack'] {
  const refusal = attempts.findLast(({ request }) => request.seq < fallback);
  const get = attempts.find(({ request }) => request.seq > fallback && request.method === 'GET');
  return refusal && { refusal, get };
}

function failed({ end, response }: HttpExchangeFacts): boolean {
  return end?.code !== undefined || (response !== undefined && (response.status >= 300 || response.status === 0));
}

/** Returns the exchange of a message that failed after the handshake. A refused stream does not count. */
function lateFailure(attempts: readonly HttpExchangeFacts[], { code }: Failure): HttpExchangeFacts | undefined {
  const messages = attempts.filter(({ sent, end }) => sent !== undefined || end?.code === code);
  // After a time-out, the newest message is the notification with which mcp-inspect cancelled the request.
  const isRequest = ({ sent }: HttpExchangeFacts): boolean =>
    isObject(sent?.value) && own(sent.value, 'id') !== undefined && own(sent.value, 'method') !== undefined;
  return messages.findLast(({ end }) => end?.code === code) ?? messages.findLast(isRequest) ?? messages.at(-1);
}

function methodOf({ sent }: HttpExchangeFacts): string | undefined {
  const method = isObject(sent?.value) ? own(sent.value, 'method') : undefined;
  return typeof method === 'string' ? method.slice(0, 100) : undefined;
}

function acceptedBefore(attempts: readonly HttpExchangeFacts[], refused: HttpExchangeFacts): AttemptFacts['accepted'] {
  const { session } = refused.request;
  const before = attempts.slice(0, attempts.indexOf(refused)).findLast(({ request, response, sent }) => {
    const isAccepted = response !== undefined && response.status >= 200 && response.status <= 299;
    return sent !== undefined && isAccepted && session !== undefined && request.session === session;
  });
  const method = before && methodOf(before);
  return method === undefined ? undefined : { method, seq: before!.response!.seq };
}

function announcedBy(attempts: readonly HttpExchangeFacts[]): AttemptFacts['announced'] {
  for (const stream of attempts) {
    const event = stream.events.find((one) => one.event === 'endpoint');
    if (event) return { stream, event, text: (event.data ?? '').trim() };
  }
  return undefined;
}

/**
 * Returns the attempts to open an exchange's socket. If the exchange reused the socket of an earlier exchange, returns
 * the attempts of that exchange.
 */
function socketsOf(attempts: readonly HttpExchangeFacts[], exchange: HttpExchangeFacts | undefined) {
  const upTo = exchange ? attempts.slice(0, attempts.indexOf(exchange) + 1) : attempts;
  const { sockets = [], request } = upTo.findLast((one) => one.sockets.length > 0) ?? {};
  // Leaves out sockets from before a redirect.
  const own = sockets.filter(({ seq }) => request === undefined || seq > request.seq);
  return own.length > 0 ? own : sockets.slice(-1);
}

function errorIn({ answer }: HttpExchangeFacts): Located<{ readonly error: RpcError }> | undefined {
  const error = isObject(answer?.value) ? own(answer.value, 'error') : undefined;
  if (!answer || !isObject(error)) return undefined;
  const code = own(error, 'code');
  const message = own(error, 'message');
  if (typeof code !== 'number') return undefined;
  const data = own(error, 'data');
  return {
    seq: answer.seq,
    error: { code, message: typeof message === 'string' ? message : '', ...(data !== undefined && { data }) },
  };
}

/** Returns the newest lifecycle frame with this event. */
export function eventSeq(log: Log, seqs: readonly number[], name: LifecycleEvent['event']): number | undefined {
  return seqs.findLast((seq) => eventOf(log, seq)?.event === name);
}

function lookedWhere(log: Log, seq: number): AttemptFacts['looked'] {
  const event = eventOf(log, seq);
  return event?.event === 'look-further' && event.where === 'loopback' ? 'loopback' : 'paths';
}

function eventOf(log: Log, seq: number): LifecycleEvent | undefined {
  return validLifecycleEvent(log.json(seq - 1)?.value);
}

/** Returns the HTTP proxy that the last new socket of a log goes through. */
export function httpProxyOf(log: Log): HttpProxyHop | undefined {
  return exchangesOf(log)
    .findLast(({ sockets }) => sockets.length > 0)
    ?.sockets.at(-1)?.httpProxy;
}

/**
 * Returns the seqs of the messages that a diagnosis reads. In a long log they may be evicted. Until they are loaded
 * again, they count as missing.
 */
export function messagesRead(log: Log): readonly number[] {
  const exchanges = exchangesOf(log, log.state.connection.opened);
  return exchanges.flatMap(({ sent, answer }) => [sent?.seq ?? [], answer?.seq ?? []].flat());
}
