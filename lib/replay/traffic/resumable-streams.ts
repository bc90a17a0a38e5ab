import { headerOf } from '@/lib/transports/http-link';
import { idAsHeader } from '@/lib/transports/sse-parser';
import type { HttpFrame } from '@/lib/wire/http-frame';

/** An event stream with event ids, so that its client can resume it (up to 2025-11-25). */
export interface ResumableStream {
  /** True if the stream began with an event that had an id and no message. */
  readonly primed: boolean;
  /** First `retry` of the stream in milliseconds; undefined if absent. */
  readonly retryMs: number | undefined;
  /**
   * The places where the stream ended or broke off, in order, unless the client closed it. Later events came on another
   * exchange.
   */
  readonly cuts: readonly StreamCut[];
}

/** `seq`: the frame with the end. `time`: microseconds since the beginning. */
export interface StreamCut {
  readonly seq: number;
  readonly time: number;
}

interface Open {
  primed: boolean | undefined;
  retryMs: number | undefined;
  readonly cuts: StreamCut[];
  /** Id of its newest event, as a header value. The client resumes after it. */
  lastId: string | undefined;
}

/** Collects the event streams of a recording from its http frames: which are resumable, and which resume another. */
export class ResumableStreams {
  /** By the exchange on which each began. */
  readonly #streams = new Map<number, Open>();
  readonly #byLastId = new Map<string, number>();
  /** By exchange that resumes a stream, the exchange on which it began. */
  readonly #origins = new Map<number, number>();

  /** Returns the exchange whose stream this exchange resumed, or the exchange itself. */
  originOf(exchange: number): number {
    return this.#origins.get(exchange) ?? exchange;
  }

  /** Resumable streams by exchange. */
  resumable(): ReadonlyMap<number, ResumableStream> {
    const found = [...this.#streams].filter(([, { lastId }]) => lastId !== undefined);
    return new Map(
      found.map(([exchange, { primed, retryMs, cuts }]) => [exchange, { primed: primed === true, retryMs, cuts }]),
    );
  }

  addHttpFrame(at: StreamCut, frame: HttpFrame): void {
    const origin = this.originOf(frame.exchange);
    if (frame.kind === 'request') this.#onRequest(frame);
    else if (frame.kind === 'sse') this.#onEvent(origin, frame);
    else if (frame.kind === 'end' && frame.by !== 'client') {
      this.#streams.get(origin)?.cuts.push({ seq: at.seq, time: at.time });
    }
  }

  #onRequest({ exchange, headers }: Extract<HttpFrame, { kind: 'request' }>): void {
    const origin = this.#byLastId.get(headerOf(headers, 'last-event-id') ?? '');
    if (origin !== undefined && origin !== exchange) this.#origins.set(exchange, origin);
  }

  #onEvent(exchange: number, { id, retry, data, comment }: Extract<HttpFrame, { kind: 'sse' }>): void {
    const stream = this.#streams.get(exchange) ?? {
      primed: undefined,
      retryMs: undefined,
      cuts: [],
      lastId: undefined,
    };
    this.#streams.set(exchange, stream);
    stream.retryMs ??= retry;
    if (retry === undefined && comment === undefined) stream.primed ??= id !== undefined && data !== undefined;
    if (id === undefined || id === '') return;
    if (stream.lastId !== undefined) this.#byLastId.delete(stream.lastId);
    stream.lastId = idAsHeader(id);
    this.#byLastId.set(stream.lastId, exchange);
  }
}
