import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import {
  type HttpFrame,
  type HttpProxyHop,
  readHttpFrame,
  type ShownHeaders,
  type SocketFrame,
} from '@/lib/wire/http-frame';
import { type Failure, type LifecycleEvent, validLifecycleEvent } from '@/lib/wire/lifecycle';
import type { RpcError } from '@/lib/wire/message';

/** Most frames read, from the start of a log, where connections fail. */
const DOCTOR_FRAMES = 20_000;
/** Most exchanges read from those frames. */
const DOCTOR_EXCHANGES = 100;
/** Most events of a stream that are kept per exchange. */
const DOCTOR_EVENTS = 50;

type UrlStart = Extract<LifecycleEvent, { event: 'start'; transport: 'auto' | 'http' | 'sse' }>;

/** Facts from the log of a failed connection to a URL. */
export interface AttemptFacts {
  readonly start: UrlStart;
  /**
   * The URL as shown, with secrets masked and placeholders not filled in; undefined if that text is not a valid URL.
   */
  readonly url: URL | undefined;
  readonly failure: Failure;
  /** The frame that reports the failure. */
  readonly failureSeq: number;
  /** The authorization failure, if that made the connection fail. */
  readonly signIn: Failure | undefined;
  /** The exchange that failed; undefined if the connection did not get that far. */
  readonly exchange: ExchangeFacts | undefined;
  /** Attempts to open the exchange's socket, one per address. */
  readonly sockets: readonly Located<SocketFrame>[];
  /** The last attempt. */
  readonly socket: Located<SocketFrame> | undefined;
  /** Status of the exchange's response, or of its last redirect. */
  readonly status: number | undefined;
  /** Media type of that response, in lower case; '' if it has none. */
  readonly type: string;
  /** Returns the first value of a header of that response. `name` is in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Text of a body that is not JSON. */
  readonly text: string;
  /** JSON-RPC error in the response. */
  readonly error: Located<{ readonly error: RpcError }> | undefined;
  /** Requests that "Look further" sent. */
  readonly further: readonly ExchangeFacts[];
  /** The addresses that "Look further" searched last. */
  readonly looked: 'paths' | 'loopback' | undefined;
}

/** Reads the facts. Returns undefined unless the log is that of a failed connection to a URL. */
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
    type: exchange ? mediaTypeOf(exchange) : '',
    header: (name) => headerIn(response?.headers, name),
    text: exchange?.body?.text ?? '',
    error: exchange && errorIn(exchange),
    further: lookedSeq === undefined ? [] : exchanges.filter((one) => one.request.seq > lookedSeq),
    looked: lookedSeq === undefined ? undefined : lookedWhere(log, lookedSeq),
  };
}

/** Returns true for an exchange that carries messages or asks for them. Sign-in requests and DELETE do not. */
function isMcp({ sent, request }: ExchangeFacts): boolean {
  const listens = request.method === 'GET' && /text\/event-stream/.test(headerIn(request.headers, 'accept') ?? '');
  return sent !== undefined || listens;
}

/**
 * Returns the exchange that decided the outcome. After a fallback to HTTP+SSE, its exchanges count only if its stream
 * opened. Otherwise the earlier refusal says more.
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

/**
 * Returns the attempts to open an exchange's socket. If the exchange reused the socket of an earlier exchange, returns
 * the attempts of that exchange.
 */
function socketsOf(attempts: readonly ExchangeFacts[], exchange: ExchangeFacts | undefined) {
  const upTo = exchange ? attempts.slice(0, attempts.indexOf(exchange) + 1) : attempts;
  const { sockets = [], request } = upTo.findLast((one) => one.sockets.length > 0) ?? {};
  // Leaves out sockets from before a redirect.
  const own = sockets.filter(({ seq }) => request === undefined || seq > request.seq);
  return own.length > 0 ? own : sockets.slice(-1);
}

function errorIn({ answer }: ExchangeFacts): Located<{ readonly error: RpcError }> | undefined {
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
  return validLifecycleEvent(log.json(seq - 1)?.value);
}

/** A fact from the log, with the seq of its frame. */
export type Located<T> = T & { readonly seq: number };

type FrameOf<K extends HttpFrame['kind']> = Extract<HttpFrame, { kind: K }>;

