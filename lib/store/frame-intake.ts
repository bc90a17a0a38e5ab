import { type Channel, FLAG, type Frame } from '@/lib/wire/frame';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';
import { type Classified, classify, decode, decodeLossy } from './classify';
import type { Columns } from './columns';
import { toLifecycleEvent } from './connection-facts';
import type { Exchanges } from './exchanges';
import { expectExchange, expectRefusal, HARMLESS_ENDS } from './expected-refusal';
import type { HttpExchanges } from './http-exchanges';
import type { Latencies } from './latencies';
import { severityOf } from './lifecycle-severity';
import type { Notes } from './notes';
import type { ParsedFrames } from './parsed-frames';
import type { Reducer } from './reduce';
import type { Relations } from './relations';
import type { UnmatchedAnswers } from './unmatched-answers';

/** What is derived from a log's frames. */
interface Derived {
  readonly columns: Columns;
  readonly exchanges: Exchanges;
  readonly http: HttpExchanges;
  readonly latencies: Latencies;
  readonly notes: Notes;
  readonly parsed: ParsedFrames;
  readonly reducer: Reducer;
  readonly relations: Relations;
  readonly unmatched: UnmatchedAnswers;
}

/** Takes frames in, the next one at a time: what each is, and what follows from it for all that is derived. */
export class FrameIntake {
  readonly #columns: Columns;
  readonly #exchanges: Exchanges;
  readonly #http: HttpExchanges;
  readonly #latencies: Latencies;
  readonly #notes: Notes;
  readonly #parsed: ParsedFrames;
  readonly #reducer: Reducer;
  readonly #relations: Relations;
  readonly #unmatched: UnmatchedAnswers;
  /** Streams in the middle of an over-long line. */
  readonly #continuing = new Set<string>();
  /** The request whose refusal made auto mode try HTTP+SSE: a failure, unless that opens. */
  #fellBackFrom: number | undefined;
  /** HTTP exchanges that the server refused because it had forgotten the session. */
  readonly #forgotten: number[] = [];
  /** The opening of auto mode that the other one outran. */
  #outrun: number | undefined;
  /** True once we began to end the process that runs. */
  #ending = false;
  #gaps = 0;

  constructor(derived: Derived) {
    this.#columns = derived.columns;
    this.#exchanges = derived.exchanges;
    this.#http = derived.http;
    this.#latencies = derived.latencies;
    this.#notes = derived.notes;
    this.#parsed = derived.parsed;
    this.#reducer = derived.reducer;
    this.#relations = derived.relations;
    this.#unmatched = derived.unmatched;
  }

  /** Rows that stand for missing frames. */
  get gaps(): number {
    return this.#gaps;
  }

  /** The frame behind all that were taken. `known`: what somebody has found it to be already. */
  take(frame: Frame, known?: Classified): void {
    this.#takers[frame.channel](frame, known);
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
    if (isMadeUp) this.#notes.takeMadeUp();
    this.#columns.push(frame, { kind: isMadeUp ? 'note' : 'lifecycle', invalidUtf8, messages: [] });
    if (event) this.#columns.setSeverity(frame.seq - 1, severityOf(event, this.#ending));
    if (event?.event === 'closing' || event?.event === 'rung') this.#ending = true;
    if (event?.event === 'spawned') this.#ending = false;
    if (event?.event === 'timeout') this.#exchanges.timeout(event.id);
    if (event?.event === 'retry') this.#relations.retrying(event.id, event.method);
    if (event?.event === 'probe') this.#probed(event.era);
    if (event?.event === 'fallback') this.#fellBackFrom = this.#exchanges.latest('initialize');
    if (event?.event === 'open') this.#opened();
    if (event?.event === 'session-lost') this.#http.sessionLost();
    if (event && ENDS.has(event.event)) {
      this.#exchanges.lost(this.#ending);
      this.#unmatched.interrupted();
    }
    this.#reducer.lifecycle(frame.seq, event);
  }

