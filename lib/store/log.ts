import type { JsonSource } from '@/lib/json/source';
import { joinBytes } from '@/lib/json/typed-arrays';
import { PROBE_ID } from '@/lib/mcp/probe-id';
import type { Frame } from '@/lib/wire/frame';
import { classifySkims, decodeLossy, jsonOf, ParsedFrames } from './classify';
import { Columns, type ColumnsReader } from './columns/columns';
import { type BytesBudget, WantedFrames } from './columns/frame-bytes';
import { type Exchange, Exchanges, type Settled } from './exchanges/exchanges';
import { ExpectedRefusals } from './exchanges/expected-refusals';
import { type HttpExchange, HttpExchanges } from './exchanges/http-exchanges';
import { Interceptions } from './exchanges/interceptions';
import { Latencies } from './exchanges/latencies';
import { PersonWaits, SignInWaits } from './exchanges/person-waits';
import type { PrintedObjects } from './exchanges/printed-objects';
import { Relations } from './exchanges/relations';
import { type Fold, Repeats } from './exchanges/repeats';
import type { SettledRequests } from './exchanges/settled-requests';
import { UnmatchedAnswers } from './exchanges/unmatched-answers';
import { UnpairedFrames } from './exchanges/unpaired-frames';
import { FrameIntake } from './frame-intake';
import { Previews } from './rows/preview';
import type { Row } from './rows/row';
import { Rows } from './rows/rows';
import { Notes } from './state/notes';
import { Reducer } from './state/reducer';
import type { LogState } from './state/state';
import { TaskReader } from './state/tasks';

/** Longest frame of an unread channel that stays in memory for its row, in bytes. Nobody bounds how many there are. */
const NEEDED_OTHER_BYTES = 4096;

const LINE_FEED = new Uint8Array([0x0a]);

/**
 * One connection's frames and everything derived from them. Append-only and outside React. A frame costs O(1) and no
 * object. The result does not depend on how the frames are split into calls.
 */