/** One HTTP exchange in the log. After redirects, `request` and `response` are the last of the exchange. */
export interface ExchangeFacts {
  readonly number: number;
  readonly request: Located<FrameOf<'request'>>;
  readonly sockets: readonly Located<SocketFrame>[];
  /** Redirects, followed or not. The last one is the response too if no other response followed. */
  readonly redirects: readonly Located<FrameOf<'response'>>[];
  readonly response?: Located<FrameOf<'response'>>;
  readonly body?: Located<FrameOf<'body'>>;
  readonly events: readonly Located<FrameOf<'sse'>>[];
  readonly end?: Located<FrameOf<'end'>>;
  /** The message that the exchange carried, and its response. */
  readonly sent?: Located<{ readonly value: unknown }>;
  readonly answer?: Located<{ readonly value: unknown }>;
  /** Microseconds between the request and the start of the response. */
  readonly waitedUs?: number;
}

type ExchangeDraft = { -readonly [K in keyof ExchangeFacts]: ExchangeFacts[K] } & {
  sockets: Located<SocketFrame>[];
  redirects: Located<FrameOf<'response'>>[];
  events: Located<FrameOf<'sse'>>[];
};

/** Returns the HTTP exchanges of a log in the order they began. Never throws. */
function exchangesOf(log: Log): readonly ExchangeFacts[] {
  const found = new Map<number, ExchangeDraft>();
  // The message of an http frame is in the next protocol frame.
  let carrier: ExchangeDraft | undefined;
  for (let index = 0; index < Math.min(log.size, DOCTOR_FRAMES); index++) {
    const { channel, direction, seq } = log.row(index);
    if (channel === 'protocol' && carrier) {
      const value = log.json(index)?.value;
      if (direction === 'to-server') carrier.sent ??= { seq, value };
      else carrier.answer ??= { seq, value };
    }
    carrier = undefined;
    if (channel !== 'http') continue;
    const frame = readHttpFrame(log.text(index));
    if (frame === undefined) continue;
    if (frame.kind === 'request' && !found.has(frame.exchange) && found.size < DOCTOR_EXCHANGES) {
      const request = { ...frame, seq };
      found.set(frame.exchange, { number: frame.exchange, request, sockets: [], redirects: [], events: [] });
    }
    const exchange = found.get(frame.exchange);
    if (!exchange) continue;
    (ADD_FRAME[frame.kind] as AddFrame)(exchange, { ...frame, seq }, log);
    carrier = exchange;
  }
  return [...found.values()];
}

/** Returns the HTTP proxy that the last new socket of a log goes through. */
export function httpProxyOf(log: Log): HttpProxyHop | undefined {
  return exchangesOf(log)
    .findLast(({ sockets }) => sockets.length > 0)
    ?.sockets.at(-1)?.httpProxy;
}

/**
 * Returns the seqs of the messages that {@link exchangesOf} reads. In a long log they may be evicted. Until they are
 * loaded again, they count as missing.
 */
export function messagesRead(log: Log): readonly number[] {
  return exchangesOf(log).flatMap(({ sent, answer }) => [sent?.seq ?? [], answer?.seq ?? []].flat());
}

type AddFrame = (exchange: ExchangeDraft, frame: Located<HttpFrame>, log: Log) => void;

const ADD_FRAME: {
  readonly [K in HttpFrame['kind']]: (exchange: ExchangeDraft, frame: Located<FrameOf<K>>, log: Log) => void;
} = {
  request: (exchange, frame) => {
    // The exchange was redirected, and the earlier response was the redirect.
    if (exchange.response) exchange.redirects.push(exchange.response);
    exchange.response = undefined;
    exchange.request = frame;
  },
  socket: (exchange, frame) => void exchange.sockets.push(frame),
  response: (exchange, frame, log) => {
    exchange.response = frame;
    exchange.waitedUs = log.row(frame.seq - 1).time - log.row(exchange.request.seq - 1).time;
  },
  // Only pages send CORS probes, and the failures after them already say which CORS headers are missing.
  'cors-probe': () => {},
  body: (exchange, frame) => {
    exchange.body = frame;
  },
  sse: (exchange, frame) => {
    if (exchange.events.length < DOCTOR_EVENTS) exchange.events.push(frame);
  },
  end: (exchange, frame) => {
    exchange.end ??= frame;
  },
};

/** Returns the first value of a response header. */
export function headerIn(headers: ShownHeaders | undefined, name: string): string | undefined {
  return headers?.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Returns a response's media type without parameters, in lower case; '' if it has none. */
export function mediaTypeOf({ response }: Pick<ExchangeFacts, 'response'>): string {
  return (headerIn(response?.headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}
