import { parseBounded, withoutBom } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { textHash } from '@/lib/wire/text-hash';
import {
  type OtlpAttribute,
  TELEMETRY_BYTES,
  type Telemetry,
  type TelemetryOrigin,
  writeTelemetry,
} from '../telemetry';
import { OtlpError, ProtobufReader } from './read-protobuf';
import { tidyAttributes, tidyLog, tidyMetric, tidySpan } from './tidy-units';

/** The kind of data in an export: the last word of its path. */
export type Signal = 'traces' | 'logs' | 'metrics';
/** How a body is written. */
export type OtlpEncoding = 'json' | 'protobuf';

/** One unit of an export: the text of its frame, with its digest if it is a resource, or why there is none. */
export type ReadUnit = { readonly frame: string; readonly resource?: string } | { readonly refused: string };

/** Members and items of a JSON body. Each costs up to a hundred bytes of memory. */
const BODY_VALUES = 500_000;
/** Characters of JSON of an attribute that is kept in a unit that would otherwise be too long. */
const SHORT_ATTRIBUTE_CHARS = 512;
/** Characters of the name of a service, and of the name and version of a scope. */
const SERVICE_CHARS = 255;
/** Characters kept of the body of a log record that would otherwise be too long. */
const LOG_BODY_CHARS = 8 * 1024;

/** A resource as the body has it. */
interface RawResource {
  readonly attributes: unknown;
  readonly schemaUrl: unknown;
}

/** A resource with its frame. */
interface ReadResource {
  readonly of: RawResource;
  readonly service: string;
  readonly digest: string;
  readonly frame: string;
}

/** Items of a resource, at least one, and where they come from. The groups of a resource share its object. */
interface Group {
  readonly resource: RawResource;
  readonly scope: { readonly name: unknown; readonly version: unknown };
  readonly items: Iterable<unknown>;
}