export class Log {
  readonly connection: string;
  /** The whole log if this is a past state; otherwise this log. */
  readonly whole: Log;
  /** Evicted frames to load again. */
  readonly wanted = new WantedFrames();
  readonly #columns: Columns;
  readonly #reducer = new Reducer({
    carrier: (seq) => this.#columns.exchange(seq - 1),
    http: () => this.#http.facts,
    folded: () => this.#repeats.folded + this.#printed.foldedLines,
    notes: () => this.notes.state,
    tasks: () => this.#tasks.state,
    taskCall: (taskId) => this.#tasks.callOf(taskId),
  });
  readonly #tasks: TaskReader;
  readonly #exchanges: Exchanges;
  readonly #listeners = new Set<() => void>();
  readonly #parsed = new ParsedFrames();
  readonly #http = new HttpExchanges();
  readonly #interceptions = new Interceptions();
  readonly latencies = new Latencies();
  readonly notes = new Notes();
  readonly #repeats = new Repeats(this.#interceptions);
  readonly relations: Relations;
  readonly #printed: PrintedObjects;
  readonly #rows: Rows;
  readonly #previews: Previews;
  readonly #intake: FrameIntake;
  /** By seq of requests that waited for a person. */
  readonly #waitedUs = new Map<number, number>();
  #last = 0;

  /** `budget` defaults to the one in `LIMITS`. `whole`: the whole log, if the new one is a past state. */
  constructor(connection: string, budget?: BytesBudget, whole?: Log) {
    this.connection = connection;
    this.whole = whole ?? this;
    const columns = new Columns(budget);
    this.#columns = columns;
    this.relations = new Relations(columns, this.#http);
    const waits = new PersonWaits();
    const onSettled: Settled = (seq, status, answer) => {
      const method = columns.method(seq - 1);
      const [from, to] = [columns.time(seq - 1), answer && this.#arrivedAt(answer.seq)];
      if (columns.direction(seq - 1) !== 'to-server') {
        // The server may have withdrawn the question that a person was answering.
        const end = answer?.seq ?? columns.givenUp(seq - 1);
        if (end !== undefined) waits.addAnswer(this.relations.waitingFor(seq), method, from, columns.time(end - 1));
        return;
      }
      const waitedUs = to === undefined ? 0 : waits.take(seq);
      if (waitedUs > 0) this.#waitedUs.set(seq, waitedUs);
      const us = to === undefined ? undefined : to - from - waitedUs;
      // Requests that were given up have already been counted. Nobody but mcp-inspect sends its probe.
      if ((!answer || columns.givenUp(seq - 1) === undefined) && columns.id(seq - 1) !== PROBE_ID)
        this.latencies.addRequest(method, status, us);
      this.relations.onSettled(seq, answer?.message);
      this.#reducer.onSettled(seq, method, status, answer);
    };
    this.#exchanges = new Exchanges(columns, this.#interceptions, onSettled, (seq, answerSeq, message) => {
      this.relations.onTaskStarted(seq, message);
      this.#tasks.start(seq, answerSeq, message);
    });
    const exchanges = this.#exchanges;
    this.#tasks = new TaskReader({
      columns,
      endTask: (request, end) => {
        exchanges.endTask(request, end);
        this.relations.onTaskEnded(request);
      },
      changed: () => this.#reducer.onTasksChanged(),
    });
    const unmatched = new UnmatchedAnswers({
      waitingFor: (id) => exchanges.waitingFor(id),
      wasAnswered: (id) => exchanges.wasAnswered(id),
      get onlyPending() {
        return exchanges.onlyPending;
      },
      oldestOf: (method) => exchanges.oldestOf(method),
      onExchange: (exchange) => this.#pendingRequestOn(exchange),
      linkUnmatched: (request, seq) => exchanges.linkUnmatched(request, seq),
    });
    this.#printed = unmatched.printed;
    this.#rows = new Rows(columns, this.#http, unmatched.printed, this.#repeats, this.#interceptions);
    this.#previews = new Previews(columns, (seq) => this.#reducer.listChange(seq));
    const { latencies, notes, relations } = this;
    const [http, interceptions, parsed] = [this.#http, this.#interceptions, this.#parsed];
    // A new derivation is a row here. Each step of a frame is done in this order.
    this.#intake = new FrameIntake({ columns, http, interceptions, notes, parsed }, [
      new ExpectedRefusals({ columns, exchanges, http, latencies }),
      exchanges,
      relations,
      new SignInWaits((from, to) =>
        waits.addWait(relations.waitingFor(from), columns.time(from - 1), columns.time(to - 1)),
      ),
      http,
      new UnpairedFrames(columns, unmatched),
      this.#repeats,
      this.#tasks,
      this.#reducer,
    ]);
  }

  /** Returns the unanswered client request of an HTTP exchange. */
  #pendingRequestOn(exchange: number): number | undefined {
    const seq = this.#http.get(exchange)?.messages[0] ?? 0;
    const isAsked = this.#columns.kind(seq - 1) === 'request' && this.#columns.direction(seq - 1) === 'to-server';
    return isAsked && this.#columns.peer(seq - 1) === undefined ? seq : undefined;
  }

  /** The messages that were intercepted, and those that wait. */
  get interceptions(): Pick<Interceptions, 'of' | 'waiting'> {
    return this.#interceptions;
  }

  /** The requests that ended, for readers that follow the exchanges. */
  get settled(): Pick<SettledRequests, 'read'> {
    return this.#exchanges.settled;
  }

  /** The objects that a server printed over several lines. */
  get printed(): Pick<PrintedObjects, 'objectWithLine' | 'objectStartingAt'> {
    return this.#printed;
  }

  get columns(): ColumnsReader {
    return this.#columns;
  }

  /** Number of frames, which is also the newest seq. */
  get size(): number {
    return this.#columns.size;
  }

  /** Number of frames without notes and placeholders for missing frames. */
  get frames(): number {
    return this.size - this.notes.state.frames - this.#intake.gaps;
  }

  /** The newest seq of the proxy's log, as far as is known. This log lacks `last - size` frames. */
  get last(): number {
    return Math.max(this.#last, this.size);
  }

  /** Total size of all frames, in bytes. */
  get totalBytes(): number {
    return this.#columns.totalBytes;
  }

  get state(): LogState {
    return this.#reducer.state;
  }

  /**
   * Adds the next frames. Skips known ones and throws RangeError for a gap. `known` holds classifications that are
   * already done.
   */
  append(frames: readonly Frame[], known = classifySkims(frames)): void {
    for (const frame of frames) {
      if (frame.seq > this.size + 1) throw new RangeError(`Frame ${frame.seq} arrived after frame ${this.size}.`);
      if (frame.seq === this.size + 1) this.#intake.append(frame, known?.get(frame.seq));
    }
    this.#columns.bytes.evict(this.#isNeeded);
  }

  /** Adds the bytes of evicted frames that were loaded again. */
  restore(frames: readonly Frame[]): void {
    for (const { seq, bytes } of frames) {
      if (seq > this.size || this.hasBytes(seq)) continue;
      this.#columns.bytes.restore(seq - 1, bytes);
      // Filters can search the frame now.
      this.#columns.markChanged(seq - 1);
    }
  }

  /** True if the bytes of frame `seq` are in memory. Beyond a budget, those of old messages are evicted. */
  hasBytes(seq: number): boolean {
    return this.#columns.bytes.has(seq - 1);
  }

  /** Frames up to this seq may be evicted; 0 if none are. */
  get evictedUpTo(): number {
    return this.#columns.bytes.evictedBefore;
  }

  /**
   * True for frames that rows and state are built from: everything except messages, but including lists and the
   * handshake.
   */
  readonly #isNeeded = (index: number): boolean => {
    const columns = this.#columns;
    const kind = columns.kind(index);
    if (kind === 'other') return columns.bytes.length(index) <= NEEDED_OTHER_BYTES;
    if (kind === 'lifecycle' || kind === 'note' || kind === 'http' || kind === 'stderr' || kind === 'junk') return true;
    return this.#reducer.follows(columns.method(columns.methodRow(index)));
  };

  setLast(seq: number): void {
    this.#last = Math.max(this.#last, seq);
  }

  /** Returns the current row at `index` = seq - 1. Throws RangeError beyond the end. */
  row(index: number): Row {
    this.#check(index);
    return this.#rows.row(index);
  }

  /** Returns the content of the message at `index` on one line; see {@link Previews.get}. */
  preview(index: number): string | undefined {
    this.#check(index);
    return this.#previews.get(index);
  }

  /** Returns {@link Row.durationUs} of the row at `index`. */
  durationUs(index: number): number | undefined {
    return this.#rows.durationUs(index);
  }

  /** Returns the frame at `index` with a read-only view of its bytes, empty if evicted. */
  frame(index: number): Frame {
    this.#check(index);
    return this.#frame(index, this.#columns.bytes.get(index));
  }

  /** Returns the frame at `index` or its skim, which is enough for its row and state; undefined if both are evicted. */
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

  /** Returns a read-only view of the exact bytes, empty if evicted; see {@link hasBytes}. */
  bytes(index: number): Uint8Array {
    this.#check(index);
    return this.#columns.bytes.get(index);
  }

  /** Returns the frames that share a row with this one. */
  foldOf(seq: number): Fold | undefined {
    return this.printed.objectWithLine(seq) ?? this.#repeats.of(seq);
  }

  /** Returns the exact bytes of a frame, or of all lines of the printed object that starts there. */
  wholeBytes(index: number): Uint8Array {
    const object = this.printed.objectStartingAt(index + 1);
    if (!object) return this.bytes(index);
    return joinBytes(object.lines.flatMap((seq) => [LINE_FEED, this.bytes(seq - 1)]).slice(1));
  }

  /** Decodes the bytes, with U+FFFD for invalid ones. Not cached. */
  text(index: number): string {
    return decodeLossy(this.bytes(index));
  }

  /** Returns the frame as JSON with its text; undefined if it is invalid or evicted. Recent frames are cached. */
  json(index: number): JsonSource | undefined {
    return this.hasBytes(index + 1) ? this.#parsed.sourceOf(index, () => jsonOf(this.bytes(index))) : undefined;
  }

  /** Returns the exchange of a request; undefined if the frame is not a request. */
  exchange(requestSeq: number): Exchange | undefined {
    return this.#exchanges.get(requestSeq);
  }

  /** Returns the HTTP exchange with this number. The object changes as frames arrive. */
  httpExchange(number: number | undefined): HttpExchange | undefined {
    return number === undefined ? undefined : this.#http.get(number);
  }

  /** True for HTTP details: http frames, except those that report a failure. */
  isHttpDetail(index: number): boolean {
    return this.#columns.kind(index) === 'http' && this.#columns.severity(index) === undefined;
  }

  /** True for notes, which are shown beside the frames that they are on. */
  isNote(index: number): boolean {
    return this.#columns.kind(index) === 'note';
  }

  /** Returns the part of an answered request's microseconds in which the server waited for a person. */
  waitedForPeople(requestSeq: number): number {
    return this.#waitedUs.get(requestSeq) ?? 0;
  }

  /** Returns the microseconds for which a person held the response of an exchange. Its duration leaves them out. */
  heldUs({ responseSeq }: Exchange): number {
    return responseSeq === undefined ? 0 : this.#columns.time(responseSeq - 1) - this.#arrivedAt(responseSeq);
  }

  /** Returns when a message reached mcp-inspect, which may have held it. */
  #arrivedAt(seq: number): number {
    return this.#columns.time(this.#interceptions.arrivalOf(seq) - 1);
  }

  /** Returns the newest client request with this method, and name if given. */
  latestRequest(method: string, name?: string): number | undefined {
    return this.#exchanges.latestRequest(method, name);
  }

  /**
   * Calls back on each {@link flush} until the returned function is called. An arrow function, so that it can be passed
   * on.
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Notifies the listeners of changes. The feed calls it at most once per animation frame. */
  flush(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #check(index: number): void {
    if (!(index >= 0 && index < this.size)) throw new RangeError(`Frame ${index + 1} does not exist.`);
  }
}

/** Returns the exchange of the newest client request with this method, and name if given. */
export function lastExchange(log: Log, method: string, name?: string): Exchange | undefined {
  const seq = log.latestRequest(method, name);
  return seq === undefined ? undefined : log.exchange(seq);
}
