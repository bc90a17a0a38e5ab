import { PROBE_ID } from '@/lib/mcp/probe-id';
import { type Channel, FLAG, type Frame } from '@/lib/wire/frame';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';
import {
  type Classified,
  classifyFrame,
  decode,
  decodeLossy,
  isLarge,
  isValidUtf8,
  type ParsedFrames,
  parseJson,
} from './classify';
import type { Columns } from './columns/columns';
import type { Exchanges } from './exchanges/exchanges';
import {
  excuseRefusedExchange,
  excuseRefusedRequest,
  HARMLESS_ENDS,
  type HttpExchanges,
} from './exchanges/http-exchanges';
import type { Interceptions } from './exchanges/interceptions';
import type { Latencies } from './exchanges/latencies';
import type { Relations } from './exchanges/relations';
import type { Repeats } from './exchanges/repeats';
import type { UnmatchedAnswers } from './exchanges/unmatched-answers';
import { severityOf } from './rows/severity';
import { toLifecycleEvent } from './state/connection-facts';
import type { Notes } from './state/notes';
import type { Reducer } from './state/reducer';
import type { TaskReader } from './state/tasks';
import { telemetryUnit } from './telemetry/unit';

/** The parts of a log that are derived from its frames. */
interface DerivedState {
  readonly columns: Columns;
  readonly exchanges: Exchanges;
  readonly http: HttpExchanges;
  readonly interceptions: Interceptions;
  readonly latencies: Latencies;
  /** Called when a person has ended a sign-in, with the seqs of its start and end. */
  onSignedIn(from: number, to: number): void;
  readonly notes: Notes;
  readonly parsed: ParsedFrames;
  readonly reducer: Reducer;
  readonly relations: Relations;
  readonly repeats: Repeats;
  readonly tasks: TaskReader;
  readonly unmatched: UnmatchedAnswers;
}

/** Appends frames, one at a time: classifies each and updates everything that is derived from it. */
export class FrameIntake {
  readonly #columns: Columns;
  readonly #exchanges: Exchanges;
  readonly #http: HttpExchanges;
  readonly #interceptions: Interceptions;
  readonly #latencies: Latencies;
  readonly #onSignedIn: DerivedState['onSignedIn'];
  /** The event since which a sign-in waits for a person. */
  #signInSince: number | undefined;
  readonly #notes: Notes;
  readonly #parsed: ParsedFrames;
  readonly #reducer: Reducer;
  readonly #relations: Relations;
  readonly #repeats: Repeats;
  readonly #tasks: TaskReader;
  readonly #unmatched: UnmatchedAnswers;
  /** Directions in which an over-long line has not ended yet. */
  readonly #continuing = new Set<string>();
  /** The request whose refusal made auto mode try HTTP+SSE. The refusal counts as expected once HTTP+SSE opens. */
  #fellBackFrom: number | undefined;
  /** HTTP exchanges that were refused because the server lost the session. */
  readonly #forgotten: number[] = [];
  /** Auto mode's request that was answered too late to count. */
  #lateHandshake: number | undefined;
  /** True while the client is stopping the process. */
  #ending = false;
  #gaps = 0;

  constructor(derived: DerivedState) {
    this.#columns = derived.columns;
    this.#exchanges = derived.exchanges;
    this.#http = derived.http;
    this.#interceptions = derived.interceptions;
    this.#latencies = derived.latencies;
    this.#onSignedIn = derived.onSignedIn;
    this.#notes = derived.notes;
    this.#parsed = derived.parsed;
    this.#reducer = derived.reducer;
    this.#relations = derived.relations;
    this.#repeats = derived.repeats;
    this.#tasks = derived.tasks;
    this.#unmatched = derived.unmatched;
  }

  /** Number of rows that represent missing frames. */
  get gaps(): number {
    return this.#gaps;
  }

  /** Appends the next frame. `known`: its classification, if already done. */
  append(frame: Frame, known?: Classified): void {
    const append = this.#appendTo.get(frame.channel);
    if (append) append(frame, known);
    else this.#appendOther(frame);
  }

