import { parseBounded } from '@/lib/json/parse';
import {
  anyCheck,
  type Checked,
  isNumber,
  isObject,
  isText,
  type JsonObject,
  listOf,
  objectWith,
  optional,
  own,
} from '@/lib/json/value';
import { isSpanId, isTraceId } from '@/lib/wire/trace-context';

/** Bytes of the longest frame. The receiver leaves out parts of longer units, so only other files have longer ones. */
export const TELEMETRY_BYTES = 256 * 1024;
/** Digits of 2^64. */
const INTEGER_DIGITS = 20;

export const isInteger = (value: unknown): value is string =>
  isText(value) && value.length <= INTEGER_DIGITS && /^\d+$/.test(value);

/** A named value. `value` has one member, such as `stringValue` or `intValue` (decimal text). */
export const isAttribute = objectWith({ key: isText, value: isObject });
export type OtlpAttribute = Checked<typeof isAttribute>;
const attributes = optional(listOf(isAttribute));

/** Something that happened during a span, such as an exception. */
const isEvent = objectWith({ timeUnixNano: optional(isInteger), name: optional(isText), attributes });
export type OtlpEvent = Checked<typeof isEvent>;

/** A relation of a span to one of another trace. */
const isLink = objectWith({ traceId: isTraceId, spanId: isSpanId, attributes });
export type OtlpLink = Checked<typeof isLink>;

/** A span. Absent members have their default: 0, '' or empty. Members that are not listed are unchecked. */
const isSpan = objectWith({
  traceId: isTraceId,
  spanId: isSpanId,
  /** Absent: the root of its trace. */
  parentSpanId: optional(isSpanId),
  traceState: optional(isText),
  name: isText,
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer; other numbers: unspecified. */
  kind: optional(isNumber),
  /** Nanoseconds since 1970, in decimal. */
  startTimeUnixNano: isInteger,
  endTimeUnixNano: isInteger,
  attributes,
  droppedAttributesCount: optional(isNumber),
  events: optional(listOf(isEvent)),
  droppedEventsCount: optional(isNumber),
  links: optional(listOf(isLink)),
  droppedLinksCount: optional(isNumber),
  /** `code`: 1 OK, 2 error; other numbers: unset. */
  status: optional(objectWith({ code: optional(isNumber), message: optional(isText) })),
});
export type OtlpSpan = Checked<typeof isSpan>;

/** A log record. */
const isLog = objectWith({
  timeUnixNano: optional(isInteger),
  observedTimeUnixNano: optional(isInteger),
  /** 1 (trace) to 24 (fatal 4). */
  severityNumber: optional(isNumber),
  severityText: optional(isText),
  eventName: optional(isText),
  body: optional(isObject),
  attributes,
  /** The span in which it was written. */
  traceId: optional(isTraceId),
  spanId: optional(isSpanId),
});
export type OtlpLog = Checked<typeof isLog>;

/** A metric with its data points: `gauge`, `sum`, `histogram`, `exponentialHistogram` or `summary`, unchecked. */
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
export type OtlpMetric = Checked<typeof isMetric>;

/** The origin of a span, log record or metric. */
const origin = {
  /** `service.name` of its resource; '' if there is none. */
  service: isText,
  /** Short digest of its resource. A frame with the resource's attributes comes before the first one that names it. */
  of: isText,
  /** Name of the instrumentation scope: the library that made it. */
  scope: optional(isText),
  scopeVersion: optional(isText),
};
export type TelemetryOrigin = Pick<TelemetrySpan, keyof typeof origin>;

/** A process that sends telemetry. `resource`: short digest of the attributes. */
const isResource = objectWith({ resource: isText, attributes: listOf(isAttribute), schemaUrl: optional(isText) });

const withSpan = objectWith({ ...origin, span: isSpan });
export type TelemetrySpan = Checked<typeof withSpan>;

/**
 * Accepts the content of a frame of channel `otel`, as JSON: one unit of OpenTelemetry that the server, or another
 * process in the same trace, sent to our receiver. `span`, `log` and `metric` hold the object as OTLP/JSON has it
 * (opentelemetry-proto 1.x, JSON mapping: ids in hex, 64-bit integers as strings), whatever encoding arrived.
 */
const isTelemetry = anyCheck(
  isResource,
  withSpan,
  objectWith({ ...origin, log: isLog }),
  objectWith({ ...origin, metric: isMetric }),
);
export type Telemetry = Checked<typeof isTelemetry>;

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
    return isObject(value) && isOneKind(value) && isTelemetry(value) ? value : undefined;
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
