import { LIMITS } from '@/lib/wire/limits';
import { asConnectionError, type ExchangeContext, type HttpConfig, pause, RunningExchange } from './http-exchange';
import { gatewayFailure, noStream, notMcp, refusedAnswer, streamRefused } from './http-failures';
import { type Headers, mediaType } from './http-link';
import { idAsHeader, type StreamEvent } from './sse-parser';
import type { HttpFailure } from './transport';

/** Bounds for the `retry` that a server sends, in milliseconds. */
const STREAM_RETRY_MIN_MS = 20;
const STREAM_RETRY_MAX_MS = 10 * 60_000;

/** The transport, as far as reading streams needs it. */
export interface StreamPort {
  readonly config: Pick<HttpConfig, 'url' | 'clock'>;
  readonly context: ExchangeContext;
  /** Aborted when no more streams should be read. */
  readonly closed: AbortSignal;
  /** Returns `own` with the headers that every request has. */
  headers(own: Headers): Headers;
  /** Registers a running exchange. Returns a function to call at its end. */
  track(exchange: RunningExchange): () => void;
  /** Called with true when the server has opened a stream, and with false when it refused or could not be reached. */
  onAnswer(opened: boolean): void;
}

/** The transport, as far as listening needs it. */
export interface ListenPort extends StreamPort {
  /** Called when the stream broke off. */
  onBroken(): void;
}

/**
 * Reads the rest of a stream that answers a POST, from `place` on, while `wanted` returns true. Resolves with a failure
 * when the server refuses, or fails too often. Never rejects.
 */
export async function resumeStream(
  port: StreamPort,
  place: StreamPosition,
  wanted: () => boolean,
): Promise<HttpFailure | undefined> {
  let why: HttpFailure | undefined;
  for (let failures = 0; failures < LIMITS.streamRetries; ) {
    await pause(port.config.clock, place.nextDelay(), port.closed);
    if (port.closed.aborted || !wanted()) return undefined;
    const { refusal, broke } = await readStream(port, new RunningExchange(port.context), place);
    why = refusal ?? broke;
    if (isFinal(refusal) || broke?.status !== undefined) return why;
    failures = why === undefined ? 0 : failures + 1;
  }
  return why;
}

/** The first attempt to reopen the listening stream after a loss. */
export interface Reopening {
  /** Milliseconds until the next attempt, for the log. */
  readonly retryMs: number;
  /** Called at the first response or failure. */
  done(): void;
}

/**
 * Listens to a legacy server's own messages, on one stream after the other, while `wanted` returns true. Ends when the
 * server offers no stream, can't be reached, or fails too often. Never rejects.
 */
export async function listenToEvents(port: ListenPort, wanted: () => boolean, reopening?: Reopening): Promise<void> {
  const { sink } = port.context;
  const place = new StreamPosition();
  let again = reopening;
  let opened = again !== undefined;
  let lost = opened;
  for (
    let failures = 0;
    failures < LIMITS.streamRetries;
    await pause(port.config.clock, place.nextDelay(), port.closed)
  ) {
    if (port.closed.aborted || !wanted()) break;
    const exchange = new RunningExchange(port.context, lost ? 'reconnect' : undefined);
    const { refusal, broke } = await readStream(port, exchange, place, { opened, reopening: again });
    again?.done();
    again = undefined;
    // Only a POST shows whether the session is gone. Reporting a possible restart sends one.
    if (opened && isFinal(refusal)) sink.onPossibleRestart?.();
    if (isFinal(refusal) || broke?.status !== undefined || (broke !== undefined && !exchange.answered)) break;
    lost = broke !== undefined;
    if (lost) port.onBroken();
    opened ||= refusal === undefined;
    failures = refusal === undefined ? 0 : failures + 1;
  }
  again?.done();
}

/** The past of the listening stream before a GET. */
interface History {
  /** The server has opened the stream before. */
  readonly opened: boolean;
  readonly reopening: Reopening | undefined;
}

/** How one GET ended. Empty if the server ended the stream. */
interface StreamEnd {
  readonly refusal?: HttpFailure;
  readonly broke?: HttpFailure;
}

/** Sends one GET and reads its stream to the end. Never rejects. */
async function readStream(
  port: StreamPort,
  exchange: RunningExchange,
  place: StreamPosition,
  history?: History,
): Promise<StreamEnd> {
  const untrack = port.track(exchange);
  try {
    const refusal = await openStream(port, exchange, place, history);
    return refusal ? { refusal } : {};
  } catch (error) {
    const broke = asConnectionError(error);
    port.onAnswer(false);
    if (!exchange.aborted)
      exchange.end('failure', broke, [], exchange.answered ? undefined : history?.reopening?.retryMs);
    return { broke };
  } finally {
    untrack();
  }
}

async function openStream(
  port: StreamPort,
  exchange: RunningExchange,
  place: StreamPosition,
  history?: History,
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
  port.onAnswer(opens);
  if (opens) {
    history?.reopening?.done();
    await exchange.stream(answer, (event) => place.update(event));
    if (!exchange.aborted) exchange.end('server');
    return undefined;
  }
  await exchange.body(answer);
  const refused = answer.status === 200 ? notMcp(200, type) : refusedAnswer(answer, headers);
  if (history === undefined) return refused;
  const why = (history.opened ? streamRefused(answer.status) : noStream(answer.status)) ?? refused;
  const retryMs = gatewayFailure(answer.status) && history.reopening?.retryMs;
  if (why !== refused || retryMs !== undefined) exchange.end('server', why, [], retryMs);
  return why;
}

/** True for refusals that the server would repeat. */
function isFinal(refusal: HttpFailure | undefined): boolean {
  const status = refusal?.status;
  return refusal?.code === 'no-stream' || (status !== undefined && status < 500);
}

/** How far an event stream was read, and when to resume it (2025-11-25, resumability). */
export class StreamPosition {
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #quiet = 0;

  /** The value of `Last-Event-ID`. undefined: the stream can't be resumed. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** Moves on to this event. */
  update({ id, retry }: StreamEvent): void {
    this.#quiet = 0;
    if (id !== undefined) this.#lastEventId = id === '' ? undefined : id;
    if (retry !== undefined) this.#retryMs = Math.max(STREAM_RETRY_MIN_MS, Math.min(retry, STREAM_RETRY_MAX_MS));
  }

  /**
   * Returns the milliseconds before the next attempt: the server's `retry`, or a delay that doubles until an event
   * comes.
   */
  nextDelay(): number {
    const own = Math.min(LIMITS.streamRetryFirstMs * 2 ** this.#quiet, LIMITS.streamRetryLastMs);
    this.#quiet++;
    return this.#retryMs ?? own;
  }
}
