import { isObject, own, textOrJson } from '@/lib/json/value';
import { spanSubject } from '@/lib/otel/span-subject';
import { type OtlpAttribute, type OtlpLog, type OtlpMetric, type OtlpSpan, readTelemetry } from '@/lib/otel/telemetry';

/** Everything that a unit of telemetry says, for its view. Texts are from its sender; `…Json` are JSON texts. */
export type UnitDetails = SpanDetails | LogDetails | MetricDetails | ResourceDetails;

interface Origin {
  readonly service: string;
  /** Digest of the resource. */
  readonly of: string;
  /** Name and version of the library that made it. */
  readonly scope: string | undefined;
  readonly attributesJson: string;
}

export interface SpanDetails extends Origin {
  readonly unit: 'span';
  readonly name: string;
  readonly kind: string | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly traceState: string | undefined;
  readonly status: 'ok' | 'error' | 'unset';
  readonly statusMessage: string | undefined;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  /** Parts that its sender left out: `3 attributes`. */
  readonly dropped: readonly string[];
}

/** Something that happened during a span. */
export interface SpanEvent {
  readonly name: string;
  /** µs since the start of the span; undefined if it has no time. */
  readonly afterUs: number | undefined;
  /** For an exception: type and message, and where it was thrown. */
  readonly exception: { readonly title: string; readonly stack: string | undefined } | undefined;
  /** The other attributes. */
  readonly attributesJson: string;
}

interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributesJson: string;
}

export interface LogDetails extends Origin {
  readonly unit: 'log';
  readonly severity: string;
  readonly eventName: string | undefined;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly bodyJson: string;
}

export interface MetricDetails extends Origin {
  readonly unit: 'metric';
  readonly name: string;
  readonly description: string | undefined;
  readonly measuredIn: string | undefined;
  /** Its data, as OTLP has it. */
  readonly dataJson: string;
}

export interface ResourceDetails {
  readonly unit: 'resource';
  readonly of: string;
  readonly attributesJson: string;
}

/** Names of OpenTelemetry's SpanKind. 0 is unspecified. */
const KINDS = [undefined, 'internal', 'server', 'client', 'producer', 'consumer'] as const;
/** Attributes of an exception, which are shown as text. */
const EXCEPTION = ['exception.type', 'exception.message', 'exception.stacktrace'] as const;

/** Reads a frame of channel `otel`. Returns undefined if it is not a unit of telemetry. */
export function unitDetails(bytes: Uint8Array): UnitDetails | undefined {
  const read = readTelemetry(bytes);
  if (!read) return undefined;
  if ('resource' in read) {
    return { unit: 'resource', of: read.resource, attributesJson: attributesJson(read.attributes) };
  }
  const { service, of, scope, scopeVersion } = read;
  const origin = { service, of, scope: [scope, scopeVersion].filter(Boolean).join(' ') || undefined };
  if ('span' in read) return spanDetails(origin, read.span);
  return 'log' in read ? logDetails(origin, read.log) : metricDetails(origin, read.metric);
}

/** Returns what the span in a frame was about; undefined if it does not say so, or is not a span. */
export function subjectOf(bytes: Uint8Array): string | undefined {
  const read = readTelemetry(bytes);
  if (!read || !('span' in read)) return undefined;
  const { attributes = [] } = read.span;
  return spanSubject((name) => stringOf(attributes.find(({ key }) => key === name)));
}

type From = Omit<Origin, 'attributesJson'>;