  readonly #appendTo: ReadonlyMap<Channel, (frame: Frame, known?: Classified) => void> = new Map<
    Channel,
    (frame: Frame, known?: Classified) => void
  >([
    ['protocol', (frame, known) => this.#appendMessage(frame, known)],
    ['stderr', (frame) => this.#appendStderr(frame)],
    ['http', (frame) => this.#appendHttp(frame)],
    ['lifecycle', (frame) => this.#appendLifecycle(frame)],
    ['intercept', (frame) => this.#appendOriginal(frame)],
    ['otel', (frame) => this.#appendTelemetry(frame)],
  ]);

  #appendStderr(frame: Frame): void {
    this.#columns.addRow(frame, { kind: 'stderr', invalidUtf8: decode(frame.bytes).invalidUtf8, messages: [] });
    this.#reducer.addStderr(frame.seq, frame.bytes.length);
  }

  /** Adds a frame of a channel that nothing reads. Nothing but its row is derived from it. */
  #appendOther(frame: Frame): void {
    this.#columns.addRow(frame, { kind: 'other', invalidUtf8: !isValidUtf8(frame.bytes), messages: [] });
  }

  /** Adds a span, log record, metric or resource. How spans nest is derived from it later; see `SpanIndex`. */
  #appendTelemetry(frame: Frame): void {
    const { text, invalidUtf8 } = isLarge(frame.bytes) ? NOT_READ : decode(frame.bytes);
    const unit = telemetryUnit(parseJson(text));
    if (!unit) {
      this.#appendOther(frame);
      return;
    }
    this.#columns.addTelemetry(frame, unit, invalidUtf8);
    this.#reducer.addTelemetry(unit);
  }

  /** Adds a message that was not passed on as it is. Nothing but its row and its place is derived from it. */
  #appendOriginal(frame: Frame): void {
    const exchange = this.#http.carrierOf(frame.seq);
    this.#appendOther(frame);
    this.#columns.setExchange(frame.seq - 1, exchange);
    this.#interceptions.addOriginal(frame.seq);
    this.#http.carryOn(frame.seq, exchange);
  }

  #appendLifecycle(frame: Frame): void {
    const { text, invalidUtf8 } = decode(frame.bytes);
    const event = toLifecycleEvent(text);
    if (event?.event === 'note' || event?.event === 'about') {
      this.#appendNote(frame, event);
      return;
    }
    if (event?.event === 'missing') {
      this.#appendGap(frame, event);
      return;
    }
    this.#repeats.end();
    // `recording-ends` is not in the file. It is added to a recording without an end.
    const isAdded = event?.event === 'recording-ends';
    if (isAdded) this.#notes.addPlaceholder();
    this.#columns.addRow(frame, { kind: isAdded ? 'note' : 'lifecycle', invalidUtf8, messages: [] });
    if (event) this.#columns.setSeverity(frame.seq - 1, severityOf(event, this.#ending));
    if (event?.event === 'closing' || event?.event === 'rung') this.#ending = true;
    if (event?.event === 'spawned') this.#ending = false;
    if (event?.event === 'timeout') this.#exchanges.markTimedOut(event.id);
    if (event?.event === 'retry') this.#relations.onRetry(event.id, event.method);
    if (event?.event === 'probe') this.#onProbe(event.era);
    if (event) this.#followSignIn(frame.seq, event);
    if (event?.event === 'fallback') this.#fellBackFrom = this.#exchanges.latestRequest('initialize');
    if (event?.event === 'open') this.#onOpen();
    if (event?.event === 'session-lost') this.#http.forgetSession();
    if (event?.event === 'line-unended') this.#unmatched.addUnended(frame.seq, event.text);
    if (event && ENDS.has(event.event)) {
      this.#exchanges.endAll(this.#ending);
      this.#unmatched.endPrintedObject();
    }
    if (event) {
      const carrier = this.#http.carrierOf(frame.seq);
      this.#http.carryOn(frame.seq, this.#interceptions.addEvent(frame.seq, event, carrier));
    }
    if (event) this.#tasks.addLifecycle(frame.seq, event);
    this.#reducer.addLifecycle(frame.seq, event);
  }

  #followSignIn(seq: number, event: LifecycleEvent): void {
    if (event.event === 'authorization' && event.phase === 'needed') this.#signInSince = seq;
    else if (event.event === 'auth-callback' || event.event === 'authorization') {
      if (this.#signInSince !== undefined) this.#onSignedIn(this.#signInSince, seq);
      this.#signInSince = undefined;
    }
  }

  /** Marks earlier refusals as expected: of an unsupported transport, or of a lost session. */
  #onOpen(): void {
    this.#excuseRefusal(this.#fellBackFrom);
    for (const number of this.#forgotten.splice(0)) {
      excuseRefusedExchange(number, this.#columns, this.#http);
      for (const seq of this.#http.get(number)!.messages) {
        if (this.#columns.kind(seq - 1) === 'request') this.#excuseRefusal(seq);
      }
    }
  }

  /** Adds a note. Nothing else is derived from notes. */
  #appendNote(frame: Frame, event: Extract<LifecycleEvent, { event: 'note' | 'about' }>): void {
    this.#columns.addRow(frame, { kind: 'note', invalidUtf8: false, messages: [] });
    if (event.event === 'about') this.#notes.setRecordingNote(event);
    else {
      this.#notes.addNote(event);
      // Ignore notes on later frames, which a recording may contain.
      if (Number.isInteger(event.on) && event.on >= 1 && event.on < frame.seq) this.#columns.markChanged(event.on - 1);
    }
    this.#reducer.stateChanged();
  }

  /** Adds a gap. All frames missing in one place share a row. */
  #appendGap(frame: Frame, event: Extract<LifecycleEvent, { event: 'missing' }>): void {
    const isRow = event.frames !== undefined;
    this.#columns.addRow(frame, { kind: isRow ? 'lifecycle' : 'note', invalidUtf8: false, messages: [] });
    if (isRow) {
      this.#gaps++;
      this.#columns.setSeverity(frame.seq - 1, severityOf(event, this.#ending));
    } else this.#notes.addPlaceholder();
    this.#reducer.stateChanged();
  }

