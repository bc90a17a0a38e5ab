import { type Channel, FLAG, type Frame } from '@/lib/wire/frame';
import type { JsonSource } from '@/lib/wire/json-source';
import { LIMITS } from '@/lib/wire/limits';
import { type Classified, classify, decode, decodeLossy } from './classify';
import { Columns, type ColumnsReader } from './columns';
import { toLifecycleEvent } from './connection-facts';
import { Durations } from './durations';
import { type Exchange, Exchanges } from './exchanges';
import { expectRefusal } from './expected-refusal';
import { type HttpExchange, HttpExchanges } from './http-exchanges';
import { httpRow, httpSpan } from './http-row';
import { severityOf } from './lifecycle-severity';
import { ParsedFrames } from './parsed-frames';
import { previewLifecycle, previewLine, previewText } from './preview';
import { Reducer } from './reduce';
import type { HttpRow, Row } from './row';
import type { LogState } from './state';

/**
 * One connection's frames, and everything derived from them. Append-only, outside React: a frame costs O(1) and no object
 * of its own. A log fed the same frames in any portions is the same log.
 */
export class Log {
  readonly connection: string;
  readonly #columns = new Columns();
  readonly #reducer = new Reducer((seq) => this.#columns.exchange(seq - 1));
  readonly #exchanges = new Exchanges(this.#columns, (seq, status, answer) => {
    if (this.#columns.direction(seq - 1) !== 'to-server') return;
    if (answer) this.#durations.add(this.#columns.time(answer.seq - 1) - this.#columns.time(seq - 1));
    this.#reducer.settled(seq, this.#columns.method(seq - 1), status, answer);
  });
  readonly #listeners = new Set<() => void>();
  /** Streams in the middle of an over-long line. */
  readonly #continuing = new Set<string>();
  readonly #parsed = new ParsedFrames();
  readonly #durations = new Durations();
  readonly #http = new HttpExchanges();
  /** The request whose refusal made auto mode try HTTP+SSE: a failure, unless that opens. */
  #fellBackFrom: number | undefined;
  /** True once we began to end the process that runs. */
  #ending = false;
  #last = 0;

  constructor(connection: string) {
    this.connection = connection;
  }

  /** What is kept of each frame, to be read only. */
  get columns(): ColumnsReader {
    return this.#columns;
  }

  /** Frames held; also the newest seq. */
  get size(): number {
    return this.#columns.size;
  }

  /** The newest seq that the proxy is known to have: `last - size` is how far behind this log is. */
  get last(): number {
    return Math.max(this.#last, this.size);
  }

  /** Bytes of all frames held. */
  get totalBytes(): number {
    return this.#columns.totalBytes;
  }

  /** The time within which `share` of our answered requests were answered, in microseconds; undefined before the first. */
  durationQuantile(share: number): number | undefined {
    return this.#durations.quantile(share);
  }

  /** The same object until a frame changes it. */
  get state(): LogState {
    return this.#reducer.state;
  }

  /** Adds the next frames. Those held already are skipped; a gap is a RangeError, since nothing after it could be numbered. */
  append(frames: readonly Frame[]): void {
    for (const frame of frames) {
      if (frame.seq > this.size + 1) throw new RangeError(`Frame ${frame.seq} came after frame ${this.size}.`);
      if (frame.seq === this.size + 1) this.#takers[frame.channel](frame);
    }
  }

  /** Notes how far the proxy's log goes. */
  noteLast(seq: number): void {
    this.#last = Math.max(this.#last, seq);
  }

  /** The frame at `index` = seq - 1, as of now. Throws RangeError beyond the end. */
  row(index: number): Row {
    this.#check(index);
    const columns = this.#columns;
    const kind = columns.kind(index);
    const peer = columns.peer(index);
    const about = columns.about(index);
    const exchange = columns.exchange(index);
    const http = kind === 'http' ? httpRow(index + 1, this.text(index), this.httpExchange(exchange)) : undefined;
    return {
      seq: index + 1,
      time: columns.time(index),
      direction: columns.direction(index),
      channel: columns.channel(index),
      kind,
      method: columns.method(about),
      name: http ? nameOf(http) : (this.#shortText(index) ?? columns.name(about)),
      id: columns.id(index),
      status: columns.status(index),
      severity: columns.severity(index),
      http,
      exchange,
      durationUs: this.durationUs(index),
      bytes: columns.bytes.length(index),
      peer,
      flags: columns.flags(index),
      invalidUtf8: columns.invalidUtf8(index),
    };
  }

  /** {@link Row.durationUs} of the row at `index`. */
  durationUs(index: number): number | undefined {
    const { columns } = this;
    const kind = columns.kind(index);
    if (kind === 'http') return this.#httpDuration(index);
    const peer = kind === 'notification' ? undefined : columns.peer(index);
    return peer && Math.abs(columns.time(peer - 1) - columns.time(index));
  }

  /** The frame at `index` as it came. Its bytes are a view, not to be written to. */
  frame(index: number): Frame {
    this.#check(index);
    const columns = this.#columns;
    return {
      seq: index + 1,
      time: columns.time(index),
      direction: columns.direction(index),
      channel: columns.channel(index),
      flags: columns.flags(index),
      bytes: columns.bytes.get(index),
    };
  }

  /** The exact bytes: a view, not to be written to. */
  bytes(index: number): Uint8Array {
    this.#check(index);
    return this.#columns.bytes.get(index);
  }

  /** The bytes as text, U+FFFD for what is no UTF-8. Decoded at each call. */
  text(index: number): string {
    return decodeLossy(this.bytes(index));
  }

  /** The frame as JSON, with its text; undefined if it is none. The same object while it is looked at. */
  json(index: number): JsonSource | undefined {
    return this.#parsed.get(index, () => this.text(index));
  }

  /** The exchange of this request; undefined if that frame is no request. */
  exchange(requestSeq: number): Exchange | undefined {
    return this.#exchanges.get(requestSeq);
  }

  /** The HTTP exchange with this number; undefined if there is none. What it is asked for is as of now. */
  httpExchange(number: number | undefined): HttpExchange | undefined {
    return number === undefined ? undefined : this.#http.get(number);
  }

  /** True for what only tells how messages travelled: http frames, but for those that tell of a failure. */
  isPlainHttp(index: number): boolean {
    return this.#columns.kind(index) === 'http' && this.#columns.severity(index) === undefined;
  }

  /** seq of our newest request of this method, and about this name if one is given. */
  latestRequest(method: string, name?: string): number | undefined {
    return this.#exchanges.latest(method, name);
  }

  /** Calls back at each {@link flush}; the returned function ends it. An arrow, so that it can be handed over as it is. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells the listeners that something changed. Called by who appends, at most once an animation frame. */
  flush(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  readonly #takers: Readonly<Record<Channel, (frame: Frame) => void>> = {
    protocol: (frame) => this.#protocol(frame),
    stderr: (frame) => {
      this.#columns.push(frame, { kind: 'stderr', invalidUtf8: decode(frame.bytes).invalidUtf8, messages: [] });
      this.#reducer.stderr(frame.seq, frame.bytes.length);
    },
    http: (frame) => this.#httpFrame(frame),
    lifecycle: (frame) => this.#lifecycle(frame),
  };

  #lifecycle(frame: Frame): void {
    const { text, invalidUtf8 } = decode(frame.bytes);
    const event = toLifecycleEvent(text);
    this.#columns.push(frame, { kind: 'lifecycle', invalidUtf8, messages: [] });
    if (event) this.#columns.setSeverity(frame.seq - 1, severityOf(event, this.#ending));
    if (event?.event === 'closing' || event?.event === 'rung') this.#ending = true;
    if (event?.event === 'spawned') this.#ending = false;
    if (event?.event === 'timeout') this.#exchanges.timeout(event.id);
    if (event?.event === 'probe' && event.era === 'legacy') this.#expected(this.latestRequest('server/discover'));
    if (event?.event === 'fallback') this.#fellBackFrom = this.latestRequest('initialize');
    if (event?.event === 'open') this.#expected(this.#fellBackFrom);
    if (event?.event === 'session-lost') this.#http.sessionLost();
    if (event && ENDS.has(event.event)) this.#exchanges.lost();
    this.#reducer.lifecycle(frame.seq, event);
  }

  #expected(request: number | undefined): void {
    if (request !== undefined) expectRefusal(request, this.#columns, this.#exchanges, this.#http);
  }

  /** Over HTTP a request can end by itself: its exchange says so. */
  #httpFrame(frame: Frame): void {
    this.#columns.push(frame, { kind: 'http', invalidUtf8: false, messages: [] });
    const { exchange, severity, end } = this.#http.take(frame.seq, decodeLossy(frame.bytes));
    this.#columns.setExchange(frame.seq - 1, exchange);
    this.#columns.setSeverity(frame.seq - 1, severity);
    this.#reducer.http(this.#http.facts);
    const { requests = [], responses, ends } = this.#http.get(exchange) ?? {};
    // What comes back tells how the requests went, and how long they took.
    if (responses?.at(-1) === frame.seq || ends?.at(-1) === frame.seq) {
      for (const seq of requests) this.#columns.note(seq - 1);
    }
    if (Array.isArray(end?.unanswered)) this.#exchanges.unanswered(end.unanswered);
    if (Array.isArray(end?.cancelled)) this.#exchanges.cancelled(end.cancelled);
  }

  #httpDuration(index: number): number | undefined {
    const exchange = this.httpExchange(this.#columns.exchange(index));
    const span = exchange ? httpSpan(index + 1, exchange) : undefined;
    return span && this.#columns.time(span[1] - 1) - this.#columns.time(span[0] - 1);
  }

  #protocol(frame: Frame): void {
    const classified = this.#classify(frame);
    this.#columns.push(frame, classified);
    this.#columns.setExchange(frame.seq - 1, this.#http.carrierOf(frame.seq));
    for (const message of classified.messages) {
      this.#exchanges.add(frame.seq, frame.direction, message);
      this.#reducer.message(frame.seq, frame.direction, message);
      if (classified.kind === 'request' && frame.direction === 'to-server') this.#reducer.requested(frame.seq, message);
    }
  }

  /** A piece of an over-long line is no message, even if it looks like one. */
  #classify(frame: Frame): Classified {
    const stream = frame.direction;
    const piece = this.#continuing.has(stream);
    const goesOn = (frame.flags & FLAG.continued) !== 0;
    if (goesOn) this.#continuing.add(stream);
    else this.#continuing.delete(stream);
    if (!piece && !goesOn) return classify(frame.bytes);
    return { kind: 'junk', invalidUtf8: decode(frame.bytes).invalidUtf8, messages: [] };
  }

  #shortText(index: number): string | undefined {
    const kind = this.#columns.kind(index);
    if (kind === 'lifecycle') return previewLifecycle(this.text(index));
    return kind === 'junk' || kind === 'stderr'
      ? previewText(this.#columns.bytes.get(index, LIMITS.previewBytes))
      : undefined;
  }

  #check(index: number): void {
    if (!(index >= 0 && index < this.size)) throw new RangeError(`There is no frame ${index + 1}.`);
  }
}

/** After these nothing is answered any more. */
const ENDS: ReadonlySet<string> = new Set(['exit', 'failed', 'closed', 'recording-ends']);

/** All that its row says. */
function nameOf({ what, about }: HttpRow): string {
  return about === undefined ? what : previewLine(`${what} ${about}`);
}
