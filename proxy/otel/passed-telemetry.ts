import { ATTRIBUTE, CONTENT_ATTRIBUTES, RESOURCE } from '@/lib/otel/semantic-conventions';
import { type OtlpAttribute, type OtlpSpan, readTelemetry, type TelemetrySpan } from '@/lib/otel/telemetry';

/** Resources that are remembered. A server usually has one. */
const MOST_RESOURCES = 100;

/** Takes spans of other processes. */
export interface ForeignSpans {
  /** `reporter`: who made the span. */
  addForeignSpan(span: object, reporter: { readonly resource: object; readonly scope: object }): void;
}

/**
 * Passes on the spans that the server, or another process in the same trace, sent to our receiver: so one trace is
 * whole. Attributes with arguments and results are removed. Log records and metrics are not passed on.
 */
export class PassedTelemetry {
  readonly #sink: ForeignSpans;
  readonly #resources = new Map<string, readonly OtlpAttribute[]>();

  constructor(sink: ForeignSpans) {
    this.#sink = sink;
  }

  /** Reads a frame of channel `otel`. Anything else than a span or a resource is ignored. */
  addFrame(bytes: Uint8Array): void {
    const unit = readTelemetry(bytes);
    if (!unit) return;
    if ('resource' in unit) {
      this.#resources.set(unit.resource, unit.attributes);
      if (this.#resources.size > MOST_RESOURCES) this.#resources.delete(this.#resources.keys().next().value!);
    } else if ('span' in unit) this.#pass(unit);
  }

  #pass({ span, service, scope = '', scopeVersion, of }: TelemetrySpan): void {
    const attributes = this.#resources.get(of) ?? [{ key: RESOURCE.service, value: { stringValue: service } }];
    this.#sink.addForeignSpan(withoutContent(span), {
      resource: { attributes: attributes.filter(isPassed), droppedAttributesCount: 0 },
      scope: { name: scope, ...(scopeVersion !== undefined && { version: scopeVersion }) },
    });
  }
}

/** Returns a span without attributes that hold content, in its events and links too. */
function withoutContent(span: OtlpSpan): OtlpSpan {
  const cleaned = <T extends { readonly attributes?: readonly OtlpAttribute[] }>(value: T): T =>
    value.attributes ? { ...value, attributes: value.attributes.filter(isPassed) } : value;
  return {
    ...cleaned(span),
    ...(span.events && { events: span.events.map(cleaned) }),
    ...(span.links && { links: span.links.map(cleaned) }),
  };
}

function isPassed({ key }: OtlpAttribute): boolean {
  return key === ATTRIBUTE.prompt || !CONTENT_ATTRIBUTES.some((name) => key === name || key.startsWith(`${name}.`));
}