  /**
   * Called when auto mode has chosen an era. Gives up its request for the other era, or marks the refusal of that
   * request as expected.
   */
  #onProbe(era: Era): void {
    const probe = this.#exchanges.latestRequest('server/discover');
    const initialize = this.#exchanges.latestRequest('initialize');
    const sentBoth = probe !== undefined && initialize !== undefined && initialize > probe;
    const other = era === 'legacy' ? probe : sentBoth ? initialize : undefined;
    if (other === undefined) return;
    this.#exchanges.markCancelled([this.#columns.id(other - 1)]);
    this.#lateHandshake = other;
    this.#excuseRefusal(other);
  }

  #excuseRefusal(request: number | undefined): void {
    if (request === undefined || this.#columns.status(request - 1) === 'refused') return;
    excuseRefusedRequest(request, this.#columns, this.#exchanges, this.#http);
    // The probe is not counted.
    if (this.#columns.status(request - 1) === 'refused' && this.#columns.id(request - 1) !== PROBE_ID)
      this.#latencies.uncountError(this.#columns.method(request - 1));
  }

  /** Over HTTP, the end of an exchange can also end its request. */
  #appendHttp(frame: Frame): void {
    this.#columns.addRow(frame, { kind: 'http', invalidUtf8: false, messages: [] });
    const { exchange, severity, end } = this.#http.addFrame(frame.seq, decodeLossy(frame.bytes));
    this.#columns.setExchange(frame.seq - 1, exchange);
    this.#columns.setSeverity(frame.seq - 1, severity);
    this.#reducer.setHttpFacts(this.#http.facts);
    const { requests = [], responses, ends } = this.#http.get(exchange) ?? {};
    // The status and duration of the requests have changed.
    if (responses?.at(-1) === frame.seq || ends?.at(-1) === frame.seq) {
      for (const seq of requests) this.#columns.markChanged(seq - 1);
    }
    if (HARMLESS_ENDS.has(end?.code)) excuseRefusedExchange(exchange, this.#columns, this.#http);
    if (end?.code === 'session-lost') this.#forgotten.push(exchange);
    if (Array.isArray(end?.unanswered)) this.#exchanges.markUnanswered(end.unanswered);
    if (Array.isArray(end?.cancelled)) this.#exchanges.markCancelled(end.cancelled);
  }

  #appendMessage(frame: Frame, known?: Classified): void {
    const classified = this.#classify(frame, known);
    this.#columns.addRow(frame, classified);
    this.#interceptions.addMessage(frame.seq, frame.direction);
    if (classified.source) this.#parsed.addParsed(frame.seq - 1, classified.source);
    const exchange = this.#http.attachMessage(frame.seq);
    this.#columns.setExchange(frame.seq - 1, exchange);
    for (const message of classified.messages) {
      this.#exchanges.addMessage(frame.seq, frame.direction, message);
      this.#relations.addMessage(frame.seq, frame.direction, message);
      this.#tasks.addMessage(frame.seq, frame.direction, message);
      this.#reducer.addMessage(frame.seq, frame.direction, message);
      if (classified.kind === 'request' && frame.direction === 'to-server') this.#reducer.onRequest(frame.seq, message);
    }
    const { kind } = classified;
    if (kind !== 'notification') this.#repeats.end();
    // A person or a rule decided about an intercepted one, so it keeps its row.
    else if (!this.#interceptions.of(frame.seq) && this.#repeats.add(frame)) this.#countFolded();
    if (
      kind === 'error' &&
      this.#lateHandshake !== undefined &&
      this.#columns.peer(frame.seq - 1) === this.#lateHandshake
    ) {
      this.#exchanges.excuseLateRefusal(this.#lateHandshake);
    }
    if (frame.direction === 'to-client') this.#checkUnpaired(frame, classified, exchange);
  }

  /** Checks a server frame that was not paired, because it may still look like a response. */
  #checkUnpaired({ seq, bytes, flags }: Frame, { kind, messages }: Classified, exchange: number): void {
    if (kind !== 'junk' || flags & FLAG.continued) {
      const isStray = (kind === 'response' || kind === 'error') && this.#columns.peer(seq - 1) === undefined;
      this.#unmatched.addMessage(seq, exchange, isStray ? messages[0] : undefined);
      return;
    }
    if (!isBlank(bytes)) this.#reducer.addJunk(seq);
    const object = this.#unmatched.addJunk(seq, bytes, exchange);
    if (!object) return;
    // All rows of the object have changed: the first one now represents it.
    for (const line of object.lines) this.#columns.markChanged(line - 1);
    this.#countFolded();
  }

  #countFolded(): void {
    this.#reducer.setFolded(this.#unmatched.printed.foldedLines + this.#repeats.folded);
  }

  /** Classifies a frame. A piece of an over-long line is not a message, even if it looks like one. */
  #classify(frame: Frame, known?: Classified): Classified {
    const stream = frame.direction;
    const piece = this.#continuing.has(stream);
    const goesOn = (frame.flags & FLAG.continued) !== 0;
    if (goesOn) this.#continuing.add(stream);
    else this.#continuing.delete(stream);
    // No client reads a line that never ends.
    const isUnended = stream === 'to-client' && (frame.flags & FLAG.unterminated) !== 0;
    if (!piece && !goesOn && !isUnended) return known ?? classifyFrame(frame);
    return { kind: 'junk', invalidUtf8: decode(frame.bytes).invalidUtf8, messages: [] };
  }
}

/** The text of a frame that is too long for a unit of telemetry. */
const NOT_READ = { text: '', invalidUtf8: false };

/** Control characters and space are up to this byte. */
const SPACE = 0x20;

/** Returns true for white space and control characters only. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= SPACE);
}

/** Events after which no request is answered. */
const ENDS: ReadonlySet<string> = new Set(['exit', 'failed', 'closed', 'recording-ends']);
