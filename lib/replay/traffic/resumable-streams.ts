import { headerOf } from '@/lib/transports/http-link';
import { idAsHeader } from '@/lib/transports/sse-parser';
import type { HttpFrame } from '@/lib/wire/http-frame';

/** An event stream whose events had ids, so that its client could come back for the rest (up to 2025-11-25, resumability). */
export interface ResumableStream {
  /** It began with an event that had an id and no message. */
  readonly primed: boolean;
  /** Milliseconds after which the client was asked to come back, first; undefined: not said. */
  readonly retryMs: number | undefined;
  /** Where it ended or broke off otherwise than by its client, in order. What came on it after that came on another exchange. */
  readonly cuts: readonly StreamCut[];
}

/** `seq`: of the frame that says so; `time`: microseconds since the beginning. */
export interface StreamCut {
  readonly seq: number;
  readonly time: number;
}

interface Open {
  primed: boolean | undefined;
  retryMs: number | undefined;
  readonly cuts: StreamCut[];
  /** As a header value: of its newest event, by which the rest is asked for. */
  lastId: string | undefined;
}

/** The event streams of a session as its http frames tell of them: which are numbered, and which go on with another. */
export class ResumableStreams {
  /** By the exchange that each began on. */
  readonly #streams = new Map<number, Open>();
  readonly #byLastId = new Map<string, number>();
  /** Of exchanges that go on with a stream, the one that it began on. */
  readonly #origins = new Map<number, number>();

  /** The exchange that what came on this one belongs to: another if this one brought the rest of a stream. */
  originOf(exchange: number): number {
    return this.#origins.get(exchange) ?? exchange;
  }

  /** By exchange. */
  resumable(): ReadonlyMap<number, ResumableStream> {
    const found = [...this.#streams].filter(([, { lastId }]) => lastId !== undefined);
    return new Map(
      found.map(([exchange, { primed, retryMs, cuts }]) => [exchange, { primed: primed === true, retryMs, cuts }]),
    );
  }

  addHttpFrame(at: StreamCut, frame: HttpFrame): void {
    const origin = this.originOf(frame.exchange);
    if (frame.kind === 'request') this.#asked(frame);
    else if (frame.kind === 'sse') this.#said(origin, frame);
    else if (frame.kind === 'end' && frame.by !== 'client') {
      this.#streams.get(origin)?.cuts.push({ seq: at.seq, time: at.time });
    }
  }

  #asked({ exchange, headers }: Extract<HttpFrame, { kind: 'request' }>): void {
    const origin = this.#byLastId.get(headerOf(headers, 'last-event-id') ?? '');
    if (origin !== undefined && origin !== exchange) this.#origins.set(exchange, origin);
  }

  #said(exchange: number, { id, retry, data, comment }: Extract<HttpFrame, { kind: 'sse' }>): void {
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
