import { parseBounded } from '@/lib/json/parse';
import {
  anyCheck,
  isNumber,
  isObject,
  isText,
  type JsonObject,
  listOf,
  objectWith,
  optional,
  own,
  type TypeCheck,
} from '@/lib/json/value';
import { isSpanId, isTraceId } from '@/lib/wire/trace-context';

/**
 * Content of a frame of channel `otel`, as JSON: one unit of OpenTelemetry that the server, or another process in the
 * same trace, sent to our receiver. `span`, `log` and `metric` hold the object as OTLP/JSON has it
 * (opentelemetry-proto 1.x, JSON mapping: ids in hex, 64-bit integers as strings), whatever encoding arrived.
 */
export type Telemetry = TelemetryResource | TelemetrySpan | TelemetryLog | TelemetryMetric;

/** A process that sends telemetry. */
export interface TelemetryResource {
  /** Short digest of the attributes. */
  readonly resource: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly schemaUrl?: string;
}

export interface TelemetrySpan extends TelemetryOrigin {
  readonly span: OtlpSpan;
}

export interface TelemetryLog extends TelemetryOrigin {
  readonly log: OtlpLog;
}

export interface TelemetryMetric extends TelemetryOrigin {
  readonly metric: OtlpMetric;
}

/** The origin of a span, log record or metric. */
export interface TelemetryOrigin {
  /** `service.name` of its resource; '' if there is none. */
  readonly service: string;
  /** Short digest of its resource. A frame with the resource's attributes comes before the first one that names it. */
  readonly of: string;
  /** Name of the instrumentation scope: the library that made it. */
  readonly scope?: string;
  readonly scopeVersion?: string;
}

/** A named value. `value` has one member, such as `stringValue` or `intValue` (decimal text). */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: JsonObject;
}

/** A span. Absent members have their default: 0, '' or empty. Members that are not listed are unchecked. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent: the root of its trace. */
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer; other numbers: unspecified. */
  readonly kind?: number;
  /** Nanoseconds since 1970, in decimal. */
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly droppedAttributesCount?: number;
  readonly events?: readonly OtlpEvent[];
  readonly droppedEventsCount?: number;
  readonly links?: readonly OtlpLink[];
  readonly droppedLinksCount?: number;
  /** `code`: 1 OK, 2 error; other numbers: unset. */
  readonly status?: { readonly code?: number; readonly message?: string };
}

/** Something that happened during a span, such as an exception. */
export interface OtlpEvent {
  readonly timeUnixNano?: string;
  readonly name?: string;
  readonly attributes?: readonly OtlpAttribute[];
}

/** A relation of a span to one of another trace. */
export interface OtlpLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes?: readonly OtlpAttribute[];
}

/** A log record. */
export interface OtlpLog {
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  /** 1 (trace) to 24 (fatal 4). */
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly eventName?: string;
  readonly body?: JsonObject;
  readonly attributes?: readonly OtlpAttribute[];
  /** The span in which it was written. */
  readonly traceId?: string;
  readonly spanId?: string;
}

/** A metric with its data points: `gauge`, `sum`, `histogram`, `exponentialHistogram` or `summary`, unchecked. */
export interface OtlpMetric {
  readonly name: string;
  readonly description?: string;
  readonly unit?: string;
  readonly gauge?: JsonObject;
  readonly sum?: JsonObject;
  readonly histogram?: JsonObject;
  readonly exponentialHistogram?: JsonObject;
  readonly summary?: JsonObject;
}

/** Bytes of the longest frame. The receiver leaves out parts of longer units, so only other files have longer ones. */
export const TELEMETRY_BYTES = 256 * 1024;
/** Digits of 2^64. */
const INTEGER_DIGITS = 20;

export const isInteger: TypeCheck = (value) =>
  typeof value === 'string' && value.length <= INTEGER_DIGITS && /^\d+$/.test(value as string);
export const isAttribute = objectWith({ key: isText, value: isObject });
const isAttributes = optional(listOf(isAttribute));
const isSpan = objectWith({
  traceId: isTraceId,
  spanId: isSpanId,
  parentSpanId: optional(isSpanId),
  traceState: optional(isText),
  name: isText,
  kind: optional(isNumber),
  startTimeUnixNano: isInteger,
  endTimeUnixNano: isInteger,
  attributes: isAttributes,
  droppedAttributesCount: optional(isNumber),
  events: optional(
    listOf(objectWith({ timeUnixNano: optional(isInteger), name: optional(isText), attributes: isAttributes })),
  ),
  droppedEventsCount: optional(isNumber),
  links: optional(listOf(objectWith({ traceId: isTraceId, spanId: isSpanId, attributes: isAttributes }))),
  droppedLinksCount: optional(isNumber),
  status: optional(objectWith({ code: optional(isNumber), message: optional(isText) })),
});
const isLog = objectWith({
  timeUnixNano: optional(isInteger),
  observedTimeUnixNano: optional(isInteger),
  severityNumber: optional(isNumber),
  severityText: optional(isText),
  eventName: optional(isText),
  body: optional(isObject),
  attributes: isAttributes,
  traceId: optional(isTraceId),
  spanId: optional(isSpanId),
});
const isMetric = objectWith({
  name: isText,
  description: optional(isText),
  unit: optional(isText),
  gauge: optional(isObject),
  sum: optional(isObject),
  histogram: optional(isObject),
  exponentialHistogram: optional(isObject),
  summary: optional(isObject),
});
const origin = { service: isText, of: isText, scope: optional(isText), scopeVersion: optional(isText) };
const isTelemetry = anyCheck(
  objectWith({
    resource: isText,
    attributes: listOf(isAttribute),
    schemaUrl: optional(isText),
  }),
  objectWith({ ...origin, span: isSpan }),
  objectWith({ ...origin, log: isLog }),
  objectWith({ ...origin, metric: isMetric }),
);
const KINDS = ['resource', 'span', 'log', 'metric'] as const;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a frame of channel `otel`, which anybody can have written into a recording. Returns undefined for anything
 * that is not exactly one unit, or is longer than {@link TELEMETRY_BYTES}. Never throws.
 */
export function readTelemetry(bytes: Uint8Array): Telemetry | undefined {
  if (bytes.length > TELEMETRY_BYTES) return undefined;
  try {
    const value = parseBounded(decoder.decode(bytes));
    return isObject(value) && isOneKind(value) && isTelemetry(value) ? (value as unknown as Telemetry) : undefined;
  } catch {
    return undefined;
  }
}

function isOneKind(value: JsonObject): boolean {
  return KINDS.filter((kind) => own(value, kind) !== undefined).length === 1;
}

/** Writes a unit as the text of its frame. */
export function writeTelemetry(unit: Telemetry): string {
  return JSON.stringify(unit);
}