  /** Marks earlier refusals as expected: of a transport that the server does not speak, or of a forgotten session. */
  #opened(): void {
    this.#expected(this.#fellBackFrom);
    for (const number of this.#forgotten.splice(0)) {
      expectExchange(number, this.#columns, this.#http);
      for (const seq of this.#http.get(number)!.messages) {
        if (this.#columns.kind(seq - 1) === 'request') this.#expected(seq);
      }
    }
  }

  /** Notes are beside what happened: nothing but themselves is derived from them. */
  #note(frame: Frame, event: Extract<LifecycleEvent, { event: 'note' | 'about' }>): void {
    this.#columns.push(frame, { kind: 'note', invalidUtf8: false, messages: [] });
    if (event.event === 'about') this.#notes.takeAbout(event);
    else {
      this.#notes.take(event);
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
    } else this.#notes.takeMadeUp();
    this.#reducer.noted();
  }

  /** Auto mode has decided: of what it sent, the other era's opening is given up, or was refused as expected. */
  #probed(era: Era): void {
    const probe = this.#exchanges.latest('server/discover');
    const initialize = this.#exchanges.latest('initialize');
    const sentBoth = probe !== undefined && initialize !== undefined && initialize > probe;
    const other = era === 'legacy' ? probe : sentBoth ? initialize : undefined;
    if (other === undefined) return;
    this.#exchanges.cancelled([this.#columns.id(other - 1)]);
    this.#outrun = other;
    this.#expected(other);
  }

  #expected(request: number | undefined): void {
    if (request === undefined || this.#columns.status(request - 1) === 'refused') return;
    expectRefusal(request, this.#columns, this.#exchanges, this.#http);
    if (this.#columns.status(request - 1) === 'refused') this.#latencies.forgive(this.#columns.method(request - 1));
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
    if (HARMLESS_ENDS.has(end?.code)) expectExchange(exchange, this.#columns, this.#http);
    if (end?.code === 'session-lost') this.#forgotten.push(exchange);
    if (Array.isArray(end?.unanswered)) this.#exchanges.unanswered(end.unanswered);
    if (Array.isArray(end?.cancelled)) this.#exchanges.cancelled(end.cancelled);
  }

  #protocol(frame: Frame, known?: Classified): void {
    const classified = this.#classify(frame, known);
    this.#columns.push(frame, classified);
    if (classified.source) this.#parsed.keep(frame.seq - 1, classified.source);
    const exchange = this.#http.carrierOf(frame.seq);
    this.#columns.setExchange(frame.seq - 1, exchange);
    for (const message of classified.messages) {
      this.#exchanges.add(frame.seq, frame.direction, message);
      this.#relations.take(frame.seq, frame.direction, message);
      this.#reducer.message(frame.seq, frame.direction, message);
      if (classified.kind === 'request' && frame.direction === 'to-server') this.#reducer.requested(frame.seq, message);
    }
    const { kind } = classified;
    if (kind === 'error' && this.#outrun !== undefined && this.#columns.peer(frame.seq - 1) === this.#outrun) {
      this.#exchanges.refusedLate(this.#outrun);
    }
    if (frame.direction === 'to-client') this.#unpaired(frame, classified, exchange);
  }

  /** Passes on a server frame that belongs to no request, because it may still be an answer. */
  #unpaired({ seq, bytes, flags }: Frame, { kind, messages }: Classified, exchange: number): void {
    if (kind !== 'junk' || flags & FLAG.continued) {
      const isStray = (kind === 'response' || kind === 'error') && this.#columns.peer(seq - 1) === undefined;
      this.#unmatched.message(seq, exchange, isStray ? messages[0] : undefined);
      return;
    }
    const object = this.#unmatched.junk(seq, bytes, exchange);
    if (!object) return;
    // Each row is another one now: the first stands for all.
    for (const line of object.lines) this.#columns.note(line - 1);
    this.#reducer.printed(this.#unmatched.printed.foldedLines);
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
}

/** After these nothing is answered any more. */
const ENDS: ReadonlySet<string> = new Set(['exit', 'failed', 'closed', 'recording-ends']);