function spanDetails(origin: From, span: OtlpSpan): SpanDetails {
  const { droppedAttributesCount, droppedEventsCount, droppedLinksCount } = span;
  const dropped = [
    ['attribute', droppedAttributesCount],
    ['event', droppedEventsCount],
    ['link', droppedLinksCount],
  ] as const;
  return {
    ...origin,
    unit: 'span',
    name: span.name,
    kind: KINDS[span.kind ?? 0],
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentSpanId,
    traceState: span.traceState,
    status: span.status?.code === 2 ? 'error' : span.status?.code === 1 ? 'ok' : 'unset',
    statusMessage: span.status?.message,
    attributesJson: attributesJson(span.attributes),
    events: (span.events ?? []).map(({ name = '', timeUnixNano, attributes = [] }) => {
      const [type, message, stack] = EXCEPTION.map((key) => stringOf(attributes.find((each) => each.key === key)));
      const isException = type !== undefined || message !== undefined;
      return {
        name,
        afterUs:
          timeUnixNano === undefined ? undefined : Number(BigInt(timeUnixNano) - BigInt(span.startTimeUnixNano)) / 1000,
        exception: isException ? { title: [type, message].filter(Boolean).join(': '), stack } : undefined,
        attributesJson: attributesJson(
          isException ? attributes.filter(({ key }) => !EXCEPTION.some((each) => each === key)) : attributes,
        ),
      };
    }),
    links: (span.links ?? []).map(({ traceId, spanId, attributes }) => ({
      traceId,
      spanId,
      attributesJson: attributesJson(attributes),
    })),
    dropped: dropped.flatMap(([what, count = 0]) => (count > 0 ? [`${count} ${what}${count === 1 ? '' : 's'}`] : [])),
  };
}

function logDetails(origin: From, log: OtlpLog): LogDetails {
  const { severityText = '', severityNumber, eventName, traceId, spanId, body, attributes } = log;
  return {
    ...origin,
    unit: 'log',
    severity: [severityText, severityNumber !== undefined && `severity ${severityNumber}`].filter(Boolean).join(', '),
    eventName,
    traceId,
    spanId,
    bodyJson: valueJson(body),
    attributesJson: attributesJson(attributes),
  };
}

function metricDetails(origin: From, metric: OtlpMetric): MetricDetails {
  const { name, description, unit, gauge, sum, histogram, exponentialHistogram, summary } = metric;
  return {
    ...origin,
    unit: 'metric',
    name,
    description,
    measuredIn: unit,
    dataJson: JSON.stringify({ gauge, sum, histogram, exponentialHistogram, summary }),
    attributesJson: '{}',
  };
}

/** Writes attributes as one object. Names that occur twice stay. */
function attributesJson(attributes: readonly OtlpAttribute[] = []): string {
  return `{${attributes.map(({ key, value }) => `${JSON.stringify(key)}:${valueJson(value)}`).join()}}`;
}

/** JSON has no leading zeros. */
const WHOLE = /^-?(?:0|[1-9]\d*)$/;

/** Writes a value of OTLP as plain JSON. Integers keep all their digits. Anything else stays as it is. */
function valueJson(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const whole = own(value, 'intValue');
  if ((typeof whole === 'string' && WHOLE.test(whole)) || typeof whole === 'number') return String(whole);
  const list = own(value, 'arrayValue');
  if (isObject(list)) {
    const values = own(list, 'values');
    return `[${Array.isArray(values) ? values.map(valueJson).join() : ''}]`;
  }
  const members = own(value, 'kvlistValue');
  if (isObject(members)) {
    const values = own(members, 'values');
    const pairs = Array.isArray(values) ? values.filter(isObject) : [];
    return `{${pairs.map((pair) => `${JSON.stringify(textOrJson(own(pair, 'key')))}:${valueJson(own(pair, 'value'))}`).join()}}`;
  }
  const plain = ['stringValue', 'boolValue', 'doubleValue', 'bytesValue'].find((name) => Object.hasOwn(value, name));
  if (plain !== undefined) return JSON.stringify(own(value, plain)) ?? 'null';
  return Object.keys(value).length === 0 ? 'null' : JSON.stringify(value);
}

function stringOf(attribute: OtlpAttribute | undefined): string | undefined {
  const text = attribute && own(attribute.value, 'stringValue');
  return typeof text === 'string' ? text : undefined;
}
