import { type Channel, FLAG, type Frame } from '@/lib/wire/frame';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';
import { type Classified, classify, decode, decodeLossy, type ParsedFrames } from './classify';
import type { Columns } from './columns/columns';
import type { Exchanges } from './exchanges/exchanges';
import {
  excuseRefusedExchange,
  excuseRefusedRequest,
  HARMLESS_ENDS,
  type HttpExchanges,
} from './exchanges/http-exchanges';
import type { Latencies } from './exchanges/latencies';
import type { Relations } from './exchanges/relations';
import type { UnmatchedAnswers } from './exchanges/unmatched-answers';
import { severityOf } from './rows/severity';
import { toLifecycleEvent } from './state/connection-facts';
import type { Notes } from './state/notes';
import type { Reducer } from './state/reducer';

/** What is derived from a log's frames. */
interface DerivedState {
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

  constructor(derived: DerivedState) {
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
  append(frame: Frame, known?: Classified): void {
    this.#takers[frame.channel](frame, known);
  }

  readonly #takers: Readonly<Record<Channel, (frame: Frame, known?: Classified) => void>> = {
    protocol: (frame, known) => this.#protocol(frame, known),
    stderr: (frame) => {
      this.#columns.addRow(frame, { kind: 'stderr', invalidUtf8: decode(frame.bytes).invalidUtf8, messages: [] });
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
    if (isMadeUp) this.#notes.addPlaceholder();
    this.#columns.addRow(frame, { kind: isMadeUp ? 'note' : 'lifecycle', invalidUtf8, messages: [] });
    if (event) this.#columns.setSeverity(frame.seq - 1, severityOf(event, this.#ending));
    if (event?.event === 'closing' || event?.event === 'rung') this.#ending = true;
    if (event?.event === 'spawned') this.#ending = false;
    if (event?.event === 'timeout') this.#exchanges.markTimedOut(event.id);
    if (event?.event === 'retry') this.#relations.onRetry(event.id, event.method);
    if (event?.event === 'probe') this.#probed(event.era);
    if (event?.event === 'fallback') this.#fellBackFrom = this.#exchanges.latestRequest('initialize');
    if (event?.event === 'open') this.#opened();
    if (event?.event === 'session-lost') this.#http.forgetSession();
    if (event && ENDS.has(event.event)) {
      this.#exchanges.endAll(this.#ending);
      this.#unmatched.endPrintedObject();
    }
    this.#reducer.addLifecycle(frame.seq, event);
  }

  /** Marks earlier refusals as expected: of a transport that the server does not speak, or of a forgotten session. */
  #opened(): void {
    this.#expected(this.#fellBackFrom);
    for (const number of this.#forgotten.splice(0)) {
      excuseRefusedExchange(number, this.#columns, this.#http);
      for (const seq of this.#http.get(number)!.messages) {
        if (this.#columns.kind(seq - 1) === 'request') this.#expected(seq);
      }
    }
  }

  /** Notes are beside what happened: nothing but themselves is derived from them. */
  #note(frame: Frame, event: Extract<LifecycleEvent, { event: 'note' | 'about' }>): void {
    this.#columns.addRow(frame, { kind: 'note', invalidUtf8: false, messages: [] });
    if (event.event === 'about') this.#notes.setRecordingNote(event);
    else {
      this.#notes.addNote(event);
      // Frames that it is on are there already, whoever wrote it.
      if (Number.isInteger(event.on) && event.on >= 1 && event.on < frame.seq) this.#columns.markChanged(event.on - 1);
    }
    this.#reducer.notesChanged();
  }

  /** Frames that are missing in one place are one row, however many. */
  #missing(frame: Frame, event: Extract<LifecycleEvent, { event: 'missing' }>): void {
    const isRow = event.frames !== undefined;
    this.#columns.addRow(frame, { kind: isRow ? 'lifecycle' : 'note', invalidUtf8: false, messages: [] });
    if (isRow) {
      this.#gaps++;
      this.#columns.setSeverity(frame.seq - 1, severityOf(event, this.#ending));
    } else this.#notes.addPlaceholder();
    this.#reducer.notesChanged();
  }

