import type { JsonSource } from '@/lib/json/source';
import { joinBytes } from '@/lib/json/typed-arrays';
import type { Frame } from '@/lib/wire/frame';
import { classifySkims, decodeLossy, jsonOf, ParsedFrames } from './classify';
import { Columns, type ColumnsReader } from './columns/columns';
import { type BytesBudget, WantedFrames } from './columns/frame-bytes';
import { type Exchange, Exchanges } from './exchanges/exchanges';
import { type HttpExchange, HttpExchanges } from './exchanges/http-exchanges';
import { Latencies } from './exchanges/latencies';
import type { PrintedObjects } from './exchanges/printed-objects';
import { Relations } from './exchanges/relations';
import { UnmatchedAnswers } from './exchanges/unmatched-answers';
import { FrameIntake } from './frame-intake';
import type { Row } from './rows/row';
import { Rows } from './rows/rows';
import { Notes } from './state/notes';
import { Reducer } from './state/reducer';
import type { LogState } from './state/state';

const LINE_FEED = new Uint8Array([0x0a]);

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
  readonly #parsed = new ParsedFrames();
  readonly #http = new HttpExchanges();
  /** How long our requests took, by method. */
  readonly latencies = new Latencies();
  /** What people say of it. */
  readonly notes = new Notes();
  /** Which frames are part of which requests. */
  readonly relations: Relations;
  /** Objects that the server printed over several lines of stdout. */
  readonly printed: Pick<PrintedObjects, 'of' | 'from'>;
  readonly #rows: Rows;
  readonly #intake: FrameIntake;
  #last = 0;

  /** `budget`: absent, that of `LIMITS`. `whole`: it is to be an earlier moment of this log. */
  constructor(connection: string, budget?: BytesBudget, whole?: Log) {
    this.connection = connection;
    this.whole = whole ?? this;
    const columns = new Columns(budget);
    this.#columns = columns;
    this.relations = new Relations(columns, this.#http);
    this.#exchanges = new Exchanges(columns, (seq, status, answer) => {
      if (columns.direction(seq - 1) !== 'to-server') return;
      const method = columns.method(seq - 1);
      const us = answer && columns.time(answer.seq - 1) - columns.time(seq - 1);
      // An answer that came after we had given up was counted then.
      if (!answer || columns.givenUp(seq - 1) === undefined) this.latencies.addRequest(method, status, us);
      this.relations.onSettled(seq, answer?.message);
      this.#reducer.onSettled(seq, method, status, answer);
    });
    const exchanges = this.#exchanges;
    const unmatched = new UnmatchedAnswers({
      waitingFor: (id) => exchanges.waitingFor(id),
      wasAnswered: (id) => exchanges.wasAnswered(id),
      get onlyPending() {
        return exchanges.onlyPending;
      },
      onExchange: (exchange) => this.#askedOn(exchange),
      linkUnmatched: (request, seq) => exchanges.linkUnmatched(request, seq),
    });
    this.printed = unmatched.printed;
    this.#rows = new Rows(columns, this.#http, unmatched.printed);
    this.#intake = new FrameIntake({
      columns,
      exchanges: this.#exchanges,
      http: this.#http,
      latencies: this.latencies,
      notes: this.notes,
      parsed: this.#parsed,
      reducer: this.#reducer,
      relations: this.relations,
      unmatched,
    });
  }

  /** seq of our request that an HTTP exchange carries, while it has no answer. */
  #askedOn(exchange: number): number | undefined {
    const seq = this.#http.get(exchange)?.messages[0] ?? 0;
    const isAsked = this.#columns.kind(seq - 1) === 'request' && this.#columns.direction(seq - 1) === 'to-server';
    return isAsked && this.#columns.peer(seq - 1) === undefined ? seq : undefined;
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
    return this.size - this.notes.state.frames - this.#intake.gaps;
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
      if (frame.seq === this.size + 1) this.#intake.append(frame, known?.get(frame.seq));
    }
    this.#columns.bytes.evict(this.#isNeeded);
  }

  /** Takes back the bytes of frames that were asked for once more. */
  restore(frames: readonly Frame[]): void {
    for (const { seq, bytes } of frames) {
      if (seq > this.size || this.hasBytes(seq)) continue;
      this.#columns.bytes.restore(seq - 1, bytes);
      // Who could not look into it may now.
      this.#columns.markChanged(seq - 1);
    }
  }

  /** Whether the bytes of frame `seq` are here: beyond a budget those of older messages leave. */
  hasBytes(seq: number): boolean {
    return this.#columns.bytes.has(seq - 1);
  }

  /** Frames up to this seq may have left; 0 while all are here. */
  get evictedUpTo(): number {
    return this.#columns.bytes.evictedBefore;
  }

  /** What rows and state are made of stays: all but messages, and of those the lists and what the server said of itself. */
  readonly #isNeeded = (index: number): boolean => {
    const columns = this.#columns;
    const kind = columns.kind(index);
    if (kind === 'lifecycle' || kind === 'note' || kind === 'http' || kind === 'stderr' || kind === 'junk') return true;
    return this.#reducer.follows(columns.method(columns.methodRow(index)));
  };

  /** Notes how far the proxy's log goes. */
  setLast(seq: number): void {
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

  /** The exact bytes: a view, not to be written to. Empty where they left: see {@link hasBytes}. */
  bytes(index: number): Uint8Array {
    this.#check(index);
    return this.#columns.bytes.get(index);
  }

  /** The same; of the first line of a printed object all its lines, joined by line feeds. */
  wholeBytes(index: number): Uint8Array {
    const object = this.printed.from(index + 1);
    if (!object) return this.bytes(index);
    return joinBytes(object.lines.flatMap((seq) => [LINE_FEED, this.bytes(seq - 1)]).slice(1));
  }

  /** The bytes as text, U+FFFD for what is no UTF-8. Decoded at each call. */
  text(index: number): string {
    return decodeLossy(this.bytes(index));
  }

  /** The frame as JSON, with its text; undefined if it is none. The same object while it is looked at. */
  json(index: number): JsonSource | undefined {
    return this.hasBytes(index + 1) ? this.#parsed.sourceOf(index, () => jsonOf(this.bytes(index))) : undefined;
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
  isHttpDetail(index: number): boolean {
    return this.#columns.kind(index) === 'http' && this.#columns.severity(index) === undefined;
  }

  /** True for what people said afterwards, which is shown beside the frames that it is about. */
  isNote(index: number): boolean {
    return this.#columns.kind(index) === 'note';
  }

  /** seq of our newest request of this method, and about this name if one is given. */
  latestRequest(method: string, name?: string): number | undefined {
    return this.#exchanges.latestRequest(method, name);
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

  #check(index: number): void {
    if (!(index >= 0 && index < this.size)) throw new RangeError(`There is no frame ${index + 1}.`);
  }
}

/** The newest exchange of a request of ours with this method (and about this tool, prompt or uri). */
export function lastExchange(log: Log, method: string, name?: string): Exchange | undefined {
  const seq = log.latestRequest(method, name);
  return seq === undefined ? undefined : log.exchange(seq);
}
