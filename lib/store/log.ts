import { type Channel, FLAG, type Frame } from '@/lib/wire/frame';
import type { JsonSource } from '@/lib/wire/json-source';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { type Classified, classify, decode, decodeLossy, jsonOf } from './classify';
import { Columns, type ColumnsReader } from './columns';
import { toLifecycleEvent } from './connection-facts';
import { type Exchange, Exchanges } from './exchanges';
import { expectRefusal } from './expected-refusal';
import type { BytesBudget } from './frame-bytes';
import { type HttpExchange, HttpExchanges } from './http-exchanges';
import { Latencies } from './latencies';
import { severityOf } from './lifecycle-severity';
import { Notes } from './notes';
import { ParsedFrames } from './parsed-frames';
import { Reducer } from './reduce';
import { Relations } from './relations';
import type { Row } from './row';
import { Rows } from './rows';
import { classifySkims } from './skims';
import type { LogState } from './state';
import { WantedFrames } from './wanted-frames';

/**
 * One connection's frames, and everything derived from them. Append-only, outside React: a frame costs O(1) and no object
 * of its own. A log fed the same frames in any portions is the same log.
 */
export class Log {
  readonly connection: string;
  /** The log of which this is an earlier moment; else this. */
  readonly whole: Log;
  /** Frames that somebody looks at, and of which only what their rows say is here. */
  readonly wanted = new WantedFrames();
  readonly #columns: Columns;
  readonly #reducer = new Reducer(
    (seq) => this.#columns.exchange(seq - 1),
    () => this.notes.state,
  );
  readonly #exchanges: Exchanges;
  readonly #listeners = new Set<() => void>();
  /** Streams in the middle of an over-long line. */
  readonly #continuing = new Set<string>();
  readonly #parsed = new ParsedFrames();
  readonly #http = new HttpExchanges();
  /** How long our requests took, by method. */
  readonly latencies = new Latencies();
  /** What people say of it. */
  readonly notes = new Notes();
  /** Which frames are part of which requests. */
  readonly relations: Relations;
  readonly #rows: Rows;
  /** The request whose refusal made auto mode try HTTP+SSE: a failure, unless that opens. */
  #fellBackFrom: number | undefined;
  /** True once we began to end the process that runs. */
  #ending = false;
  #last = 0;
  /** Rows that stand for missing frames. */
  #gaps = 0;

  /** `budget`: absent, that of `LIMITS`. `whole`: it is to be an earlier moment of this log. */
  constructor(connection: string, budget?: BytesBudget, whole?: Log) {
    this.connection = connection;
    this.whole = whole ?? this;
    const columns = new Columns(budget);
    this.#columns = columns;
    this.relations = new Relations(columns, this.#http);
    this.#rows = new Rows(columns, this.#http);
    this.#exchanges = new Exchanges(columns, (seq, status, answer) => {
      if (columns.direction(seq - 1) !== 'to-server') return;
      const method = columns.method(seq - 1);
      const us = answer && columns.time(answer.seq - 1) - columns.time(seq - 1);
      // An answer that came after we had given up was counted then.
      if (!answer || columns.givenUp(seq - 1) === undefined) this.latencies.add(method, status, us);
      this.relations.settled(seq, answer?.message);
      this.#reducer.settled(seq, method, status, answer);
    });
  }

  /** What is kept of each frame, to be read only. */
  get columns(): ColumnsReader {
    return this.#columns;
  }

  /** Frames held; also the newest seq. */
  get size(): number {
    return this.#columns.size;
  }

  /** How many of the frames held happened: notes, and what stands for a part of a recording that is missing, came afterwards. */
  get frames(): number {
    return this.size - this.notes.state.frames - this.#gaps;
  }

  /** The newest seq that the proxy is known to have: `last - size` is how far behind this log is. */
  get last(): number {
    return Math.max(this.#last, this.size);
  }

  /** Bytes of all frames held. */
  get totalBytes(): number {
    return this.#columns.totalBytes;
  }

  /** The same object until a frame changes it. */
  get state(): LogState {
    return this.#reducer.state;
  }

  /**
   * Adds the next frames. Those held already are skipped; a gap is a RangeError, since nothing after it could be numbered. `known`
   * holds what somebody has found some of them to be already.
   */
  append(frames: readonly Frame[], known = classifySkims(frames)): void {
    for (const frame of frames) {
      if (frame.seq > this.size + 1) throw new RangeError(`Frame ${frame.seq} came after frame ${this.size}.`);
      if (frame.seq === this.size + 1) this.#takers[frame.channel](frame, known?.get(frame.seq));
    }
    this.#columns.bytes.evict(this.#isNeeded);
  }

  /** Takes back the bytes of frames that were asked for once more. */
  restore(frames: readonly Frame[]): void {
    for (const { seq, bytes } of frames) {
      if (seq > this.size || this.isHere(seq)) continue;
      this.#columns.bytes.restore(seq - 1, bytes);
      // Who could not look into it may now.
      this.#columns.note(seq - 1);
    }
  }

  /** Whether the bytes of frame `seq` are here: beyond a budget those of older messages leave. */
  isHere(seq: number): boolean {
    return this.#columns.bytes.has(seq - 1);
  }

  /** Frames up to this seq may have left; 0 while all are here. */
  get leftUpTo(): number {
    return this.#columns.bytes.leftBefore;
  }

  /** What rows and state are made of stays: all but messages, and of those the lists and what the server said of itself. */
  readonly #isNeeded = (index: number): boolean => {
    const columns = this.#columns;
    const kind = columns.kind(index);
    if (kind === 'lifecycle' || kind === 'note' || kind === 'http' || kind === 'stderr' || kind === 'junk') return true;
    return this.#reducer.follows(columns.method(columns.about(index)));
  };

  /** Notes how far the proxy's log goes. */
  noteLast(seq: number): void {
    this.#last = Math.max(this.#last, seq);
  }

  /** The frame at `index` = seq - 1, as of now. Throws RangeError beyond the end. */
  row(index: number): Row {
    this.#check(index);
    return this.#rows.row(index);
  }

  /** {@link Row.durationUs} of the row at `index`. */
  durationUs(index: number): number | undefined {
    return this.#rows.durationUs(index);
  }

  /** The frame at `index` as it came. Its bytes are a view, not to be written to; none are there where they left. */
  frame(index: number): Frame {
    this.#check(index);
    return this.#frame(index, this.#columns.bytes.get(index));
  }

  /** Enough of the frame at `index` to have its row and what follows from it: itself or its skim; undefined where both left. */
  frameOrSkim(index: number): Frame | undefined {
    this.#check(index);
    const { bytes } = this.#columns;
    if (bytes.has(index)) return this.#frame(index, bytes.get(index));
    const skim = bytes.skim(index);
    return skim && this.#frame(index, skim, bytes.length(index));
  }

  #frame(index: number, bytes: Uint8Array, skimOf?: number): Frame {
    const columns = this.#columns;
    return {
      seq: index + 1,
      time: columns.time(index),
      direction: columns.direction(index),
      channel: columns.channel(index),
      flags: columns.flags(index),
      bytes,
      skimOf,
    };
  }

  /** The exact bytes: a view, not to be written to. Empty where they left: see {@link isHere}. */
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
    return this.isHere(index + 1) ? this.#parsed.get(index, () => jsonOf(this.bytes(index))) : undefined;
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

  /** True for what people said afterwards, which is shown beside the frames that it is about. */
  isNote(index: number): boolean {
    return this.#columns.kind(index) === 'note';
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

  readonly #takers: Readonly<Record<Channel, (frame: Frame, known?: Classified) => void>> = {
    protocol: (frame, known) => this.#protocol(frame, known),
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
    if (event?.event === 'note' || event?.event === 'about') {
      this.#note(frame, event);
      return;
    }
    if (event?.event === 'missing') {
      this.#missing(frame, event);
      return;
    }
    // Nobody saw an end: it is said of a recording that has none.
    const isMadeUp = event?.event === 'recording-ends';
    if (isMadeUp) this.notes.takeMadeUp();
    this.#columns.push(frame, { kind: isMadeUp ? 'note' : 'lifecycle', invalidUtf8, messages: [] });
    if (event) this.#columns.setSeverity(frame.seq - 1, severityOf(event, this.#ending));
    if (event?.event === 'closing' || event?.event === 'rung') this.#ending = true;
    if (event?.event === 'spawned') this.#ending = false;
    if (event?.event === 'timeout') this.#exchanges.timeout(event.id);
    if (event?.event === 'retry') this.relations.retrying(event.id, event.method);
    if (event?.event === 'probe' && event.era === 'legacy') this.#expected(this.latestRequest('server/discover'));
    if (event?.event === 'fallback') this.#fellBackFrom = this.latestRequest('initialize');
    if (event?.event === 'open') this.#expected(this.#fellBackFrom);
    if (event?.event === 'session-lost') this.#http.sessionLost();
    if (event && ENDS.has(event.event)) this.#exchanges.lost(this.#ending);
    this.#reducer.lifecycle(frame.seq, event);
  }

  /** Notes are beside what happened: nothing but themselves is derived from them. */
  #note(frame: Frame, event: Extract<LifecycleEvent, { event: 'note' | 'about' }>): void {
    this.#columns.push(frame, { kind: 'note', invalidUtf8: false, messages: [] });
    if (event.event === 'about') this.notes.takeAbout(event);
    else {
      this.notes.take(event);
      // Frames that it is on are there already, whoever wrote it.
      if (Number.isInteger(event.on) && event.on >= 1 && event.on < frame.seq) this.#columns.note(event.on - 1);
    }
    this.#reducer.noted();
  }

  /** Frames that are missing in one place are one row, however many. */
  #missing(frame: Frame, event: Extract<LifecycleEvent, { event: 'missing' }>): void {
    const isRow = event.frames !== undefined;
    this.#columns.push(frame, { kind: isRow ? 'lifecycle' : 'note', invalidUtf8: false, messages: [] });
    if (isRow) {
      this.#gaps++;
      this.#columns.setSeverity(frame.seq - 1, severityOf(event, this.#ending));
    } else this.notes.takeMadeUp();
    this.#reducer.noted();
  }

  #expected(request: number | undefined): void {
    if (request === undefined || this.#columns.status(request - 1) === 'refused') return;
    expectRefusal(request, this.#columns, this.#exchanges, this.#http);
    if (this.#columns.status(request - 1) === 'refused') this.latencies.forgive(this.#columns.method(request - 1));
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

  #protocol(frame: Frame, known?: Classified): void {
    const classified = this.#classify(frame, known);
    this.#columns.push(frame, classified);
    if (classified.source) this.#parsed.keep(frame.seq - 1, classified.source);
    this.#columns.setExchange(frame.seq - 1, this.#http.carrierOf(frame.seq));
    for (const message of classified.messages) {
      this.#exchanges.add(frame.seq, frame.direction, message);
      this.relations.take(frame.seq, frame.direction, message);
      this.#reducer.message(frame.seq, frame.direction, message);
      if (classified.kind === 'request' && frame.direction === 'to-server') this.#reducer.requested(frame.seq, message);
    }
  }

  /** A piece of an over-long line is no message, even if it looks like one. */
  #classify(frame: Frame, known?: Classified): Classified {
    const stream = frame.direction;
    const piece = this.#continuing.has(stream);
    const goesOn = (frame.flags & FLAG.continued) !== 0;
    if (goesOn) this.#continuing.add(stream);
    else this.#continuing.delete(stream);
    if (!piece && !goesOn) return known ?? classify(frame.bytes);
    return { kind: 'junk', invalidUtf8: decode(frame.bytes).invalidUtf8, messages: [] };
  }

  #check(index: number): void {
    if (!(index >= 0 && index < this.size)) throw new RangeError(`There is no frame ${index + 1}.`);
  }
}

/** After these nothing is answered any more. */
const ENDS: ReadonlySet<string> = new Set(['exit', 'failed', 'closed', 'recording-ends']);
