import { createHash } from 'node:crypto';
import type { SpanConnection } from '@/lib/otel/exchange-spans';
import { exchangeSpan } from '@/lib/otel/exchange-spans';
import type { OperationMetrics } from '@/lib/otel/operation-metrics';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { classifyFrame } from '@/lib/store/classify';
import { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';
import { connectionFacts, ExchangeReader, type RecordedPart, type SpanIds } from './exchange-reader';
import { type ForeignSpans, PassedTelemetry } from './passed-telemetry';

/** Bytes of messages that are held. An exchange needs its request and its response at the moment when it ends. */
const HELD_BYTES = 8 * 1024 * 1024;
/** Frames after which a log is replaced once no request is open, and after which it is replaced anyway. */
export const EXPORTED_LOG_FRAMES = 20_000;
const MOST_FRAMES = 100_000;
const TRACE_ID_CHARS = 32;
const SPAN_ID_CHARS = 16;

/** Recordings of one log that are remembered. A request is rarely open while many begin. */
const MOST_PARTS = 100;

/** Takes the spans and metrics of logs. */
export interface SpanSink extends ForeignSpans {
  addSpan(span: object): void;
  readonly metrics: OperationMetrics;
}

/** Turns the frames of one log into spans and metrics. Memory is bounded, however long the log is. */
export class LogExport {
  /** The recordings, newest first: the first frame of the log in each, and how much smaller its numbers are. */
  #parts: readonly { readonly part: RecordedPart; readonly from: number; readonly shift: number }[];
  readonly #sink: SpanSink;
  readonly #manyFrames: number;
  readonly #redactor: CaptureRedactor | undefined;
  readonly #passed: PassedTelemetry;
  #log!: Log;
  #reader!: ExchangeReader;
  /** Number of the frame before the first of the present log. */
  #offset = 0;
  /** Facts from earlier logs of the connection. */
  #facts: Partial<SpanConnection> = {};
  #newest: { readonly from: readonly unknown[]; readonly facts: SpanConnection } | undefined;
  #openedUs: number | undefined;
  #time = 0;
  /** Requests without an end. */
  #unfinished = 0;

  /**
   * `redactor`: removes secrets from each frame before it is read. Absent: the frames have none. `manyFrames`: see
   * {@link EXPORTED_LOG_FRAMES}, for tests.
   */
  constructor(part: RecordedPart, sink: SpanSink, redactor?: CaptureRedactor, manyFrames = EXPORTED_LOG_FRAMES) {
    this.#parts = [{ part, from: 1, shift: 0 }];
    this.#sink = sink;
    this.#redactor = redactor;
    this.#manyFrames = manyFrames;
    this.#passed = new PassedTelemetry(sink);
    this.#begin(0);
  }

  /** Begins another recording. The next frame, `seq` in the log, has the number `number` there. */
  beginPart(part: RecordedPart, seq: number, number: number): void {
    this.#parts = [{ part, from: seq, shift: seq - number }, ...this.#parts.slice(0, MOST_PARTS - 1)];
  }

  /** Adds frames, in order. A gap between their numbers ends the requests that are open. */
  add(frames: readonly Frame[]): void {
    for (const frame of frames) {
      const seq = frame.seq - this.#offset;
      if (seq !== this.#log.size + 1) this.#replaceLog(frame.seq - 1);
      const redacted = this.#redactor ? this.#redactor.apply(frame) : frame;
      this.#append(redacted, frame.seq - this.#offset);
      this.#time = frame.time;
      if (frame.channel === 'otel') this.#passed.addFrame(redacted.bytes);
      this.#reader.read();
      if (this.#openedUs === undefined && this.#log.state.connection.opened) this.#openedUs = frame.time;
      const { size } = this.#log;
      if (size >= MOST_FRAMES || (size >= this.#manyFrames && this.#reader.isIdle)) this.#replaceLog(frame.seq);
    }
  }

  /** Releases memory, because the log may stay quiet for long. */
  rest(): void {
    if (this.#reader.isIdle) this.#replaceLog(this.#offset + this.#log.size);
  }

  /** Ends the log. Returns how many requests had no end. */
  end(): number {
    const { connection } = this.#log.state;
    if (this.#openedUs !== undefined) {
      const failed = connection.state === 'failed' ? 'connection_lost' : undefined;
      const seconds = (this.#time - this.#openedUs) / 1e6;
      this.#sink.metrics.addSession(seconds, this.#connection(this.#parts[0]!.part), failed);
    }
    return this.#unfinished + this.#reader.end();
  }

  /** Adds a frame without its long strings, since they may be a thousand times the file. */
  #append(frame: Frame, seq: number): void {
    const { time, direction, channel, flags, cut } = frame;
    const short = { seq, time, direction, channel, flags };
    if (cut && channel === 'protocol') {
      const known = new Map([[seq, classifyFrame(frame)]]);
      this.#log.append([{ ...short, bytes: cut.text, skimOf: cut.length }], known);
    } else this.#log.append([{ ...short, bytes: frame.bytes }]);
  }

  #begin(offset: number): void {
    this.#offset = offset;
    this.#log = new Log('', { held: HELD_BYTES, again: HELD_BYTES });
    this.#reader = new ExchangeReader(this.#log, {
      ids: spanIds,
      placeOf: (seq) => {
        const at = seq + offset;
        const { part, shift } = this.#parts.find(({ from }) => at >= from) ?? this.#parts.at(-1)!;
        return { part, number: at - shift };
      },
      take: (facts, place, part) => {
        const connection = this.#connection(part);
        this.#sink.addSpan(exchangeSpan(facts, place, connection));
        this.#sink.metrics.addExchange(facts, connection);
      },
    });
  }

  #replaceLog(offset: number): void {
    this.#facts = this.#connection(this.#parts[0]!.part);
    this.#unfinished += this.#reader.end();
    this.#begin(offset);
  }

  /** Returns the facts about the connection, the same object until one changes. */
  #connection(part: RecordedPart): SpanConnection {
    const { connection, server } = this.#log.state;
    const from: readonly unknown[] = [connection, server, this.#reader.client, part];
    if (this.#newest && from.every((one, index) => one === this.#newest!.from[index])) return this.#newest.facts;
    const known = Object.entries(connectionFacts(this.#log, this.#reader)).filter(([, value]) => Boolean(value));
    const { recording, file } = part;
    const facts = { atMs: 0, ...this.#facts, ...Object.fromEntries(known), recording, file };
    this.#newest = { from, facts };
    return facts;
  }
}

/** Returns ids that depend only on the recording and the frame. */
const spanIds: SpanIds = ({ part, number }, name = '') => {
  const digest = createHash('sha256')
    .update(JSON.stringify([part.seed, number, name]))
    .digest('hex');
  return {
    traceId: digest.slice(0, TRACE_ID_CHARS),
    spanId: digest.slice(TRACE_ID_CHARS, TRACE_ID_CHARS + SPAN_ID_CHARS),
  };
};
