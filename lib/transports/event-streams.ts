import { LIMITS } from '@/lib/wire/limits';
import { asConnectionError, type ExchangeContext, type HttpConfig, HttpExchange, pause } from './http-exchange';
import { gatewayFailure, noStream, notMcp, refusedAnswer, streamRefused } from './http-failures';
import { type Headers, mediaType } from './http-link';
import { idAsHeader, type StreamEvent } from './sse-parser';
import type { HttpFailure } from './transport';

/** What a server's own `retry` may ask for. */
const STREAM_RETRY_MIN_MS = 20;
const STREAM_RETRY_MAX_MS = 10 * 60_000;

/** What reading streams needs of the transport that does. */
export interface StreamPort {
  readonly config: Pick<HttpConfig, 'url' | 'clock'>;
  readonly around: ExchangeContext;
  /** Aborted when nothing is read any more. */
  readonly over: AbortSignal;
  /** With what every request has. */
  headers(own: Headers): Headers;
  /** An exchange is under way, until what is returned is called. */
  began(exchange: HttpExchange): () => void;
  /** The server has opened a stream (`opened`) or refused it, or can't be asked. */
  answered(opened: boolean): void;
}

/** The same, for the stream to listen on. */
export interface ListenPort extends StreamPort {
  /** The stream broke off. */
  broke(): void;
}

/**
 * Reads the rest of a stream that answers a POST, from `place` on, while that is `wanted`. Resolves with the reason
 * when the server refuses, or fails too often. Never rejects.
 */
export async function resumeStream(
  port: StreamPort,
  place: StreamPosition,
  wanted: () => boolean,
): Promise<HttpFailure | undefined> {
  let why: HttpFailure | undefined;
  for (let failures = 0; failures < LIMITS.streamRetries; ) {
    await pause(port.config.clock, place.nextDelay(), port.over);
    if (port.over.aborted || !wanted()) return undefined;
    const { refusal, broke } = await readStream(port, new HttpExchange(port.around), place);
    why = refusal ?? broke;
    if (isFinal(refusal) || broke?.status !== undefined) return why;
    failures = why === undefined ? 0 : failures + 1;
  }
  return why;
}

/** How the stream to listen on is opened for the first time after a loss. */
export interface Reopening {
  /** For the log: when we try again if this fails. */
  readonly retryMs: number;
  /** The first answer, or failure, is here. */
  done(): void;
}

/**
 * Listens to a legacy server's own messages, on one stream after the other while they are `wanted`. Ends when the
 * server offers none, can't be reached, or fails too often. Reports losses to the sink. Never rejects.
 */
export async function listen(port: ListenPort, wanted: () => boolean, reopening?: Reopening): Promise<void> {
  const { sink } = port.around;
  const place = new StreamPosition();
  let again = reopening;
  let opened = again !== undefined;
  let lost = opened;
  for (
    let failures = 0;
    failures < LIMITS.streamRetries;
    await pause(port.config.clock, place.nextDelay(), port.over)
  ) {
    if (port.over.aborted || !wanted()) break;
    const exchange = new HttpExchange(port.around, lost ? 'reconnect' : undefined);
    const { refusal, broke } = await readStream(port, exchange, place, { opened, reopening: again });
    again?.done();
    again = undefined;
    // Only a POST can say that a session is gone, so one is sent to find out.
    if (opened && isFinal(refusal)) sink.onPossibleRestart?.();
    if (isFinal(refusal) || broke?.status !== undefined || (broke !== undefined && !exchange.answered)) break;
    lost = broke !== undefined;
    if (lost) port.broke();
    opened ||= refusal === undefined;
    failures = refusal === undefined ? 0 : failures + 1;
  }
  again?.done();
}

/** History of the listening stream before a GET for it. */
interface Before {
  /** The server has opened that stream once. */
  readonly opened: boolean;
  readonly reopening: Reopening | undefined;
}

/** How one GET went: neither is there if the server ended the stream. */
interface StreamEnd {
  readonly refusal?: HttpFailure;
  readonly broke?: HttpFailure;
}

/** One GET, to the end of its stream. Never rejects. */
async function readStream(
  port: StreamPort,
  exchange: HttpExchange,
  place: StreamPosition,
  before?: Before,
): Promise<StreamEnd> {
  const ended = port.began(exchange);
  try {
    const refusal = await openStream(port, exchange, place, before);
    return refusal ? { refusal } : {};
  } catch (error) {
    const broke = asConnectionError(error);
    port.answered(false);
    if (!exchange.aborted)
      exchange.end('failure', broke, [], exchange.answered ? undefined : before?.reopening?.retryMs);
    return { broke };
  } finally {
    ended();
  }
}

async function openStream(
  port: StreamPort,
  exchange: HttpExchange,
  place: StreamPosition,
  before?: Before,
): Promise<HttpFailure | undefined> {
  const { url } = port.config;
  const after = place.lastEventId;
  const headers = port.headers([
    ['Accept', 'text/event-stream'],
    ...(after === undefined ? [] : [['Last-Event-ID', idAsHeader(after)] as const]),
  ]);
  exchange.announce('GET', url, headers);
  const answer = await exchange.sendAuthorized('GET', url, headers);
  const type = mediaType(answer.headers);
  const opens = answer.status === 200 && type === 'text/event-stream';
  port.answered(opens);
  if (opens) {
    before?.reopening?.done();
    await exchange.stream(answer, (event) => place.update(event));
    if (!exchange.aborted) exchange.end('server');
    return undefined;
  }
  await exchange.body(answer);
  const refused = answer.status === 200 ? notMcp(200, type) : refusedAnswer(answer, headers);
  if (before === undefined) return refused;
  const why = (before.opened ? streamRefused(answer.status) : noStream(answer.status)) ?? refused;
  const retryMs = gatewayFailure(answer.status) && before.reopening?.retryMs;
  if (why !== refused || retryMs !== undefined) exchange.end('server', why, [], retryMs);
  return why;
}

/** The server will say the same next time. */
function isFinal(refusal: HttpFailure | undefined): boolean {
  const status = refusal?.status;
  return refusal?.code === 'no-stream' || (status !== undefined && status < 500);
}

/** How far an event stream was read, and when to come back for the rest (2025-11-25, resumability). */
export class StreamPosition {
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #quiet = 0;

  /** For `Last-Event-ID`; undefined: the stream can't be resumed. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** Takes note of what the stream said. */
  update({ id, retry }: StreamEvent): void {
    this.#quiet = 0;
    if (id !== undefined) this.#lastEventId = id === '' ? undefined : id;
    if (retry !== undefined) this.#retryMs = Math.max(STREAM_RETRY_MIN_MS, Math.min(retry, STREAM_RETRY_MAX_MS));
  }

  /** Milliseconds to wait before the next attempt: what the server asked for, or longer and longer while nothing comes. */
  nextDelay(): number {
    const own = Math.min(LIMITS.streamRetryFirstMs * 2 ** this.#quiet, LIMITS.streamRetryLastMs);
    this.#quiet++;
    return this.#retryMs ?? own;
  }
}
