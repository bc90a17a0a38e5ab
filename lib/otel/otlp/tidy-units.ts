import { isObject, type JsonObject, own } from '@/lib/json/value';
import { isSpanId, isTraceId } from '@/lib/wire/trace-context';
import {
  isAttribute,
  isInteger,
  type OtlpAttribute,
  type OtlpEvent,
  type OtlpLink,
  type OtlpLog,
  type OtlpMetric,
  type OtlpSpan,
} from '../telemetry';

/** Attributes of one span, event, link or log record. The default of the SDKs. */
const UNIT_ATTRIBUTES = 128;
/** Events and links of one span. The default of the SDKs. */
const SPAN_PARTS = 128;
/** Characters of a name, a state or a message. */
const TEXT_CHARS = 4096;

/**
 * Returns a span with only the members that are known, each with the type that readers expect; undefined without valid
 * ids. What is left out is counted as OTLP counts it. Senders write 64-bit integers as text or numbers, and some write
 * names of enumerations.
 */
export function tidySpan(raw: JsonObject): OtlpSpan | undefined {
  const { traceId, spanId } = idsOf(raw);
  if (traceId === undefined || spanId === undefined) return undefined;
  const parent = lower(own(raw, 'parentSpanId'));
  const status = own(raw, 'status');
  const events = firstOf(own(raw, 'events'), SPAN_PARTS, tidyEvent);
  const links = firstOf(own(raw, 'links'), SPAN_PARTS, tidyLink);
  return {
    traceId,
    spanId,
    ...(isSpanId(parent) && { parentSpanId: parent }),
    ...textMember(raw, 'traceState'),
    name: textOf(own(raw, 'name')) ?? '',
    ...enumMember(raw, 'kind', SPAN_KINDS),
    startTimeUnixNano: integerOf(own(raw, 'startTimeUnixNano')) ?? '0',
    endTimeUnixNano: integerOf(own(raw, 'endTimeUnixNano')) ?? '0',
    ...attributesMember(raw),
    ...(events.kept.length > 0 && { events: events.kept }),
    ...droppedMember(raw, 'droppedEventsCount', events.dropped),
    ...(links.kept.length > 0 && { links: links.kept }),
    ...droppedMember(raw, 'droppedLinksCount', links.dropped),
    ...statusMember(status),
  };
}

/** Returns a log record like {@link tidySpan}. */
export function tidyLog(raw: JsonObject): OtlpLog {
  const { traceId, spanId } = idsOf(raw);
  const body = own(raw, 'body');
  return {
    ...timeMember(raw, 'timeUnixNano'),
    ...timeMember(raw, 'observedTimeUnixNano'),
    ...enumMember(raw, 'severityNumber', SEVERITIES),
    ...textMember(raw, 'severityText'),
    ...textMember(raw, 'eventName'),
    ...(isObject(body) && { body: tidyValue(body) }),
    ...attributesMember(raw),
    ...(traceId !== undefined && { traceId }),
    ...(traceId !== undefined && spanId !== undefined && { spanId }),
  };
}

/** Returns a metric with its data as it is; undefined without a name. */
export function tidyMetric(raw: JsonObject): OtlpMetric | undefined {
  const name = textOf(own(raw, 'name'));
  if (name === undefined || name === '') return undefined;
  const data = METRIC_DATA.flatMap((kind) => {
    const value = own(raw, kind);
    return isObject(value) ? [[kind, value] as const] : [];
  });
  return { name, ...textMember(raw, 'description'), ...textMember(raw, 'unit'), ...Object.fromEntries(data) };
}

/** Returns the attributes that are valid, and the number of the others. */
export function tidyAttributes(raw: unknown): { readonly kept: readonly OtlpAttribute[]; readonly dropped: number } {
  return firstOf(raw, UNIT_ATTRIBUTES, (item) => {
    if (!isAttribute(item)) return undefined;
    const { key, value } = item as unknown as OtlpAttribute;
    return { key: key.slice(0, TEXT_CHARS), value: tidyValue(value) };
  });
}