  /** Auto mode has decided: of what it sent, the other era's opening is given up, or was refused as expected. */
  #probed(era: Era): void {
    const probe = this.#exchanges.latestRequest('server/discover');
    const initialize = this.#exchanges.latestRequest('initialize');
    const sentBoth = probe !== undefined && initialize !== undefined && initialize > probe;
    const other = era === 'legacy' ? probe : sentBoth ? initialize : undefined;
    if (other === undefined) return;
    this.#exchanges.markCancelled([this.#columns.id(other - 1)]);
    this.#outrun = other;
    this.#expected(other);
  }

  #expected(request: number | undefined): void {
    if (request === undefined || this.#columns.status(request - 1) === 'refused') return;
    excuseRefusedRequest(request, this.#columns, this.#exchanges, this.#http);
    if (this.#columns.status(request - 1) === 'refused')
      this.#latencies.uncountError(this.#columns.method(request - 1));
  }

  /** Over HTTP a request can end by itself: its exchange says so. */
  #httpFrame(frame: Frame): void {
    this.#columns.addRow(frame, { kind: 'http', invalidUtf8: false, messages: [] });
    const { exchange, severity, end } = this.#http.addFrame(frame.seq, decodeLossy(frame.bytes));
    this.#columns.setExchange(frame.seq - 1, exchange);
    this.#columns.setSeverity(frame.seq - 1, severity);
    this.#reducer.http(this.#http.facts);
    const { requests = [], responses, ends } = this.#http.get(exchange) ?? {};
    // What comes back tells how the requests went, and how long they took.
    if (responses?.at(-1) === frame.seq || ends?.at(-1) === frame.seq) {
      for (const seq of requests) this.#columns.markChanged(seq - 1);
    }
    if (HARMLESS_ENDS.has(end?.code)) excuseRefusedExchange(exchange, this.#columns, this.#http);
    if (end?.code === 'session-lost') this.#forgotten.push(exchange);
    if (Array.isArray(end?.unanswered)) this.#exchanges.markUnanswered(end.unanswered);
    if (Array.isArray(end?.cancelled)) this.#exchanges.markCancelled(end.cancelled);
  }

  #protocol(frame: Frame, known?: Classified): void {
    const classified = this.#classify(frame, known);
    this.#columns.addRow(frame, classified);
    if (classified.source) this.#parsed.addParsed(frame.seq - 1, classified.source);
    const exchange = this.#http.attachMessage(frame.seq);
    this.#columns.setExchange(frame.seq - 1, exchange);
    for (const message of classified.messages) {
      this.#exchanges.addMessage(frame.seq, frame.direction, message);
      this.#relations.addMessage(frame.seq, frame.direction, message);
      this.#reducer.addMessage(frame.seq, frame.direction, message);
      if (classified.kind === 'request' && frame.direction === 'to-server') this.#reducer.onRequest(frame.seq, message);
    }
    const { kind } = classified;
    if (kind === 'error' && this.#outrun !== undefined && this.#columns.peer(frame.seq - 1) === this.#outrun) {
      this.#exchanges.excuseLateRefusal(this.#outrun);
    }
    if (frame.direction === 'to-client') this.#unpaired(frame, classified, exchange);
  }

  /** Passes on a server frame that belongs to no request, because it may still be an answer. */
  #unpaired({ seq, bytes, flags }: Frame, { kind, messages }: Classified, exchange: number): void {
    if (kind !== 'junk' || flags & FLAG.continued) {
      const isStray = (kind === 'response' || kind === 'error') && this.#columns.peer(seq - 1) === undefined;
      this.#unmatched.addMessage(seq, exchange, isStray ? messages[0] : undefined);
      return;
    }
    const object = this.#unmatched.addJunk(seq, bytes, exchange);
    if (!object) return;
    // Each row is another one now: the first stands for all.
    for (const line of object.lines) this.#columns.markChanged(line - 1);
    this.#reducer.setPrintedLines(this.#unmatched.printed.foldedLines);
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
