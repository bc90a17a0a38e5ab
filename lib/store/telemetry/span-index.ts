import { parseBounded } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { type OtlpLog, type OtlpSpan, readTelemetry, type TelemetryOrigin } from '@/lib/otel/telemetry';
import { parseTraceparent, TRACEPARENT } from '@/lib/wire/trace-context';
import { decodeLossy } from '../classify';
import type { Log } from '../log';
import type { Row } from '../rows/row';
import type { TimeSpan } from '../rows/time-span';
import { coveredUs } from './intervals';
import { RequestsInFlight } from './requests-in-flight';

/** Most spans, log records and traced requests that are remembered, about 40 MB. The oldest traces are forgotten. */
const TELEMETRY_KEPT = 100_000;

/** A span of the server, or of another process. The same object for as long as it is known. */
export interface Span {
  /** Frame that brought it first. */
  readonly seq: number;
  readonly traceId: string;
  readonly id: string;
  /** Id of its parent, which may be unknown. undefined for the root of a trace. */
  readonly parentId: string | undefined;
  readonly name: string;
  readonly service: string;
  /** Digest of the resource: the process that sent it. */
  readonly of: string;
  /** 2 server, 3 client; see OpenTelemetry's SpanKind. */
  readonly kind: number;
  /** Start by the clock of its process, in µs since the connection started. */
  readonly from: number;
  readonly us: number;
  readonly failed: boolean;
  /** Why it failed. Server text. */
  readonly failure: string | undefined;
}

/** A log record. */
export interface LogRecord {
  readonly seq: number;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  /** As in {@link Span}. */
  readonly from: number;
}

/**
 * The request that caused a span or log record. `parent`: it is below the request's span. `trace`: only the trace is
 * the same, so the newest request of that trace counts. `time`: it was the only request in flight.
 */
export interface Cause {
  readonly request: number;
  readonly by: 'parent' | 'trace' | 'time';
}

interface Node extends Span {
  readonly trace: Trace;
  /** The request that was alone in flight when it started. */
  readonly alone: number | undefined;
  parent: Node | undefined;
  /** An ancestor, for shorter ways to the top. */
  up: Node | undefined;
}

interface Trace {
  readonly spans: Map<string, Node>;
  /** Spans by the id of their parent. */
  readonly children: Map<string, Node[]>;
  /** Spans without a known parent. */
  readonly tops: Set<Node>;
  readonly logs: LogRecord[];
  /** Requests by their span id, oldest first. A host may use one span id for several. */
  readonly requests: Map<string, number[]>;
  newestRequest: number | undefined;
  /** Frames of its spans and log records, with those that came twice. */
  readonly seqs: number[];
}

/** Log records without a trace are kept like traces, those of so many frames together. No trace has such an id. */
const UNTRACED_FRAMES = 1000;

const NONE: readonly never[] = [];

/** Most resources and metrics that are remembered. Servers have a few dozen. */
const NAMED_KEPT = 1000;

/** Levels that rows are indented at most. */
const MOST_LEVELS = 8;

/**
 * Spans and log records of a log, and how they nest below each other and below the requests that caused them. Derived
 * from the frames in O(1) each, whatever their order. Call {@link update} before reading.
 */
export class SpanIndex {
  readonly #log: Log;
  readonly #inFlight: RequestsInFlight;
  readonly #traces = new Map<string, Trace>();
  readonly #bySeq = new Map<number, Node>();
  readonly #logs = new Map<number, LogRecord>();
  /** Trace context of requests. */
  readonly #contexts = new Map<number, { readonly traceId: string; readonly spanId: string }>();
  /** By request: spans and log records that came while it was alone in flight. */
  readonly #alone = new Map<number, (Node | LogRecord)[]>();
  /** Newest frame of each metric, by service and name. */
  readonly #metrics = new Map<string, number>();
  /** Frames of resources by digest. */
  readonly #resources = new Map<string, number>();
  readonly #most: number;
  #kept = 0;
  #forgotten = 0;
  #seen = 0;

  /** `most`: spans, log records and traced requests that are remembered. */
  constructor(log: Log, most = TELEMETRY_KEPT) {
    this.#log = log;
    this.#most = most;
    this.#inFlight = new RequestsInFlight(log);
  }

