import { LIMITS } from '@/lib/wire/limits';
import { type HttpConfig, pause } from './http-config';
import { asConnectionError, HttpExchange, type HttpSurroundings } from './http-exchange';
import { notMcp, refusedAnswer } from './http-failures';
import { type Headers, mediaType } from './http-link';
import { idAsHeader } from './sse-events';
import { StreamPlace } from './stream-place';
import type { Unanswered } from './transport';

/** What reading streams needs of the transport that does. */
export interface StreamPort {
  readonly config: Pick<HttpConfig, 'url' | 'clock'>;
  readonly around: HttpSurroundings;
  /** Aborted when nothing is read any more. */
  readonly over: AbortSignal;
  /** With what every request has. */
  headers(own: Headers): Headers;
  /** An exchange is under way, until what is returned is called. */
  began(exchange: HttpExchange): () => void;
  /** The server has opened a stream or refused it, or can't be asked. */
  answered(): void;
  refused(status: number, sent: Headers): void;
}

/**
 * Reads event streams of the legacy era one after the other while they are `wanted`: the rest of the one that `resumed` is in, or the
 * one to listen on. Resolves with the reason when the server refuses, or fails too often. Never rejects.
 */
export async function followStreams(
  port: StreamPort,
  resumed: StreamPlace | undefined,
  wanted: () => boolean,
): Promise<Unanswered | undefined> {
  const place = resumed ?? new StreamPlace();
  let why: Unanswered | undefined;
  for (let failures = 0, later = resumed !== undefined; failures < LIMITS.streamRetries; later = true) {
    if (later) await pause(port.config.clock, place.nextDelay(), port.over);
    if (port.over.aborted || !wanted()) return undefined;
    const exchange = new HttpExchange(port.around);
    const ended = port.began(exchange);
    try {
      const refusal = await readStream(port, exchange, place);
      if (refusal !== undefined && refusal.status !== undefined && refusal.status < 500) return refusal;
      why = refusal;
      failures = refusal === undefined ? 0 : failures + 1;
    } catch (error) {
      port.answered();
      why = asConnectionError(error);
      failures++;
      if (!exchange.aborted) exchange.end('failure', why);
      if (why.status !== undefined) return why;
    } finally {
      ended();
    }
  }
  return why;
}

/** One GET, to the end of its stream; the reason if there is none. */
async function readStream(
  port: StreamPort,
  exchange: HttpExchange,
  place: StreamPlace,
): Promise<Unanswered | undefined> {
  const { url } = port.config;
  const after = place.lastEventId;
  const headers = port.headers([
    ['Accept', 'text/event-stream'],
    ...(after === undefined ? [] : [['Last-Event-ID', idAsHeader(after)] as const]),
  ]);
  exchange.announce('GET', url, headers);
  const answer = await exchange.askWithin('GET', url, headers);
  port.answered();
  const type = mediaType(answer.headers);
  if (answer.status === 200 && type === 'text/event-stream') {
    await exchange.stream(answer, (event) => place.note(event));
    if (!exchange.aborted) exchange.end('server');
    return undefined;
  }
  await exchange.body(answer);
  port.refused(answer.status, headers);
  return answer.status === 200 ? notMcp(200, type) : refusedAnswer(answer, headers);
}