/** Writes integers as text, however deep they are. Both readers bound the depth. */
function tidyValue(value: JsonObject): JsonObject {
  const integer = own(value, 'intValue');
  if (typeof integer === 'number') return { intValue: String(integer) };
  const array = own(value, 'arrayValue');
  if (isObject(array)) return { arrayValue: { values: valuesIn(array).map(tidyValue) } };
  const list = own(value, 'kvlistValue');
  if (!isObject(list)) return value;
  const named = valuesIn(list).filter(isAttribute) as unknown as readonly OtlpAttribute[];
  return { kvlistValue: { values: named.map((item) => ({ key: item.key, value: tidyValue(item.value) })) } };
}

function valuesIn(list: JsonObject): readonly JsonObject[] {
  const values = own(list, 'values');
  return Array.isArray(values) ? values.filter(isObject) : [];
}

const METRIC_DATA = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const;
const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
);
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`);
const SEVERITIES = [
  'SEVERITY_NUMBER_UNSPECIFIED',
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((name) =>
    ['', '2', '3', '4'].map((level) => `SEVERITY_NUMBER_${name}${level}`),
  ),
];

function statusMember(raw: unknown): Pick<OtlpSpan, 'status'> {
  if (!isObject(raw)) return {};
  const status = { ...textMember(raw, 'message'), ...enumMember(raw, 'code', STATUS_CODES) };
  return Object.keys(status).length > 0 ? { status } : {};
}

function tidyEvent(raw: JsonObject): OtlpEvent {
  return { ...timeMember(raw, 'timeUnixNano'), ...textMember(raw, 'name'), ...attributesMember(raw) };
}

function tidyLink(raw: JsonObject): OtlpLink | undefined {
  const { traceId, spanId } = idsOf(raw);
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, ...attributesMember(raw) };
}

function idsOf(raw: JsonObject): { readonly traceId: string | undefined; readonly spanId: string | undefined } {
  const [traceId, spanId] = [lower(own(raw, 'traceId')), lower(own(raw, 'spanId'))];
  return { traceId: isTraceId(traceId) ? traceId : undefined, spanId: isSpanId(spanId) ? spanId : undefined };
}

/** Lower-cases an id. Hex in OTLP/JSON may have either case. */
function lower(value: unknown): unknown {
  return typeof value === 'string' && value.length <= 32 ? value.toLowerCase() : undefined;
}

function firstOf<T>(
  raw: unknown,
  most: number,
  tidy: (item: JsonObject) => T | undefined,
): { readonly kept: readonly T[]; readonly dropped: number } {
  if (!Array.isArray(raw)) return { kept: [], dropped: 0 };
  const kept: T[] = [];
  for (const item of raw.slice(0, most)) {
    const tidied = isObject(item) ? tidy(item) : undefined;
    if (tidied !== undefined) kept.push(tidied);
  }
  return { kept, dropped: raw.length - kept.length };
}

function attributesMember(raw: JsonObject) {
  const { kept, dropped } = tidyAttributes(own(raw, 'attributes'));
  return { ...(kept.length > 0 && { attributes: kept }), ...droppedMember(raw, 'droppedAttributesCount', dropped) };
}

/** Adds what we left out to the sender's own count. */
function droppedMember<K extends string>(raw: JsonObject, key: K, more: number): { readonly [N in K]?: number } {
  const count = numberOf(own(raw, key)) + more;
  return count > 0 ? ({ [key]: count } as { readonly [N in K]?: number }) : {};
}

function numberOf(value: unknown): number {
  const number = Number(typeof value === 'string' || typeof value === 'number' ? value : 0);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, TEXT_CHARS) : undefined;
}

function textMember<K extends string>(raw: JsonObject, key: K): { readonly [N in K]?: string } {
  const text = textOf(own(raw, key));
  return text === undefined || text === '' ? {} : ({ [key]: text } as { readonly [N in K]?: string });
}

function integerOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return BigInt(value).toString();
  return isInteger(value) ? (value as string) : undefined;
}

function timeMember<K extends string>(raw: JsonObject, key: K): { readonly [N in K]?: string } {
  const time = integerOf(own(raw, key));
  return time === undefined || time === '0' ? {} : ({ [key]: time } as { readonly [N in K]?: string });
}

function enumMember<K extends string>(
  raw: JsonObject,
  key: K,
  names: readonly string[],
): { readonly [N in K]?: number } {
  const value = own(raw, key);
  const number = typeof value === 'string' ? names.indexOf(value) : value;
  const known = typeof number === 'number' && Number.isInteger(number) && number > 0 && number < names.length;
  return known ? ({ [key]: number } as { readonly [N in K]?: number }) : {};
}