/** How the signals differ: names in JSON, the type in protobuf, and the check of one item. */
const SIGNALS = {
  traces: { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans', message: 'Span', unit: spanUnit },
  logs: { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords', message: 'LogRecord', unit: logUnit },
  metrics: {
    resources: 'resourceMetrics',
    scopes: 'scopeMetrics',
    items: 'metrics',
    message: 'Metric',
    unit: metricUnit,
  },
} as const satisfies Record<Signal, unknown>;

/** Returns true for the name of a signal. */
export function isSignal(name: string): name is Signal {
  return Object.hasOwn(SIGNALS, name);
}

/**
 * Reads the body of an export, one unit at a time, so that the caller can do other work in between. A resource comes
 * before its first item, each time. Throws OtlpError for a body that is not OTLP; items that are not valid are refused
 * alone.
 */
export function* readExport(signal: Signal, encoding: OtlpEncoding, body: Uint8Array): Generator<ReadUnit> {
  const groups = encoding === 'json' ? jsonGroups(signal, body) : protobufGroups(signal, body);
  const { unit } = SIGNALS[signal];
  let newest: ReadResource | undefined;
  for (const { resource, scope, items } of groups) {
    // A resource can be as long as the body, and have a hundred thousand scopes.
    const about = newest?.of === resource ? newest : readResource(resource);
    const origin: TelemetryOrigin = { service: about.service, of: about.digest, ...scopeMember(scope) };
    if (newest?.digest !== about.digest) yield { frame: about.frame, resource: about.digest };
    newest = about;
    for (const item of items) {
      const read = isObject(item) ? unit(origin, item) : undefined;
      if (read === undefined) yield { refused: REFUSALS[signal] };
      else if (typeof read === 'string') yield { frame: read };
      else yield read;
    }
  }
}

const REFUSALS: Readonly<Record<Signal, string>> = {
  traces: 'A span has no valid trace id and span id.',
  logs: 'A log record is not an object.',
  metrics: 'A metric has no name.',
};

function* jsonGroups(signal: Signal, body: Uint8Array): Generator<Group> {
  const { resources, scopes, items } = SIGNALS[signal];
  const request = parseJson(body);
  if (!isObject(request)) throw new OtlpError('The body is not a JSON object.');
  for (const resource of objectsIn(request, resources)) {
    const about = own(resource, 'resource');
    const raw = {
      attributes: isObject(about) ? own(about, 'attributes') : undefined,
      schemaUrl: own(resource, 'schemaUrl'),
    };
    for (const scope of objectsIn(resource, scopes)) {
      const from = own(scope, 'scope');
      const list = listIn(scope, items);
      if (list.length === 0) continue;
      yield {
        resource: raw,
        scope: isObject(from) ? { name: own(from, 'name'), version: own(from, 'version') } : NO_SCOPE,
        items: list,
      };
    }
  }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return parseBounded(withoutBom(new TextDecoder('utf-8', { fatal: true }).decode(body)), BODY_VALUES);
  } catch (error) {
    throw new OtlpError(
      error instanceof RangeError ? `The body has too many values: ${error.message}.` : 'The body is not JSON.',
    );
  }
}

/** All three requests have the same shape: resources in field 1; resource, scopes, schema; scope, items, schema. */
function* protobufGroups(signal: Signal, body: Uint8Array): Generator<Group> {
  const { message } = SIGNALS[signal];
  const reader = new ProtobufReader(body);
  for (const resource of reader.ranges(1)) {
    const about = reader.ranges(1, resource).at(-1);
    const attributes = about && own(reader.message('Resource', about), 'attributes');
    const raw = { attributes, schemaUrl: reader.text(3, resource) };
    for (const scope of reader.ranges(2, resource)) {
      const from = reader.ranges(1, scope).at(-1);
      const { name, version } = from ? reader.message('Scope', from) : NO_SCOPE;
      const items = reader.ranges(2, scope);
      if (items.length === 0) continue;
      yield {
        resource: raw,
        scope: { name, version },
        items: lazily(items, (range) => reader.message(message, range)),
      };
    }
  }
}

function* lazily<T, U>(items: readonly T[], read: (item: T) => U): Generator<U> {
  for (const item of items) yield read(item);
}

const NO_SCOPE: { readonly name?: unknown; readonly version?: unknown } & Group['scope'] = {
  name: undefined,
  version: undefined,
};

function listIn(object: JsonObject, key: string): readonly unknown[] {
  const list = own(object, key);
  return Array.isArray(list) ? list : [];
}

function objectsIn(object: JsonObject, key: string): readonly JsonObject[] {
  return listIn(object, key).filter(isObject);
}

function scopeMember({ name, version }: Group['scope']): Pick<TelemetryOrigin, 'scope' | 'scopeVersion'> {
  const [scope, scopeVersion] = [name, version].map((text) =>
    typeof text === 'string' && text !== '' ? text.slice(0, SERVICE_CHARS) : undefined,
  );
  return { ...(scope !== undefined && { scope }), ...(scopeVersion !== undefined && { scopeVersion }) };
}

function serviceOf(attributes: readonly OtlpAttribute[]): string {
  const value = attributes.find(({ key }) => key === 'service.name')?.value;
  const name = value && own(value, 'stringValue');
  return typeof name === 'string' ? name.slice(0, SERVICE_CHARS) : '';
}

function readResource(raw: RawResource): ReadResource {
  const { schemaUrl } = raw;
  const { kept: attributes } = tidyAttributes(raw.attributes);
  const url = typeof schemaUrl === 'string' && schemaUrl !== '' ? { schemaUrl: schemaUrl.slice(0, SERVICE_CHARS) } : {};
  const digest = shortHash(JSON.stringify([attributes, url]));
  const whole = writeTelemetry({ resource: digest, attributes, ...url });
  const short = { resource: digest, ...url };
  const frame = fits(whole) ? whole : writeTelemetry({ ...short, attributes: shortOnes(attributes).kept });
  return { of: raw, service: serviceOf(attributes), digest, frame };
}

function shortHash(text: string): string {
  const words = textHash(text).split(' ');
  return words.map((word) => (Number(word) >>> 0).toString(36)).join('');
}

function spanUnit(origin: TelemetryOrigin, raw: JsonObject): string | undefined {
  const span = tidySpan(raw);
  if (span === undefined) return undefined;
  const whole = frameOf({ ...origin, span });
  if (fits(whole)) return whole;
  const { events = [], links = [], ...rest } = span;
  const { kept, dropped } = shortOnes(rest.attributes);
  return frameOf({
    ...origin,
    span: {
      ...rest,
      attributes: kept,
      droppedAttributesCount: (rest.droppedAttributesCount ?? 0) + dropped,
      droppedEventsCount: (rest.droppedEventsCount ?? 0) + events.length,
      droppedLinksCount: (rest.droppedLinksCount ?? 0) + links.length,
    },
  });
}

function logUnit(origin: TelemetryOrigin, raw: JsonObject): string {
  const log = tidyLog(raw);
  const whole = frameOf({ ...origin, log });
  if (fits(whole)) return whole;
  const { kept } = shortOnes(log.attributes);
  const text = log.body && own(log.body, 'stringValue');
  const short = (typeof text === 'string' ? text : JSON.stringify(log.body ?? {})).slice(0, LOG_BODY_CHARS);
  return frameOf({ ...origin, log: { ...log, attributes: kept, body: { stringValue: `${short}…` } } });
}

function metricUnit(origin: TelemetryOrigin, raw: JsonObject): string | { readonly refused: string } | undefined {
  const metric = tidyMetric(raw);
  if (metric === undefined) return undefined;
  const whole = frameOf({ ...origin, metric });
  return fits(whole) ? whole : { refused: `A metric is longer than ${TELEMETRY_BYTES / 1024} KiB.` };
}

function frameOf(unit: Telemetry): string {
  return writeTelemetry(unit);
}

function shortOnes(attributes: readonly OtlpAttribute[] = []) {
  const kept = attributes.filter((attribute) => JSON.stringify(attribute).length <= SHORT_ATTRIBUTE_CHARS);
  return { kept, dropped: attributes.length - kept.length };
}

/** Characters of UTF-16 take at most three bytes of UTF-8. */
function fits(text: string): boolean {
  return text.length * 3 <= TELEMETRY_BYTES || new TextEncoder().encode(text).length <= TELEMETRY_BYTES;
}