  /** Reads the frames that came since the last call. */
  update(): this {
    const { columns, size } = this.#log;
    if (this.#seen === size) return this;
    this.#inFlight.update(this.#seen, size);
    while (this.#seen < size) {
      const index = this.#seen++;
      const kind = columns.kind(index);
      if (kind === 'request' && columns.direction(index) === 'to-server') this.#addRequest(index);
      else if (kind === 'other' && columns.channel(index) === 'otel') this.#addUnit(index);
    }
    return this;
  }

  /** Returns all spans, in the order in which they came. */
  *spans(): Generator<Span, void> {
    for (const [seq, span] of this.#bySeq) if (span.seq === seq) yield span;
  }

  /** Number of spans, log records and requests that were forgotten, because there were too many. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Returns the span that a frame holds. A span that came twice is the same. */
  span(seq: number): Span | undefined {
    return this.#bySeq.get(seq);
  }

  /** Returns the log record that a frame holds. */
  record(seq: number): LogRecord | undefined {
    return this.#logs.get(seq);
  }

  /** Returns the span with these ids. */
  spanOf(traceId: string | undefined, id: string | undefined): Span | undefined {
    return this.#traces.get(traceId ?? '')?.spans.get(id ?? '');
  }

  /** Newest frame of each metric. */
  get metrics(): readonly number[] {
    return [...this.#metrics.values()];
  }

  /** Returns the frame with the attributes of a resource. */
  resource(digest: string): number | undefined {
    return this.#resources.get(digest);
  }

  parentOf({ traceId, id }: Span): Span | undefined {
    return this.#traces.get(traceId)?.spans.get(id)?.parent;
  }

  /** Returns the spans right below a span, by start. */
  childrenOf({ traceId, id }: Span): readonly Span[] {
    const trace = this.#traces.get(traceId);
    const self = trace?.spans.get(id);
    return (
      trace?.children
        .get(id)
        ?.filter(({ parent }) => parent === self)
        .sort(byStart) ?? NONE
    );
  }

  /** Returns the time in which none of the spans below a span ran, in µs. */
  ownUs(span: Span): number {
    const below = this.childrenOf(span).map(({ from, us }) => ({ from, to: from + us }));
    return span.us - coveredUs(below, { from: span.from, to: span.from + span.us });
  }

  /** Returns the request that caused the span or log record in a frame. */
  causeOf(seq: number): Cause | undefined {
    const node = this.#bySeq.get(seq);
    if (node) return this.#causeOfTop(topOf(node));
    const record = this.#logs.get(seq);
    if (!record) return undefined;
    const trace = record.traceId === undefined ? undefined : this.#traces.get(record.traceId);
    const inside = trace?.spans.get(record.spanId ?? '');
    if (inside) return this.#causeOfTop(topOf(inside));
    const traced = trace && this.#causeIn(trace, record.spanId, record.from);
    return traced ?? aloneCause(this.#aloneAt(record.from, record.seq));
  }

  /** Returns the topmost spans that a request caused, by start. */
  spansOf(request: number): readonly Span[] {
    const found: Node[] = [];
    const context = this.#contexts.get(request);
    const trace = context && this.#traces.get(context.traceId);
    if (trace) {
      for (const child of trace.children.get(context.spanId) ?? NONE) {
        if (!child.parent && this.#causeOfTop(child)?.request === request) found.push(child);
      }
      if (trace.newestRequest === request) {
        for (const top of trace.tops) if (!trace.requests.has(top.parentId ?? '')) found.push(top);
      }
    }
    for (const each of this.#alone.get(request) ?? NONE) {
      if ('name' in each && !each.parent && each.trace.newestRequest === undefined) found.push(each);
    }
    return found.sort(byStart);
  }

  /** Returns the frame of the first span that the request of a request's or response's row caused. */
  firstSpanOf({ seq, kind, peer }: Pick<Row, 'seq' | 'kind' | 'peer'>): number | undefined {
    const request = kind === 'request' ? seq : peer;
    return request === undefined ? undefined : this.spansOf(request)[0]?.seq;
  }

  /** Returns the frames of the log records that a request caused. */
  logsOf(request: number): readonly number[] {
    const context = this.#contexts.get(request);
    const logs = (context && this.#traces.get(context.traceId)?.logs) ?? NONE;
    const alone = (this.#alone.get(request) ?? NONE).filter((each) => !('name' in each));
    const seqs = new Set([...logs, ...alone].map(({ seq }) => seq));
    return [...seqs].filter((seq) => this.causeOf(seq)?.request === request);
  }

  /** Returns the number of known spans above a span, at most `most`. */
  depthOf({ traceId, id }: Span, most: number): number {
    let depth = 0;
    for (let at = this.#traces.get(traceId)?.spans.get(id)?.parent; at && depth < most; at = at.parent) depth++;
    return depth;
  }

  /** Returns how far the row of a span or log record is indented; undefined for other rows. */
  levelOf(seq: number): number | undefined {
    const span = this.#bySeq.get(seq);
    if (!span && !this.#logs.has(seq)) return undefined;
    if (!this.causeOf(seq)) return 0;
    return span ? 1 + this.depthOf(span, MOST_LEVELS) : 1;
  }

  /**
   * Returns the time of a span for its row in the waterfall; undefined for other rows. A span starts after the request
   * that caused it, and is over when its frame comes, so a clock that differs does not stretch the scale.
   */
  timeSpanOf({ seq, time }: Pick<Row, 'seq' | 'time'>): TimeSpan | undefined {
    const span = this.#bySeq.get(seq);
    if (!span) return undefined;
    const top = topOf(span);
    const cause = this.#causeOfTop(top);
    const early = cause && cause.by !== 'time' ? this.#log.columns.time(cause.request - 1) - top.from : 0;
    const to = Math.min(span.from + Math.max(0, early) + span.us, time);
    const part = { from: to - span.us, to, status: span.failed ? ('error' as const) : undefined };
    return { whole: undefined, parts: [part], asked: [], ticks: [], at: undefined };
  }

  #addRequest(index: number): void {
    const bytes = this.#log.frameOrSkim(index)?.bytes;
    const text = bytes ? decodeLossy(bytes) : '';
    if (!text.includes(TRACEPARENT)) return;
    const context = parseTraceparent(traceparentIn(text));
    if (!context) return;
    const trace = this.#traceOf(context.traceId);
    append(trace.requests, context.spanId, index + 1);
    trace.newestRequest = index + 1;
    this.#contexts.set(index + 1, context);
  }

  #addUnit(index: number): void {
    const { columns } = this.#log;
    const unit = columns.method(index);
    if (unit === undefined) return;
    if (unit === 'metric') {
      this.#addMetric(index);
      return;
    }
    const read = this.#log.hasBytes(index + 1) ? readTelemetry(this.#log.bytes(index)) : undefined;
    if (!read) return;
    if ('resource' in read) setNewest(this.#resources, read.resource, index + 1);
    else if ('span' in read) this.#addSpan(index + 1, read, read.span);
    else if ('log' in read) this.#addLog(index + 1, read.log);
  }

  #addMetric(index: number): void {
    const { columns } = this.#log;
    setNewest(this.#metrics, `${columns.serviceNumber(index)} ${columns.nameNumber(index)}`, index + 1);
  }

  #addSpan(seq: number, { service, of }: TelemetryOrigin, span: OtlpSpan): void {
    const trace = this.#traceOf(span.traceId);
    trace.seqs.push(seq);
    const known = trace.spans.get(span.spanId);
    if (known) {
      this.#bySeq.set(seq, known);
      return;
    }
    const from = this.#time(span.startTimeUnixNano, seq);
    const node: Node = {
      seq,
      traceId: span.traceId,
      id: span.spanId,
      parentId: span.parentSpanId === span.spanId ? undefined : span.parentSpanId,
      name: span.name,
      service,
      of,
      kind: span.kind ?? 0,
      from,
      us: Math.max(0, Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1000),
      failed: span.status?.code === 2,
      failure: span.status?.message,
      trace,
      alone: this.#aloneAt(from, seq),
      parent: undefined,
      up: undefined,
    };
    trace.spans.set(node.id, node);
    trace.tops.add(node);
    this.#bySeq.set(seq, node);
    if (node.parentId !== undefined) {
      append(trace.children, node.parentId, node);
      const parent = trace.spans.get(node.parentId);
      if (parent) link(node, parent);
    }
    for (const child of trace.children.get(node.id) ?? NONE) if (!child.parent) link(child, node);
    if (node.alone !== undefined) append(this.#alone, node.alone, node);
  }

  #addLog(seq: number, { traceId, spanId, timeUnixNano, observedTimeUnixNano }: OtlpLog): void {
    const nano = Number(timeUnixNano) > 0 ? timeUnixNano : observedTimeUnixNano;
    const record = { seq, traceId, spanId, from: this.#time(nano, seq) };
    const trace = this.#traceOf(traceId ?? String(Math.floor(seq / UNTRACED_FRAMES)));
    trace.seqs.push(seq);
    trace.logs.push(record);
    const alone = this.#aloneAt(record.from, seq);
    if (alone !== undefined) append(this.#alone, alone, record);
    this.#logs.set(seq, record);
  }

  /** Returns the trace with this id, for one more member. Begins it again if it has too many already. */
  #traceOf(id: string): Trace {
    while (this.#kept >= this.#most) {
      const [oldest, first] = this.#traces.entries().next().value!;
      this.#forget(oldest, first);
    }
    let trace = this.#traces.get(id);
    if (!trace) {
      trace = {
        spans: new Map(),
        children: new Map(),
        tops: new Set(),
        logs: [],
        requests: new Map(),
        newestRequest: undefined,
        seqs: [],
      };
      this.#traces.set(id, trace);
    }
    this.#kept++;
    return trace;
  }

  #forget(id: string, { spans, requests, seqs }: Trace): void {
    this.#traces.delete(id);
    const touched = new Set<number | undefined>();
    for (const { alone } of spans.values()) touched.add(alone);
    for (const seq of seqs) {
      const record = this.#logs.get(seq);
      if (record) touched.add(this.#aloneAt(record.from, seq));
      this.#bySeq.delete(seq);
      this.#logs.delete(seq);
    }
    for (const request of touched) {
      const left = this.#alone.get(request ?? 0)?.filter(({ seq }) => this.#bySeq.has(seq) || this.#logs.has(seq));
      if (left?.length === 0) this.#alone.delete(request!);
      else if (left) this.#alone.set(request!, left);
    }
    const asked = [...requests.values()].flat();
    for (const request of asked) this.#contexts.delete(request);
    this.#kept -= seqs.length + asked.length;
    this.#forgotten += seqs.length + asked.length;
  }

  #causeOfTop({ trace, parentId, from, alone }: Node): Cause | undefined {
    return this.#causeIn(trace, parentId, from) ?? aloneCause(alone);
  }

  /** Returns the request with this span id, else the newest of the trace. `from`: when the work started. */
  #causeIn({ requests, newestRequest }: Trace, spanId: string | undefined, from: number): Cause | undefined {
    const [first, ...others] = requests.get(spanId ?? '') ?? NONE;
    const request = others.findLast((seq) => this.#log.columns.time(seq - 1) <= from) ?? first;
    if (request !== undefined) return { request, by: 'parent' };
    return newestRequest === undefined ? undefined : { request: newestRequest, by: 'trace' };
  }

  /** Returns the request that was alone in flight. Nothing starts after its frame has arrived. */
  #aloneAt(us: number, seq: number): number | undefined {
    return this.#inFlight.onlyAt(Math.min(us, this.#log.columns.time(seq - 1)));
  }

  /** Returns nanoseconds since 1970 as µs since the connection started; if its start is unknown, the frame's time. */
  #time(nano: string | undefined, seq: number): number {
    const startMs = Date.parse(this.#log.state.connection.start?.at ?? '');
    const known = nano !== undefined && !Number.isNaN(startMs);
    return known ? Number(BigInt(nano) / 1000n) - startMs * 1000 : this.#log.columns.time(seq - 1);
  }
}

/** Returns the `traceparent` in a request's text, which may be a skim. */
function traceparentIn(text: string): unknown {
  try {
    const message = parseBounded(text);
    const params = isObject(message) ? own(message, 'params') : undefined;
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    return isObject(meta) ? own(meta, TRACEPARENT) : undefined;
  } catch {
    return undefined;
  }
}

/** Adds a frame as the newest, and drops the oldest beyond the bound. */
function setNewest(map: Map<string, number>, key: string, seq: number): void {
  map.delete(key);
  map.set(key, seq);
  if (map.size > NAMED_KEPT) map.delete(map.keys().next().value!);
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Puts a span below its parent. Parents in a circle stay apart. */
function link(child: Node, parent: Node): void {
  if (topOf(parent) === child) return;
  child.parent = parent;
  child.up = parent;
  child.trace.tops.delete(child);
}

/** Returns the topmost known ancestor, and shortens the way to it. */
function topOf(node: Node): Node {
  let top = node;
  while (top.up) top = top.up;
  for (let at = node; at.up && at.up !== top; ) {
    const next = at.up;
    at.up = top;
    at = next;
  }
  return top;
}

function aloneCause(request: number | undefined): Cause | undefined {
  return request === undefined ? undefined : { request, by: 'time' };
}

function byStart(a: Span, b: Span): number {
  return a.from - b.from || a.seq - b.seq;
}
