import type { Log } from '@/lib/store/log';
import { type HttpFrame, readHttpFrame, type ShownHeaders, type SocketFrame } from '@/lib/wire/http-frame';

/** Most frames read: from the start of a log, where connections fail, or before the failure of an open connection. */
const DOCTOR_FRAMES = 20_000;
/** Most exchanges read from those frames, the newest. */
const DOCTOR_EXCHANGES = 100;
/** Most events of a stream that are kept per exchange. */
export const DOCTOR_EVENTS = 50;

/** A fact from the log, with the seq of its frame. */
export type Located<T> = T & { readonly seq: number };

type FrameOf<K extends HttpFrame['kind']> = Extract<HttpFrame, { kind: K }>;

/** One request on the wire, and its response. A redirect and a sign-in add another to the same exchange. */
interface Hop {
  readonly request: Located<FrameOf<'request'>>;
  readonly response?: Located<FrameOf<'response'>>;
}

/** One HTTP exchange in the log. `request` and `response` are those of its last hop. */
export interface HttpExchangeFacts extends Hop {
  readonly number: number;
  /** In order, at least one. */
  readonly hops: readonly Hop[];
  readonly sockets: readonly Located<SocketFrame>[];
  readonly body?: Located<FrameOf<'body'>>;
  readonly events: readonly Located<FrameOf<'sse'>>[];
  readonly end?: Located<FrameOf<'end'>>;
  /** The message that the exchange carried, and its response. */
  readonly sent?: Located<{ readonly value: unknown }>;
  readonly answer?: Located<{ readonly value: unknown }>;
  /** Microseconds between the last request and the start of its response. */
  readonly waitedUs?: number;
}

interface ExchangeDraft {
  readonly number: number;
  readonly hops: { request: Located<FrameOf<'request'>>; response?: Located<FrameOf<'response'>> }[];
  readonly sockets: Located<SocketFrame>[];
  readonly events: Located<FrameOf<'sse'>>[];
  body?: Located<FrameOf<'body'>>;
  end?: Located<FrameOf<'end'>>;
  sent?: Located<{ readonly value: unknown }>;
  answer?: Located<{ readonly value: unknown }>;
  waitedUs?: number;
}

/**
 * Returns the HTTP exchanges of a log in the order they began: of its start, or with `newest` of its end. Never throws.
 */
export function exchangesOf(log: Log, newest = false): readonly HttpExchangeFacts[] {
  const { columns } = log;
  const found = new Map<number, ExchangeDraft>();
  // The message of an http frame is in the next protocol frame.
  let carrier: ExchangeDraft | undefined;
  const first = newest ? Math.max(0, log.size - DOCTOR_FRAMES) : 0;
  for (let index = first; index < Math.min(log.size, first + DOCTOR_FRAMES); index++) {
    const channel = columns.channel(index);
    const seq = index + 1;
    if (channel === 'protocol' && carrier) {
      const value = log.json(index)?.value;
      if (columns.direction(index) === 'to-server') carrier.sent ??= { seq, value };
      else carrier.answer ??= { seq, value };
    }
    carrier = undefined;
    if (channel !== 'http') continue;
    const frame = readHttpFrame(log.text(index));
    if (frame === undefined) continue;
    const begins = frame.kind === 'request' && !found.has(frame.exchange);
    if (begins && found.size === DOCTOR_EXCHANGES) {
      if (!newest) continue;
      const [oldest] = found.keys();
      found.delete(oldest!);
    }
    if (begins) found.set(frame.exchange, { number: frame.exchange, hops: [], sockets: [], events: [] });
    const exchange = found.get(frame.exchange);
    if (!exchange) continue;
    (ADD_FRAME[frame.kind] as AddFrame)(exchange, { ...frame, seq }, log);
    carrier = exchange;
  }
  return [...found.values()].map((exchange) => ({ ...exchange, ...exchange.hops.at(-1)! }));
}

type AddFrame = (exchange: ExchangeDraft, frame: Located<HttpFrame>, log: Log) => void;

const ADD_FRAME: {
  readonly [K in HttpFrame['kind']]: (exchange: ExchangeDraft, frame: Located<FrameOf<K>>, log: Log) => void;
} = {
  request: (exchange, request) => {
    exchange.hops.push({ request });
    delete exchange.waitedUs;
  },
  socket: (exchange, frame) => void exchange.sockets.push(frame),
  response: (exchange, frame, log) => {
    const hop = exchange.hops.at(-1)!;
    hop.response = frame;
    exchange.waitedUs = log.row(frame.seq - 1).time - log.row(hop.request.seq - 1).time;
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

/** Returns the first value of a header. `name` is in lower case. */
export function headerIn(headers: ShownHeaders | undefined, name: string): string | undefined {
  return headers?.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Returns a response's media type without parameters, in lower case; '' if it has none. */
export function mediaTypeOf({ response }: Pick<HttpExchangeFacts, 'response'>): string {
  return (headerIn(response?.headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Returns true for a status with which a server redirects. 0 is one in a page, whose browser hides the status. */
export function isRedirectStatus(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400);
}

/** Returns the origin of a URL as it is shown; '' for an invalid one. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
