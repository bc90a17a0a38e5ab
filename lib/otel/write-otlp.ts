// OTLP/JSON as opentelemetry-proto 1.x maps it: ids in hex, 64-bit times as strings. Members come in the order of the
// official serializer, and those without a value are left out, as there.

/** A value of an attribute that we write. */
export type AttributeValue = string | number | boolean;
/** Attributes by name. Those without a value are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** An attribute as OTLP/JSON has it. */
export interface WrittenAttribute {
  readonly key: string;
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: number }
    | { readonly doubleValue: number }
    | { readonly boolValue: boolean };
}

/** Bits of {@link WrittenSpan.flags} above those of the trace context. */
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** Kinds of spans. */
export const SPAN_KIND = { server: 2, client: 3 } as const;
/** Statuses of spans. */
export const STATUS_CODE = { unset: 0, error: 2 } as const;

/** A span that we write. It has no events and no links. */
export interface WrittenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly WrittenAttribute[];
  readonly droppedAttributesCount: 0;
  readonly events: readonly never[];
  readonly droppedEventsCount: 0;
  readonly status: { readonly code: number };
  readonly links: readonly never[];
  readonly droppedLinksCount: 0;
  readonly flags: number;
}

/** Who reports: the resource and the scope of what is exported. */
export interface Reporter {
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
}

/** Encodes attributes. */
export function otlpAttributes(attributes: Attributes): readonly WrittenAttribute[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  );
}

function otlpValue(value: AttributeValue): WrittenAttribute['value'] {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
}

/** Returns the flags of a span. `isRemote`: its parent is a span of another process. */
export function spanFlags(sampled: boolean, isRemote: boolean): number {
  return (sampled ? 1 : 0) | HAS_IS_REMOTE | (isRemote ? IS_REMOTE : 0);
}

/** Returns the time `us` microseconds after `atMs`, which is in milliseconds since 1970. */
export function unixNano(atMs: number, us: number): string {
  return String(BigInt(Math.round(atMs)) * 1_000_000n + BigInt(Math.max(0, Math.round(us))) * 1000n);
}

/** The resource of a request. */
function resourceOf({ resource }: Reporter) {
  return { attributes: otlpAttributes(resource), droppedAttributesCount: 0 };
}

/** Returns spans of one reporter as one entry of `resourceSpans`. */
export function resourceSpans(reporter: Reporter, spans: readonly object[]): object {
  return { resource: resourceOf(reporter), scopeSpans: [{ scope: reporter.scope, spans }] };
}

/** Returns metrics of one reporter as one entry of `resourceMetrics`. */
export function resourceMetrics(reporter: Reporter, metrics: readonly object[]): object {
  return { resource: resourceOf(reporter), scopeMetrics: [{ scope: reporter.scope, metrics }] };
}
