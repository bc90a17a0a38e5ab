import type { Log } from '@/lib/store/log';
import type { HttpFrame, ShownHeaders } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';
import { readHttpFrame } from '@/lib/wire/read-http-frame';
import type { SocketFrame } from '@/lib/wire/socket-frame';

/** Something in the log, and where. */
export type Seen<T> = T & { readonly seq: number };

type FrameOf<K extends HttpFrame['kind']> = Extract<HttpFrame, { kind: K }>;

/** One HTTP exchange as the log tells it. After a redirect, request and response are the last ones. */
export interface ExchangeFacts {
  readonly number: number;
  readonly request: Seen<FrameOf<'request'>>;
  readonly sockets: readonly Seen<SocketFrame>[];
  /** Redirects, followed or not: those are the answer as well if nothing came after them. */
  readonly redirects: readonly Seen<FrameOf<'response'>>[];
  readonly response?: Seen<FrameOf<'response'>>;
  readonly body?: Seen<FrameOf<'body'>>;
  readonly events: readonly Seen<FrameOf<'sse'>>[];
  readonly end?: Seen<FrameOf<'end'>>;
  /** The message that it carried, and the one that answered it. */
  readonly sent?: Seen<{ readonly value: unknown }>;
  readonly answer?: Seen<{ readonly value: unknown }>;
  /** Microseconds between the request and its first answer. */
  readonly waitedUs?: number;
}

type Draft = { -readonly [K in keyof ExchangeFacts]: ExchangeFacts[K] } & {
  sockets: Seen<SocketFrame>[];
  redirects: Seen<FrameOf<'response'>>[];
  events: Seen<FrameOf<'sse'>>[];
};

/** The exchanges of a log, by number, in the order they began. Nothing in a log makes it throw. */
export function exchangesOf(log: Log): readonly ExchangeFacts[] {
  const found = new Map<number, Draft>();
  // The message of an http frame is the next protocol frame.
  let carrier: Draft | undefined;
  for (let index = 0; index < Math.min(log.size, LIMITS.doctorFrames); index++) {
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
    if (frame.kind === 'request' && !found.has(frame.exchange) && found.size < LIMITS.doctorExchanges) {
      const request = { ...frame, seq };
      found.set(frame.exchange, { number: frame.exchange, request, sockets: [], redirects: [], events: [] });
    }
    const exchange = found.get(frame.exchange);
    if (!exchange) continue;
    (TAKE[frame.kind] as Take)(exchange, { ...frame, seq }, log);
    carrier = exchange;
  }
  return [...found.values()];
}

/** The messages that {@link exchangesOf} reads: of a long log they may have left the page, and are then taken for nothing. */
export function messagesRead(log: Log): readonly number[] {
  return exchangesOf(log).flatMap(({ sent, answer }) => [sent?.seq ?? [], answer?.seq ?? []].flat());
}

type Take = (exchange: Draft, frame: Seen<HttpFrame>, log: Log) => void;

const TAKE: { readonly [K in HttpFrame['kind']]: (exchange: Draft, frame: Seen<FrameOf<K>>, log: Log) => void } = {
  request: (exchange, frame) => {
    // The same exchange again: what was answered before was a redirect.
    if (exchange.response) exchange.redirects.push(exchange.response);
    exchange.response = undefined;
    exchange.request = frame;
  },
  socket: (exchange, frame) => void exchange.sockets.push(frame),
  response: (exchange, frame, log) => {
    exchange.response = frame;
    exchange.waitedUs = log.row(frame.seq - 1).time - log.row(exchange.request.seq - 1).time;
  },
  // Only pages make these, and they have no doctor: their failures name what is missing.
  'cors-probe': () => {},
  body: (exchange, frame) => {
    exchange.body = frame;
  },
  sse: (exchange, frame) => {
    if (exchange.events.length < LIMITS.doctorEvents) exchange.events.push(frame);
  },
  end: (exchange, frame) => {
    exchange.end ??= frame;
  },
};

/** The first value of a header of the answer. */
export function headerIn(headers: ShownHeaders | undefined, name: string): string | undefined {
  return headers?.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The media type of an answer without parameters, in lower case; '' if it names none. */
export function typeOf({ response }: Pick<ExchangeFacts, 'response'>): string {
  return (headerIn(response?.headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}
