import type { Log } from '@/lib/store/log';
import type { Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import { isObject, own, type RpcError } from '@/lib/wire/message';
import type { SocketFrame } from '@/lib/wire/socket-frame';
import { soundEvent } from '@/lib/wire/sound-event';
import { type ExchangeFacts, exchangesOf, headerIn, type Seen, typeOf } from './exchange-facts';

type UrlStart = Extract<LifecycleEvent, { event: 'start'; transport: 'auto' | 'http' | 'sse' }>;

/** What the log tells of a connection to a URL that failed. */
export interface AttemptFacts {
  readonly start: UrlStart;
  /** As shown: its secrets masked, its placeholders not filled; undefined if that makes it no URL. */
  readonly url: URL | undefined;
  readonly failure: Failure;
  /** The frame that says so. */
  readonly failureSeq: number;
  /** What authorization failed by, if that is why the connection did. */
  readonly signIn: Failure | undefined;
  /** The exchange that the failure is about; undefined if none got that far. */
  readonly exchange: ExchangeFacts | undefined;
  /** How the newest socket came to be, address by address. */
  readonly sockets: readonly Seen<SocketFrame>[];
  /** The last of them. */
  readonly socket: Seen<SocketFrame> | undefined;
  /** Of the exchange's answer. */
  readonly status: number | undefined;
  readonly type: string;
  readonly header: (name: string) => string | undefined;
  /** The text of a body that is no JSON. */
  readonly text: string;
  /** The JSON-RPC error in the answer. */
  readonly error: Seen<{ readonly error: RpcError }> | undefined;
  /** What was asked afterwards, beside the URL. */
  readonly further: readonly ExchangeFacts[];
  /** Where it was looked further: the last time that it was. */
  readonly looked: 'paths' | 'loopback' | undefined;
}

/** Reads them; undefined for a log of anything else. */
export function attemptFactsOf(log: Log): AttemptFacts | undefined {
  const { start, failure, seqs, authorization } = log.state.connection;
  if (!start || start.transport === 'stdio' || !failure || !Array.isArray(start.headerNames)) return undefined;
  const failureSeq = eventSeq(log, seqs, 'handshake-failed') ?? eventSeq(log, seqs, 'failed') ?? log.size;
  const lookedSeq = eventSeq(log, seqs, 'look-further');
  const exchanges = exchangesOf(log);
  const began = (exchange: ExchangeFacts): number => exchange.sent?.seq ?? exchange.request.seq;
  const attempts = exchanges.filter((one) => began(one) < failureSeq && isMcp(one));
  const exchange = decisive(attempts, eventSeq(log, seqs, 'fallback'));
  const sockets = socketsOf(attempts, exchange);
  const response = exchange?.response ?? exchange?.redirects.at(-1);
  return {
    start,
    url: URL.canParse(start.url) ? new URL(start.url) : undefined,
    failure,
    failureSeq,
    signIn: authorization?.phase === 'refused' && authorization.code === failure.code ? authorization : undefined,
    exchange,
    sockets,
    socket: sockets.at(-1),
    status: response?.status,
    type: exchange ? typeOf(exchange) : '',
    header: (name) => headerIn(response?.headers, name),
    text: exchange?.body?.text ?? '',
    error: exchange && errorIn(exchange),
    further: lookedSeq === undefined ? [] : exchanges.filter((one) => one.request.seq > lookedSeq),
    looked: lookedSeq === undefined ? undefined : lookedWhere(log, lookedSeq),
  };
}

/** Carries messages, or asks for them: signing in and saying goodbye are about something else. */
function isMcp({ sent, request }: ExchangeFacts): boolean {
  const listens = request.method === 'GET' && /text\/event-stream/.test(headerIn(request.headers, 'accept') ?? '');
  return sent !== undefined || listens;
}

/**
 * The exchange that decided. What came after going over to HTTP+SSE counts only if that opened: otherwise the first
 * refusal says more.
 */
function decisive(attempts: readonly ExchangeFacts[], fallback: number | undefined): ExchangeFacts | undefined {
  const opened = attempts.some(({ events }) => events.some(({ event }) => event === 'endpoint'));
  const considered =
    fallback === undefined || opened ? attempts : attempts.filter(({ request }) => request.seq < fallback);
  return considered.findLast(failed) ?? considered.at(-1);
}

function failed({ end, response }: ExchangeFacts): boolean {
  return end?.code !== undefined || (response !== undefined && response.status >= 300);
}

/** A later exchange may have used the socket of an earlier one. */
function socketsOf(attempts: readonly ExchangeFacts[], exchange: ExchangeFacts | undefined) {
  const upTo = exchange ? attempts.slice(0, attempts.indexOf(exchange) + 1) : attempts;
  const { sockets = [], request } = upTo.findLast((one) => one.sockets.length > 0) ?? {};
  // Those before a redirect led elsewhere.
  const own = sockets.filter(({ seq }) => request === undefined || seq > request.seq);
  return own.length > 0 ? own : sockets.slice(-1);
}

function errorIn({ answer }: ExchangeFacts): Seen<{ readonly error: RpcError }> | undefined {
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

function eventSeq(log: Log, seqs: readonly number[], name: LifecycleEvent['event']): number | undefined {
  return seqs.findLast((seq) => eventOf(log, seq)?.event === name);
}

function lookedWhere(log: Log, seq: number): AttemptFacts['looked'] {
  const event = eventOf(log, seq);
  return event?.event === 'look-further' && event.where === 'loopback' ? 'loopback' : 'paths';
}

function eventOf(log: Log, seq: number): LifecycleEvent | undefined {
  return soundEvent(log.json(seq - 1)?.value);
}
