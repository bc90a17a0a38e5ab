import { type Channel, FLAG, type Frame } from '@/lib/wire/frame';
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
import type { Derivation } from './derivation';
import type { HttpExchanges } from './exchanges/http-exchanges';
import type { Interceptions } from './exchanges/interceptions';
import { severityOf } from './rows/severity';
import { toLifecycleEvent } from './state/connection-facts';
import type { Notes } from './state/notes';
import { telemetryUnit } from './telemetry/unit';

/** The parts of a log that tell what a frame is, and where it belongs. */
interface FrameFacts {
  readonly columns: Columns;
  readonly http: HttpExchanges;
  readonly interceptions: Interceptions;
  readonly notes: Notes;
  readonly parsed: ParsedFrames;
}

/** Appends frames, one at a time: classifies each, stores its row, and hands it to everything that is derived. */
export class FrameIntake {
  readonly #log: FrameFacts;
  readonly #ofMessages: readonly With<'addMessage'>[];
  readonly #ofEvents: readonly With<'addEvent'>[];
  readonly #ofHttp: readonly With<'addHttp'>[];
  readonly #ofFrames: readonly With<'add'>[];
  /** Directions in which an over-long line has not ended yet. */
  readonly #continuing = new Set<string>();
  /** True while the client is stopping the process. */
  #isEnding = false;
  #gaps = 0;

  constructor(log: FrameFacts, derivations: readonly Derivation[]) {
    this.#log = log;
    const having = <Step extends keyof Derivation>(step: Step) =>
      derivations.filter((row): row is With<Step> => row[step] !== undefined);
    this.#ofMessages = having('addMessage');
    this.#ofEvents = having('addEvent');
    this.#ofHttp = having('addHttp');
    this.#ofFrames = having('add');
  }

  /** Number of rows that represent missing frames. */
  get gaps(): number {
    return this.#gaps;
  }

  /** Appends the next frame. `known`: its classification, if already done. */
  append(frame: Frame, known?: Classified): void {
    const classified = this.#appendTo.get(frame.channel)?.(frame, known) ?? this.#appendOther(frame);
    for (const row of this.#ofFrames) row.add(frame, classified);
  }

  readonly #appendTo = new Map<Channel, (frame: Frame, known?: Classified) => Classified>([
    ['protocol', (frame, known) => this.#appendMessage(frame, known)],
    ['stderr', (frame) => this.#addRow(frame, { kind: 'stderr', invalidUtf8: decode(frame.bytes).invalidUtf8 })],
    ['http', (frame) => this.#appendHttp(frame)],
    ['lifecycle', (frame) => this.#appendLifecycle(frame)],
    ['intercept', (frame) => this.#appendOriginal(frame)],
    ['otel', (frame) => this.#appendTelemetry(frame)],
  ]);

  #addRow(frame: Frame, classified: Omit<Classified, 'messages'>): Classified {
    const row = { ...classified, messages: NONE };
    this.#log.columns.addRow(frame, row);
    return row;
  }

  /** Adds a frame of a channel that nothing reads. */
  #appendOther(frame: Frame): Classified {
    return this.#addRow(frame, { kind: 'other', invalidUtf8: !isValidUtf8(frame.bytes) });
  }

  /** Adds a span, log record, metric or resource. How spans nest is derived from it later; see `SpanIndex`. */
  #appendTelemetry(frame: Frame): Classified {
    const { text, invalidUtf8 } = isLarge(frame.bytes) ? NOT_READ : decode(frame.bytes);
    const unit = telemetryUnit(parseJson(text));
    if (!unit) return this.#appendOther(frame);
    this.#log.columns.addTelemetry(frame, unit, invalidUtf8);
    return { kind: 'other', invalidUtf8, messages: NONE, unit };
  }

  /** Adds a message that was not passed on as it is. */
  #appendOriginal(frame: Frame): Classified {
    const { columns, http, interceptions } = this.#log;
    const exchange = http.carrierOf(frame.seq);
    const classified = this.#appendOther(frame);
    columns.setExchange(frame.seq - 1, exchange);
    interceptions.addOriginal(frame.seq);
    http.carryOn(frame.seq, exchange);
    return classified;
  }

  #appendLifecycle(frame: Frame): Classified {
    const { columns, http, interceptions, notes } = this.#log;
    const { text, invalidUtf8 } = decode(frame.bytes);
    const event = toLifecycleEvent(text);
    // All frames missing in one place share a row. The other frames are not traffic.
    const isGap = event?.event === 'missing' && event.frames !== undefined;
    const isRow = isGap || !event || !NOT_TRAFFIC.has(event.event);
    const classified = this.#addRow(frame, { kind: isRow ? 'lifecycle' : 'note', invalidUtf8 });
    if (event && isRow) columns.setSeverity(frame.seq - 1, severityOf(event, this.#isEnding));
    if (event && !isRow) notes.add(event);
    if (isGap) this.#gaps++;
    // Ignore notes on later frames, which a recording may contain.
    if (event?.event === 'note' && Number.isInteger(event.on) && event.on >= 1 && event.on < frame.seq)
      columns.markChanged(event.on - 1);
    // `recording-ends` is added to a recording without an end, and ends what is open.
    if (isGap || (!isRow && event?.event !== 'recording-ends')) return classified;
    if (event) {
      http.carryOn(frame.seq, interceptions.addEvent(frame.seq, event, http.carrierOf(frame.seq)));
      if (event.event === 'closing' || event.event === 'rung') this.#isEnding = true;
      if (event.event === 'spawned') this.#isEnding = false;
    }
    for (const row of this.#ofEvents) row.addEvent(frame.seq, event, this.#isEnding);
    return classified;
  }

  #appendHttp(frame: Frame): Classified {
    const { columns, http } = this.#log;
    const classified = this.#addRow(frame, { kind: 'http', invalidUtf8: false });
    const added = http.addFrame(frame.seq, decodeLossy(frame.bytes));
    columns.setExchange(frame.seq - 1, added.exchange);
    columns.setSeverity(frame.seq - 1, added.severity);
    const { requests = [], responses, ends } = http.get(added.exchange) ?? {};
    // The status and duration of the requests have changed.
    if (responses?.at(-1) === frame.seq || ends?.at(-1) === frame.seq) {
      for (const seq of requests) columns.markChanged(seq - 1);
    }
    for (const row of this.#ofHttp) row.addHttp(added);
    return classified;
  }

  #appendMessage(frame: Frame, known?: Classified): Classified {
    const { columns, http, interceptions, parsed } = this.#log;
    const { seq, direction } = frame;
    const classified = this.#classify(frame, known);
    columns.addRow(frame, classified);
    interceptions.addMessage(seq, direction);
    if (classified.source) parsed.addParsed(seq - 1, classified.source);
    columns.setExchange(seq - 1, http.attachMessage(seq));
    for (const message of classified.messages) {
      for (const row of this.#ofMessages) row.addMessage(seq, direction, message);
    }
    return classified;
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
    return { kind: 'junk', invalidUtf8: decode(frame.bytes).invalidUtf8, messages: NONE };
  }
}

/** A derivation that has a step. */
type With<Step extends keyof Derivation> = Derivation & Required<Pick<Derivation, Step>>;

const NONE: Classified['messages'] = [];

/** Events that are not of the connection: about frames, and placeholders for those that a recording lacks. */
const NOT_TRAFFIC: ReadonlySet<string> = new Set(['note', 'about', 'missing', 'recording-ends']);

/** The text of a frame that is too long for a unit of telemetry. */
const NOT_READ = { text: '', invalidUtf8: false };
